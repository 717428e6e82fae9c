/** A backup's file: it is read back as it was written, and refused as a whole if one byte is another. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { type BackupLine, openBackup, writeBackup } from "../../src/backup/backup-file.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const HEADER = {
  layout: 2,
  version: "1.2.3",
  at: "2026-11-20T09:00:00.000Z",
  from: "https://status.example",
  shards: [0],
};
const LINES: readonly BackupLine[] = [
  { ledger: 0 },
  { row: '["batch",{"id":1,"body":{"base64":"AAEC"}}]' },
  { row: '["document",{"name":"members","part":0,"body":"\\n安娜"}]' },
  { key: "v1/0/snapshot", metadata: { v: 1 }, base64: "AAEC" },
  // Larger than what streams pass on at once.
  { key: "v1/0/hour/2026-11-20T08", metadata: null, base64: "A".repeat(300_000) },
];

async function* each<Of>(all: readonly Of[]): AsyncIterable<Of> {
  yield* all;
}

async function written(lines: readonly BackupLine[] = LINES) {
  const directory = await temporaryDirectory();
  const path = join(directory, "saved");
  await writeBackup({ path, name: "saved", force: false }, HEADER, each(lines));
  return { directory, path, bytes: await readFile(path) };
}

test("what was written is read, as often as wanted, and nobody else may read the file", async () => {
  const { directory, path } = await written();
  const backup = await openBackup(path, "saved");
  expect(backup.header).toEqual(HEADER);
  for (const _ of [1, 2]) {
    const read: BackupLine[] = [];
    for await (const line of backup.lines()) read.push(line);
    expect(read.length).toBe(LINES.length);
    expect(isDeepStrictEqual(read, LINES)).toBe(true);
  }
  expect(await readdir(directory)).toEqual(["saved"]);
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
});

test("a byte that is another is noticed, wherever it is", async () => {
  const { path, bytes } = await written(LINES.slice(0, 4));
  for (let at = 0; at < bytes.length; at += 1) {
    for (const flip of [1, 0x80]) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ flip;
      await writeFile(path, altered);
      await expect(openBackup(path, "saved"), `byte ${at}`).rejects.toThrow(
        /^saved (?:was altered or cut off: .*|is no backup of Gatepulse|has a format that .*)$/u,
      );
    }
  }
});

test("a file that is cut off or goes on is noticed, wherever it ends", async () => {
  const { path, bytes } = await written(LINES.slice(0, 4));
  for (let length = 0; length < bytes.length; length += 1) {
    await writeFile(path, bytes.subarray(0, length));
    await expect(openBackup(path, "saved"), `${length} bytes`).rejects.toThrow(
      /^saved (?:was altered|is no backup)/u,
    );
  }
  await writeFile(path, Buffer.concat([bytes, Buffer.from("\n")]));
  await expect(openBackup(path, "saved")).rejects.toThrow(/^saved was altered/u);
});

test.each([
  [
    "gatepulse-backup 2\n",
    "has a format that this version does not know: restore it with the version that made it",
  ],
  ["", "is no backup of Gatepulse"],
  ["SQLite format 3\0", "is no backup of Gatepulse"],
])("a file that begins with %j %s", async (first, problem) => {
  const { path, bytes } = await written();
  const body = Buffer.concat([Buffer.from(first), bytes.subarray(19, -73)]);
  const digest = createHash("sha256").update(body).digest("hex");
  await writeFile(path, Buffer.concat([body, Buffer.from(`\nsha256 ${digest}\n`)]));
  await expect(openBackup(path, "saved")).rejects.toThrow(`saved ${problem}`);
});

test("what breaks off leaves no file, and a file that is there stays unless it may be overwritten", async () => {
  const { directory, path, bytes } = await written();
  async function* broken(): AsyncIterable<BackupLine> {
    yield { ledger: 0 };
    throw new Error("the connection is gone");
  }
  const target = { path, name: "saved", force: true };
  await expect(writeBackup(target, HEADER, broken())).rejects.toThrow("the connection is gone");
  const again = writeBackup({ ...target, force: false }, HEADER, each(LINES));
  await expect(again).rejects.toThrow("saved exists already: choose another name, or add --force");
  expect(await readFile(path)).toEqual(bytes);
  expect(await readdir(directory)).toEqual(["saved"]);
  await writeBackup(target, { ...HEADER, version: "1.2.4" }, each(LINES));
  expect((await openBackup(path, "saved")).header.version).toBe("1.2.4");
});
