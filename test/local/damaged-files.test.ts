/** `npm start` over a damaged database file: all else goes on, and once the file is moved aside all goes on. Real processes. */
import { cp, open, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test, type TestContext } from "vitest";
import { spread } from "../extent.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { eventually } from "./program.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import { healthIn, showing, startWatching, type Watching } from "./support/watched-directory.ts";

/** One of either shard: of two new ones each has one. */
const [HURT, WELL] = ["g0", "g1"] as const;
const GATEWAYS = [HURT, WELL];

const simulator = await simulatorOfFile();
const directory = await directoryOfFile();
/** What a run left behind that ended well; all is in the files, none in their logs. */
const sound = join(directory, "sound");
let recorded: readonly string[];

beforeAll(async () => {
  const first = await run(sound);
  await showing(first, Object.fromEntries(GATEWAYS.map((id) => [id, "up"])));
  recorded = await first.probes(HURT);
  expect(recorded.length).toBeGreaterThan(0);
  expect(await first.program.stop()).toBe(0);
  for (const name of await readdir(sound, { recursive: true })) {
    if (!/^(?:do|kv)\/.*\.sqlite$/.test(name)) continue;
    const database = new DatabaseSync(join(sound, name));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }
  // Another question finds it so, on any copy.
  simulator.play(WELL, "envelope_5000");
});

/** Beside the directory is its configuration. */
function run(persist: string): Promise<Watching> {
  const house = join(persist, "..");
  return startWatching({ simulator, gateways: GATEWAYS, shards: 2, directory: house, persist });
}

/** Nothing of it runs when the test is over. */
async function runIn({ onTestFinished }: TestContext, persist: string): Promise<Watching> {
  const watching = await run(persist);
  onTestFinished(async () => void (await watching.program.stop()));
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
  const persist = join(directory, name.replaceAll(" ", "-"), "data");
  await cp(sound, persist, { recursive: true });
  return persist;
}

/** What the log says of it. */
const DAMAGED = /SQLITE_(?:CORRUPT|NOTADB)/;

const DAMAGES: readonly (readonly [name: string, damage: (file: string) => Promise<void>])[] = [
  ["is written over in its middle", overwriteMiddle],
  ["is nothing but garbage", overwrite],
  ["is cut off", (file) => truncate(file, 20_000)],
];

function overwrite(path: string): Promise<void> {
  return writeFile(path, Buffer.alloc(100_000, "garbage "));
}

async function overwriteMiddle(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(40_000, "garbage "), 0, 40_000, 8192);
  await file.close();
}

test.concurrent.for(spread(DAMAGES, 1))(
  "where a shard's file %s, all else goes on, and without it the shard too",
  async ([name, damage], context) => {
    const persist = await copyOf(name);
    const file = await ledgerOf(persist, HURT);
    await damage(file);
    const hurt = await runIn(context, persist);
    await hurt.probeSoon();
    const shown = await showing(hurt, { [WELL]: "down" });
    // Where its monitor is what was lost, nothing is known of it.
    expect(["up", "unknown"]).toContain(healthIn(shown, HURT));
    const before = (await hurt.probes(HURT)).filter((at) => at <= String(recorded.at(-1)));
    expect(recorded).toEqual(expect.arrayContaining(before));
    expect((await hurt.incidents()).map(({ gateway }) => gateway)).not.toContain(HURT);
    expect(await hurt.program.stop()).toBe(0);
    expect(hurt.program.output()).toMatch(DAMAGED);

    await rename(file, join(persist, "..", "moved.sqlite"));
    await Promise.all([`${file}-wal`, `${file}-shm`].map((path) => rm(path, { force: true })));
    const fixed = await runIn(context, persist);
    await eventually(async () => ((await fixed.probes(HURT)).at(-1) ?? "") > String(recorded.at(-1)));
    await showing(fixed, { [HURT]: "up", [WELL]: "down" });
    expect(await fixed.health()).toBe(200);
    expect((await fixed.incidents()).map(({ gateway }) => gateway)).not.toContain(HURT);
  },
);
