/**
 * `npm start` over a database file that is damaged: it says which and what to do, the other shard and what was published
 * go on, and once the file is moved aside all goes on. Real files, real processes.
 */
import { cp, mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { shardOf } from "../../src/domain/dealing.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { eventually } from "./program.ts";
import { showing, startWatching, type Watching } from "./support/watched-directory.ts";

const IDS = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];
/** One of either shard. */
const [HURT, WELL] = [0, 1].map((shard) => IDS.find((id) => shardOf(id, 2) === shard) ?? "");
const GATEWAYS = [HURT, WELL].map(String);

let simulator: Simulator;
let directory: string;
/** What a run left behind that ended well; all is in the files, none in their logs. */
let sound: string;
let recorded: readonly string[];
let watching: Watching | null = null;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = await mkdtemp(join(tmpdir(), "gatepulse-damaged-"));
  sound = join(directory, "sound");
  const first = await run(sound);
  await showing(first, Object.fromEntries(GATEWAYS.map((id) => [id, "up"])));
  recorded = await first.probes(String(HURT));
  expect(recorded.length).toBeGreaterThan(0);
  expect(await first.program.stop()).toBe(0);
  const all = await readdir(sound, { recursive: true });
  for (const file of all
    .filter((name) => /^(?:do|kv)\/.*\.sqlite$/.test(name))
    .map((name) => join(sound, name))) {
    const database = new DatabaseSync(file);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }
}, 120_000);
afterEach(async () => {
  await watching?.program.stop();
  watching = null;
  simulator.clear();
});
afterAll(async () => {
  await simulator.close();
  await rm(directory, { recursive: true });
});

async function run(persist: string): Promise<Watching> {
  watching = await startWatching({ simulator, gateways: GATEWAYS, shards: 2, directory, persist });
  return watching;
}

async function databases(persist: string, folder = join("do", "-Ledger")): Promise<string[]> {
  const path = join(persist, folder);
  const names = await readdir(path);
  return names.filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)).map((name) => join(path, name));
}

async function ledgerOf(persist: string, gatewayId: string): Promise<string> {
  for (const file of await databases(persist)) {
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare("SELECT body FROM document WHERE name = 'members'").get();
    database.close();
    if (String(row?.["body"]).includes(`"${gatewayId}/models"`)) return file;
  }
  throw new Error(`no Ledger has ${gatewayId}`);
}

async function copyOf(name: string): Promise<string> {
  const persist = join(directory, name.replaceAll(" ", "-"));
  await cp(sound, persist, { recursive: true });
  return persist;
}

const DAMAGES: readonly (readonly [name: string, damage: (file: string) => Promise<void>])[] = [
  ["is nothing but garbage", (file) => writeFile(file, Buffer.alloc(100_000, "garbage "))],
  ["is cut off", (file) => truncate(file, 20_000)],
  ["is written over in its middle", overwriteMiddle],
];

async function overwriteMiddle(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(40_000, "garbage "), 0, 40_000, 8192);
  await file.close();
}

test.each(DAMAGES)(
  "a shard's file that %s is named with what to do, and all else goes on",
  async (name, damage) => {
    const persist = await copyOf(name);
    const file = await ledgerOf(persist, String(HURT));
    await damage(file);
    const hurt = await run(persist);
    expect(hurt.program.output()).toContain(`${file} is damaged (`);
    const [status, failing] = await hurt.health();
    expect([status, failing["storage:files"]]).toEqual([
      503,
      expect.stringContaining(`${file} is damaged (`),
    ]);
    expect(failing["storage:files"]).toContain("Stop the monitor, move the file aside");

    simulator.play(String(WELL), "envelope_5000");
    await hurt.probeSoon();
    const shown = await showing(hurt, { [String(WELL)]: "down" });
    // Where its monitor is what was lost, nothing is known of it.
    expect(["up", "unknown"]).toContain(shown?.gateways.find(({ id }) => id === HURT)?.status);
    const before = (await hurt.probes(String(HURT))).filter((at) => at <= String(recorded.at(-1)));
    expect(recorded).toEqual(expect.arrayContaining(before));
    expect((await hurt.incidents()).map(({ gateway }) => gateway)).not.toContain(HURT);
    expect(await hurt.program.stop()).toBe(0);
    expect(hurt.program.output().split(`${file} is damaged`).length - 1).toBe(1);

    const aside = join(directory, "aside");
    await mkdir(aside, { recursive: true });
    await rename(file, join(aside, "moved.sqlite"));
    await Promise.all([`${file}-wal`, `${file}-shm`].map((path) => rm(path, { force: true })));
    const mended = await run(persist);
    await eventually(
      async () => (await mended.probes(String(HURT))).at(-1) ?? "",
      (at) => at > String(recorded.at(-1)),
    );
    await showing(mended, { [String(HURT)]: "up", [String(WELL)]: "down" });
    expect(await mended.health()).toEqual([200, {}]);
    expect((await mended.incidents()).map(({ gateway }) => gateway)).not.toContain(HURT);
  },
  180_000,
);

test("a shard's file that a newer version wrote is left alone, and the log says what to do", async () => {
  const persist = await copyOf("newer");
  const file = await ledgerOf(persist, String(HURT));
  const database = new DatabaseSync(file);
  database.exec("UPDATE document SET body = '99' WHERE name = 'version'");
  database.close();
  const rolledBack = await run(persist);
  simulator.play(String(WELL), "envelope_5000");
  await rolledBack.probeSoon();
  await showing(rolledBack, { [String(WELL)]: "down" });
  expect(rolledBack.program.output()).toMatch(
    /ledger: ledger-\d does nothing NewerData: the ledger holds data of version 99, .*: deploy the newer version again; nothing was changed/,
  );
  expect(await rolledBack.probes(String(HURT))).toEqual(recorded);
}, 120_000);

test("a damaged file of what was published is named; without it pages come back with the next tick", async () => {
  const persist = await copyOf("kv");
  const [file = ""] = await databases(persist, join("kv", "miniflare-KVNamespaceObject"));
  await writeFile(file, Buffer.alloc(100_000, "garbage "));
  const hurt = await run(persist);
  const [status, failing] = await hurt.health();
  expect([status, failing["storage:files"]]).toEqual([503, expect.stringContaining(`${file} is damaged (`)]);
  expect(await hurt.status()).toBeNull();
  expect(await hurt.program.stop()).toBe(0);
  await rm(file);
  const mended = await run(persist);
  await showing(mended, Object.fromEntries(GATEWAYS.map((id) => [id, "up"])));
  expect(await mended.probes(String(HURT))).toEqual(expect.arrayContaining([...recorded]));
}, 120_000);

test("a damaged file of the runtime's own notes is named where it cannot start", async () => {
  const persist = await copyOf("notes");
  const file = join(persist, "do", "-Ledger", "metadata.sqlite");
  await writeFile(file, Buffer.alloc(100_000, "garbage "));
  await expect(run(persist)).rejects.toThrow(`${file} is damaged (`);
  await rm(file);
  const mended = await run(persist);
  await showing(mended, Object.fromEntries(GATEWAYS.map((id) => [id, "up"])));
  expect(await mended.probes(String(HURT))).toEqual(expect.arrayContaining([...recorded]));
}, 120_000);
