/** `gatepulse upgrade`: a newer Gatepulse for the project of the working directory. */
import { t } from "../config/spoken.ts";
import { command, flag, option } from "../cli/command.ts";
import { CONFIG } from "../cli/config-file.ts";
import { interruptible } from "../project/interrupt.ts";
import { upgradeProject } from "../project/upgrade.ts";

const OPTIONS = {
  ...CONFIG,
  to: option("SPEC", t`a version, the path of a tarball, or its address (default: the newest version)`),
  yes: { ...flag(t`do not ask`), short: "y" },
  url: option("ADDRESS", t`also save a deployed Gatepulse, with ADMIN_TOKEN (default GATEPULSE_URL)`),
  persist: option("DIR", t`where gatepulse start keeps its data (default .gatepulse)`),
  /** Where this version came from; an older one that runs it says so. */
  package: { type: "string" } as const,
};

export const upgrade = command("upgrade", OPTIONS, async (line) => {
  const { values, argument, io, refuse } = line;
  const hasToken = (io.env["ADMIN_TOKEN"] ?? "") !== "";
  const order = {
    to: values.to ?? null,
    spec: values.package ?? null,
    yes: values.yes === true,
    config: argument || null,
    persist: values.persist ?? ".gatepulse",
    url: values.url ?? (hasToken ? (io.env["GATEPULSE_URL"] ?? null) : null),
  };
  return interruptible(io, () => upgradeProject(order, { io, refuse }));
});
