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

const MISSING = "wrangler.toml has no queue for the 2 shards: their ticks would never come";

test("several shards without a queue beside them are warned of", async () => {
  const { code, stdout } = await check(2, OWN);
  expect(code).toBe(0);
  expect(stdout).toContain(`${MISSING}.
fix: make the queues, and uncomment their sections, as docs/scale.md says
`);
});

test("where wrangler asks, they are refused: nothing is deployed that would watch nothing", async () => {
  const { code, stdout } = await check(2, OWN, { WRANGLER_COMMAND: "deploy" });
  expect(code).toBe(2);
  expect(stdout).toContain(MISSING);
});

test.each([
  ["the queues are there", 2, UNCOMMENTED],
  ["there is one shard", 1, OWN],
  [
    "the queues are written in lines",
    2,
    `[queues]\nproducers = [{ binding = 'TICKS', queue = "t" }]\nconsumers = [{ queue = "t", dead_letter_queue = "t-dead" }, { queue = "t-dead" }]\n`,
  ],
])("nothing is said of queues where %s", async (_, shards, toml) => {
  const { code, stdout } = await check(shards, toml, { WRANGLER_COMMAND: "deploy" });
  expect(code).toBe(0);
  expect(stdout).not.toContain("queue");
});

test("a queue that nobody takes from is none", async () => {
  const { code } = await check(2, `[[queues.producers]]\nbinding = "TICKS"\nqueue = "t"\n`, {
    WRANGLER_COMMAND: "deploy",
  });
  expect(code).toBe(2);
});

const DEAF =
  "wrangler.toml names no queue of dead letters, or nobody takes from it: ticks that are lost would be told to nobody";

test.each([
  ["has no queue for what failed", UNCOMMENTED.replace(/^dead_letter_queue.*$/m, "")],
  [
    "has one that nobody empties",
    UNCOMMENTED.replace(/^queue = "gatepulse-ticks-dead"$/m, 'queue = "other"'),
  ],
])("a wrangler.toml that %s is told of, and refused where wrangler asks", async (_, toml) => {
  expect(toml).not.toBe(UNCOMMENTED);
  const asked = await check(2, toml);
  expect([asked.code, asked.stdout.includes(`${DEAF}.\nfix: `)]).toEqual([0, true]);
  expect((await check(2, toml, { WRANGLER_COMMAND: "deploy" })).code).toBe(2);
});

test("a configuration elsewhere is held against the wrangler.toml where the command runs", async () => {
  const aside = join(folder, "aside");
  mkdirSync(aside);
  writeFileSync(join(aside, "c.json"), JSON.stringify({ title: "t", shards: 2, gateways: [] }));
  const run = async () => (await runCli(["check", "aside/c.json"], { cwd: folder })).stdout;
  expect(await run()).toContain(
    "wrangler.toml is neither beside the configuration nor here: whether its queues are there is not known.",
  );
  writeFileSync(join(folder, "wrangler.toml"), OWN);
  expect(await run()).toContain(MISSING);
  writeFileSync(join(folder, "wrangler.toml"), UNCOMMENTED);
  expect(await run()).not.toContain("queue");
});

test("without a wrangler.toml nothing is refused: others may say what is bound", async () => {
  expect((await check(2, null, { WRANGLER_COMMAND: "deploy" })).code).toBe(0);
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

test("as it comes, wrangler.toml has no queue", () => {
  writeFileSync(join(folder, "wrangler.toml"), OWN);
  const { queues } = unstable_readConfig({ config: join(folder, "wrangler.toml") });
  expect([queues.producers ?? [], queues.consumers ?? []]).toEqual([[], []]);
});
