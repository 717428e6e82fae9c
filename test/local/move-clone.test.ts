/** The data that 0.2.0 left in a clone, and the project that is made of it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfigFile } from "../../src/cli/config-file.ts";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { moveClone } from "../../src/project/clone.ts";
import { spread } from "../extent.ts";
import { writeClone } from "../project/clone.ts";
import { NOW_MS } from "../stored/answers.ts";
import { LAST, writeCloneWithData } from "../stored/left.ts";
import { startStory } from "../stored/runtime.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const PATHS = ["/", "/api/v1/status", "/api/v1/incidents", "/feed.atom"];

async function written(config: ConfigInput, state: string) {
  const story = await startStory(config, state);
  try {
    return { stored: await story.dump(), answers: await story.answers(NOW_MS, PATHS) };
  } finally {
    await story.stop();
  }
}

// test/package moves one into another directory, too.
test.each(spread(["in place", "in another directory"], 1))(
  "%s: history, incidents, pending alerts and pages stay",
  async (where) => {
    const directory = await temporaryDirectory();
    const clone = join(directory, "clone");
    const project = where === "in place" ? clone : join(directory, "project");
    await writeCloneWithData(clone);
    const before = await written(LAST, join(clone, ".gatepulse"));
    expect(before.stored.tables.find(({ name }) => name === "undelivered")?.rows).not.toEqual([]);

    const order = {
      clone,
      directory: project,
      gatepulse: "0.3.0",
      manager: { name: "npm" },
      env: {},
    } as const;
    expect(await moveClone(order)).toMatchObject({ ok: true });

    writeClone(project, {
      "node_modules/gatepulse/package.json": '{"type":"module","exports":{"./config":"./config.js"}}',
      "node_modules/gatepulse/config.js": "export const defineConfig = (config) => config;\n",
    });
    const loaded = await loadConfigFile(join(project, "gatepulse.config.ts"), {});
    expect(loaded).toEqual({ ok: true, value: LAST });
    const after = await written((loaded as { value: ConfigInput }).value, join(project, ".gatepulse"));
    expect(after).toEqual(before);
  },
);
