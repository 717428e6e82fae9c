import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { type Ran, runCli } from "./fake-io.ts";
import { folderOfTest } from "./folder.ts";

const OWN = readFileSync(fileURLToPath(new URL("../../wrangler.toml", import.meta.url)), "utf8");

/** As docs/scale.md says: the sections of the queues without their comment signs. */
const UNCOMMENTED = OWN.replace(/^# (?=\[\[queues|binding = "TICKS"|queue = |max_|dead_letter_queue)/gm, "");

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
});

function check(shards: number, toml: string | null, env: Record<string, string> = {}): Promise<Ran> {
  writeFileSync(join(folder, "c.json"), JSON.stringify({ title: "t", shards, gateways: [] }));
  if (toml !== null) writeFileSync(join(folder, "wrangler.toml"), toml);
  return runCli(["check", "c.json"], { cwd: folder, env });
}

const MISSING = "wrangler.toml has no queue for the 2 shards: one invocation would run all their ticks";
const DEPLOYING = { WRANGLER_COMMAND: "deploy" };
const IN_LINES = `[queues]\nproducers = [{ binding = 'TICKS', queue = "t" }]\nconsumers = [{ queue = "t" }]\n`;
const NOBODY_TAKES = `[[queues.producers]]\nbinding = "TICKS"\nqueue = "t"\n`;

test("several shards without a queue beside them are warned of", async () => {
  const { code, stdout } = await check(2, OWN);
  expect(code).toBe(0);
  expect(stdout).toContain(`${MISSING}.
fix: create the queues and uncomment their sections, as docs/scale.md shows
`);
});

test("where wrangler asks, a queue that nobody takes from is refused for several shards", async () => {
  const { code, stdout } = await check(2, NOBODY_TAKES, DEPLOYING);
  expect(code).toBe(2);
  expect(stdout).toContain(MISSING);
});

test.each([
  ["the queues are there", 2, UNCOMMENTED],
  ["there is one shard", 1, OWN],
  ["the queues are written in lines", 2, IN_LINES],
  ["there is no wrangler.toml: others may say what is bound", 2, null],
])("nothing is said of queues where %s", async (_, shards, toml) => {
  const { code, stdout } = await check(shards, toml, DEPLOYING);
  expect(code).toBe(0);
  expect(stdout).not.toContain("queue");
});

test("a configuration elsewhere is held against the wrangler.toml where the command runs", async () => {
  mkdirSync(join(folder, "aside"));
  writeFileSync(join(folder, "aside/c.json"), JSON.stringify({ title: "t", shards: 2, gateways: [] }));
  writeFileSync(join(folder, "wrangler.toml"), OWN);
  expect((await runCli(["check", "aside/c.json"], { cwd: folder })).stdout).toContain(MISSING);
});

test("wrangler itself reads the sections as what the Worker needs", () => {
  writeFileSync(join(folder, "wrangler.toml"), UNCOMMENTED);
  const { queues } = unstable_readConfig({ config: join(folder, "wrangler.toml") });
  expect(queues.producers).toEqual([{ binding: "TICKS", queue: "gatepulse-ticks" }]);
  expect(queues.consumers).toEqual([
    {
      queue: "gatepulse-ticks",
      max_batch_size: 1,
      max_batch_timeout: 0,
      max_retries: 3,
      dead_letter_queue: "gatepulse-ticks-dead",
    },
    { queue: "gatepulse-ticks-dead", max_batch_size: 1, max_batch_timeout: 0, max_retries: 100 },
  ]);
});
