/** `gatepulse build`: the Worker of a configuration. */
import { EXIT, command } from "../cli/command.ts";
import { CONFIG, readNamedConfig } from "../cli/config-file.ts";
import { QUEUE_ADDED, lacksQueue, needsQueue } from "../project/deploy/wrangler-file.ts";

export const build = command("build", CONFIG, async (line) => {
  const { io, refuse } = line;
  const read = await readNamedConfig(line);
  if (!read.ok) return read.exit;
  const { WRANGLER_COMMAND: asked = "dev", [QUEUE_ADDED]: isAdded } = io.env;
  if (asked !== "dev" && isAdded === undefined && needsQueue(read.config) && (await lacksQueue(io.cwd)))
    return refuse("several lanes or shards need a queue: run npx gatepulse deploy, which adds it");
  // It is large, and other commands do not need it.
  const { buildProject } = await import("../local/build.ts");
  await buildProject(io.cwd, read.config);
  return EXIT.ok;
});
