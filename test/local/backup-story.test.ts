/** What each released version left, restored into a new installation: it goes on like it, and owed alerts are sent once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openBackup } from "../../src/backup/backup-file.ts";
import { Installation, restoreBackup, saveBackup } from "../../src/backup/transfer.ts";
import { NOW_MS } from "../stored/answers.ts";
import { LAST, leftBy, VERSIONS } from "../stored/left.ts";
import { startStory, type Story } from "../stored/runtime.ts";
import type { Stored, StoryAnswer } from "../stored/stored.ts";
import { DAY_MS, DAYS, SECRETS, START_MS, STEP_MS } from "../stored/story.ts";
import { isFull } from "../extent.ts";
import { findLeaks } from "./support/leaks.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import "./support/files-in-memory.ts";

const HOUR_MS = DAY_MS / 24;
/** How what is packed begins (RFC 1952, 2.3.1): a hash may share the first byte. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const END_MS = START_MS + DAYS * DAY_MS;
const directory = await directoryOfFile();

const installation = ({ address }: Story) =>
  new Installation({ name: address, address, token: SECRETS.ADMIN_TOKEN });

const ADMINISTERED = ["alerts", "maintenance", "quarantine", "gateways/gamma"];

async function everyAnswer(story: Story, paths: readonly string[]) {
  const administered: StoryAnswer[] = [];
  const open = await story.answers(NOW_MS, paths);
  for (const path of ADMINISTERED) {
    administered.push(await story.ask({ do: "administer", atMs: NOW_MS, method: "GET", path }));
  }
  return { open, administered };
}

const tell = (story: Story) => story.play({ fromMs: END_MS, untilMs: END_MS + DAY_MS / 4, stepMs: STEP_MS });

/** 0.2.0 has a table that nothing uses any more. */
const filled = ({ tables }: Stored) => tables.filter(({ rows }) => rows.length > 0);

/** Rows as large as they may be: each needs a request of its own, and small ones share one. No segment is read from them. */
const LARGE = `INSERT INTO segment_part
  SELECT 'hour/none', value, randomblob(iif(value < 4, 1000000, 1000)) FROM json_each('[1,2,3,4,5,6]')`;

describe.runIf(isFull).each(VERSIONS)("what %s left", (version) => {
  const { stored, told, answers } = leftBy(version);
  const path = join(directory, version);

  test("is the same after a backup and a restore", async ({ onTestFinished }) => {
    const [old, fresh] = [await startStory(LAST), await startStory(LAST)];
    onTestFinished(async () => void (await Promise.all([old.stop(), fresh.stop()])));
    await old.ask({ do: "putBack", stored });
    await old.ask({ do: "sql", statement: LARGE });
    const moved = await saveBackup(installation(old), { path, name: path, force: false }, new Date(NOW_MS));
    const before = await old.dump();
    expect(moved).toEqual({
      ledgers: 1,
      // All but the version.
      rows: before.tables.reduce((sum, { rows }) => sum + rows.length, -1),
      values: before.kv.length,
    });

    await fresh.answers(NOW_MS, []);
    const backup = await openBackup(path, path);
    const order = { backup, replace: false, say: (line: string) => expect(line).toBe("") };
    expect(await restoreBackup(installation(fresh), order)).toEqual(moved);
    const after = await fresh.dump();
    expect(after.kv).toEqual(before.kv);
    expect(filled(after)).toEqual(filled(before));

    const feeds = ["/", "/api/v2/summary.json", "/api/v2/incidents.json", "/badge/alpha.svg"];
    const paths = [...Object.keys(answers), ...feeds];
    expect(await everyAnswer(fresh, paths)).toEqual(await everyAnswer(old, paths));

    // Both go on from the same point, without each other.
    const [here, there] = [await tell(old), await tell(fresh)];
    expect(there.failures).toEqual([]);
    expect(there.told).toEqual(here.told);
    const all = [...told, ...there.told];
    expect(there.told.length).toBeGreaterThan(0);
    expect(all.length).toBe(new Set(all).size);
    const went = await fresh.dump();
    expect(went.kv.map(({ key }) => key)).toEqual((await old.dump()).kv.map(({ key }) => key));
    expect(went.kv.length).toBeGreaterThan(before.kv.length);

    // What is not empty is left alone, or replaced as a whole.
    const refused = restoreBackup(installation(fresh), order);
    await expect(refused).rejects.toThrow(/is not empty: 1 Ledger, \d+ rows?, .*add --replace$/u);
    const lines: string[] = [];
    await restoreBackup(installation(fresh), { backup, replace: true, say: (line) => lines.push(line) });
    expect(lines).toEqual([expect.stringMatching(/^Replacing what .* has: 1 Ledger, \d+ rows?, /u)]);
    const replaced = await fresh.dump();
    expect([filled(replaced), replaced.kv]).toEqual([filled(before), before.kv]);
  });

  test("has no secret in its backup", () => {
    const file = readFileSync(path);
    const bytes = gunzipSync(file.subarray(file.indexOf(0x0a) + 1, -73));
    const rows = bytes.toString().split("\n");
    const inside = rows.flatMap((row, n) =>
      [...row.matchAll(/"base64":"([^"]+)"/gu)].map(([, text = ""]) => {
        const blob = Buffer.from(text, "base64");
        return { name: `bytes of line ${n}`, bytes: blob.indexOf(GZIP) === 0 ? gunzipSync(blob) : blob };
      }),
    );
    expect(inside.length).toBeGreaterThan(100);
    expect(findLeaks([{ name: "lines", bytes }, ...inside], Object.values(SECRETS))).toEqual([]);
  });
});

test("a Ledger that lost its file and has its history in KV is not empty", async ({ onTestFinished }) => {
  const { stored } = leftBy(VERSIONS.at(-1) ?? "");
  const [old, lost] = [await startStory(LAST), await startStory(LAST)];
  onTestFinished(async () => void (await Promise.all([old.stop(), lost.stop()])));
  const path = join(directory, "empty");
  await saveBackup(installation(old), { path, name: path, force: false }, new Date(NOW_MS));
  await lost.ask({ do: "putBack", stored: { ...stored, tables: [] } });
  const order = { backup: await openBackup(path, path), replace: false, say: () => undefined };
  const refused = restoreBackup(installation(lost), order);
  await expect(refused).rejects.toThrow(
    /is not empty: 1 Ledger, 0 rows, \d+ values of KV\. .*add --replace$/u,
  );
  expect((await lost.dump()).kv).toEqual(stored.kv);
});

test.runIf(isFull)(
  "what moves into KV between the Ledger's backup and that of KV is neither lost nor twice",
  async ({ onTestFinished }) => {
    const version = VERSIONS.at(-1) ?? "";
    const [old, fresh] = [await startStory(LAST), await startStory(LAST)];
    onTestFinished(async () => void (await Promise.all([old.stop(), fresh.stop()])));
    const go = (story: Story) =>
      story.play({ fromMs: END_MS, untilMs: END_MS + 2 * HOUR_MS, stepMs: STEP_MS });
    await old.ask({ do: "putBack", stored: leftBy(version).stored });
    await old.answers(NOW_MS, []);
    const rows: Uint8Array[] = [];
    for await (const piece of installation(old).rowsOf(0)) rows.push(piece);

    // An hour and the day are closed.
    const known = new Set((await old.dump()).kv.map(({ key }) => key));
    await go(old);
    const moved = (await old.dump()).kv.map(({ key }) => key).filter((key) => !known.has(key));
    expect(moved).toEqual(expect.arrayContaining(["v1/0/day/2026-11-04", "v1/0/hour/2026-11-04T23"]));
    class Slow extends Installation {
      override async *rowsOf(): AsyncIterable<Uint8Array> {
        yield* rows;
      }
    }
    const path = join(directory, "slow");
    const from = new Slow({ name: old.address, address: old.address, token: SECRETS.ADMIN_TOKEN });
    await saveBackup(from, { path, name: path, force: false }, new Date(NOW_MS));

    await fresh.answers(NOW_MS, []);
    const order = { backup: await openBackup(path, path), replace: false, say: () => undefined };
    await restoreBackup(installation(fresh), order);
    await go(fresh);
    const monitor = "/api/v1/gateways/beta/monitors/models/history";
    const from_ = new Date(END_MS - DAY_MS).toISOString();
    const paths = ["probe", "1h", "1d"].map((step) => `${monitor}?step=${step}&from=${from_}`);
    const atMs = END_MS + 2 * HOUR_MS;
    const answers = await old.answers(atMs, paths);
    // 26 hours, a check each 15 minutes.
    expect(answers[paths[0] ?? ""]?.text.match(/"at":/gu)).toHaveLength(104);
    expect(await fresh.answers(atMs, paths)).toEqual(answers);
  },
);
