/** `gatepulse build`: what wrangler puts into the Worker besides its code. */
import { EXIT, HELP, command } from "../cli/command.ts";
import { CONFIG, faultsText, readNamedConfig } from "../cli/config-file.ts";
import { painterFor } from "../cli/terminal.ts";
import { BUILD_USAGE } from "../cli/usage.ts";

const OPTIONS = { ...CONFIG, ...HELP } as const;

export const build = command({ name: "build", usage: BUILD_USAGE, options: OPTIONS }, async (line) => {
  const { io } = line;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const read = await readNamedConfig(line, (file, faults) => faultsText(file, faults, paint));
  if (!read.ok) return read.exit;
  // It is large, and other commands do not need it.
  const { buildProject } = await import("../local/build.ts");
  await buildProject(io.cwd, read.config);
  return EXIT.ok;
});
