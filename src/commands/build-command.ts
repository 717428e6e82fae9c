/** `gatepulse build`: the Worker of a configuration. */
import { EXIT, command } from "../cli/command.ts";
import { CONFIG, readNamedConfig } from "../cli/config-file.ts";

export const build = command("build", CONFIG, async (line) => {
  const read = await readNamedConfig(line);
  if (!read.ok) return read.exit;
  // It is large, and other commands do not need it.
  const { buildProject } = await import("../local/build.ts");
  await buildProject(line.io.cwd, read.config);
  return EXIT.ok;
});
