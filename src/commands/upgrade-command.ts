/** `gatepulse upgrade`: a newer Gatepulse for the project of the working directory. */
import { command, flag, option } from "../cli/command.ts";
import { CONFIG } from "../cli/config-file.ts";
import { interruptible } from "../project/interrupt.ts";
import { upgradeProject } from "../project/upgrade/upgrade.ts";

const MANUAL = {
  name: "upgrade",
  args: "[FILE]",
  about: `Brings the project in the working directory to a newer version of gatepulse. Shows first what changes: the
changelog, the files, the versions in package.json, and faults that the new version finds in the
configuration. Then it asks, saves a backup of the recorded data and the originals of the files, changes
the files, installs, and checks the configuration. Your own changes in the files stay. At its end it
prints how to go back. If it is interrupted, run it again.`,
  options: {
    ...CONFIG,
    to: option("SPEC", "a version, the path of a tarball, or its address (default: the newest version)"),
    yes: { ...flag("do not ask"), short: "y" },
    url: option("ADDRESS", "also save a deployed Gatepulse, with ADMIN_TOKEN (default GATEPULSE_URL)"),
    persist: option("DIR", "where gatepulse start keeps its data (default .gatepulse)"),
    /** Where this version came from; an older one that runs it says so. */
    package: { type: "string" } as const,
  },
  codes: {
    0: "done, or there is nothing to do",
    1: "it failed, or the configuration has faults",
    2: "wrong usage; nothing was changed",
    130: "stopped; it said how to finish or go back, if it had changed anything",
  },
};

export const upgrade = command(MANUAL, async (line) => {
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
