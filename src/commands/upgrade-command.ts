/** `gatepulse upgrade`: a newer Gatepulse for the project of the working directory. */
import { HELP, command } from "../cli/command.ts";
import { CONFIG } from "../cli/config-file.ts";
import { UPGRADE_USAGE } from "../cli/usage.ts";
import { interruptible } from "../project/interrupt.ts";
import { upgradeProject } from "../project/upgrade/upgrade.ts";

const OPTIONS = {
  ...CONFIG,
  to: { type: "string" },
  yes: { type: "boolean", short: "y" },
  url: { type: "string" },
  persist: { type: "string" },
  /** The older version that runs this one says where it came from. */
  package: { type: "string" },
  ...HELP,
} as const;

export const upgrade = command({ name: "upgrade", usage: UPGRADE_USAGE, options: OPTIONS }, async (line) => {
  const { values, positionals, io, refuse } = line;
  const [config = null, ...more] = [values.config ?? [], positionals].flat();
  if (more.length > 0) return refuse("give at most one file");
  const hasToken = (io.env["ADMIN_TOKEN"] ?? "") !== "";
  const order = {
    to: values.to ?? null,
    spec: values.package ?? null,
    yes: values.yes === true,
    config,
    persist: values.persist ?? ".gatepulse",
    url: values.url ?? (hasToken ? (io.env["GATEPULSE_URL"] ?? null) : null),
  };
  return interruptible(io, () => upgradeProject(order, { io, refuse }));
});
