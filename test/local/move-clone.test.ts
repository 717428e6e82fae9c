/** The data that 0.2.0 left in a clone, and the project that is made of it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { moveClone } from "../../src/project/clone.ts";
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

test("history, incidents, pending alerts and pages of a clone are those of its project", async () => {
  const clone = join(await temporaryDirectory(), "clone");
  await writeCloneWithData(clone);
  const before = await written(LAST, join(clone, ".gatepulse"));
  expect(before.stored.tables.find(({ name }) => name === "undelivered")?.rows).not.toEqual([]);

  const order = { clone, gatepulse: "0.3.0", manager: { name: "npm" }, env: {} } as const;
  await moveClone(order);

  writeClone(clone, {
    "node_modules/gatepulse/package.json": '{"type":"module","exports":{"./config":"./config.js"}}',
    "node_modules/gatepulse/config.js": "export const defineConfig = (config) => config;\n",
  });
  const file = join(clone, "gatepulse.config.ts");
  const loaded = await import(`${pathToFileURL(file).href}?moved`);
  expect(loaded.default).toEqual(LAST);
  expect(await written(loaded.default, join(clone, ".gatepulse"))).toEqual(before);
});
