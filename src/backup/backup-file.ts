/**
 * The file of a backup: a line that says what it is, gzipped lines of JSON, and the SHA-256 of all that. Neither writing nor reading
 * holds it in memory.
 *
 *     gatepulse-backup 1
 *     <gzip of: the header; for each Ledger a line with its number, and its rows; values of KV>
 *     sha256 <64 hexadecimal digits>
 */
import { t } from "../config/spoken.ts";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, type Stats } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { join, parse } from "node:path";
import { pipeline as pipe } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";

/** What keeps a backup or a restore from its end, in words for people. */
export class BackupProblem extends Error {
  override readonly name = "BackupProblem";
}

const MAGIC = "gatepulse-backup ";
const FORMAT = 1;
const FIRST_LINE = `${MAGIC}${FORMAT}\n`;
const LAST_LINE = /^\nsha256 ([\da-f]{64})\n$/;
const LAST_LINE_BYTES = 73;

const headerSchema = z.object({
  /** The version of the layout of the Ledgers' data. */
  layout: z.int(),
  /** Of the program that made the backup. */
  version: z.string(),
  at: z.string(),
  /** The address or the directory. */
  from: z.string(),
  shards: z.array(z.int()),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const lineSchema = z.union([
  /** Rows of this Ledger follow. */
  z.object({ ledger: z.int() }),
  z.object({ key: z.string(), metadata: z.unknown(), base64: z.string() }),
]);

/** `row`: the JSON of one row, as the Ledger gave it. */
export type BackupLine = z.infer<typeof lineSchema> | { readonly row: string };

export interface Backup {
  readonly header: BackupHeader;
  /** Reads the file again each time. */
  readonly lines: () => AsyncIterable<BackupLine>;
}

/** Writes beside the file (`.part`) and renames: a file is always whole. @param force overwrites one. @throws BackupProblem */
export async function writeBackup(
  { path, name, force }: BackupTarget,
  header: BackupHeader,
  lines: AsyncIterable<BackupLine>,
): Promise<void> {
  if (!force && existsSync(path)) {
    throw new BackupProblem(t`${name} exists already: choose another name, or add --force`);
  }
  const { dir, name: stem, ext } = parse(path);
  // Whatever keeps backups out of a repository keeps this out too.
  const part = join(dir, `${stem}.part${ext}`);
  await rm(part, { force: true });
  try {
    const target = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(textOf(header, lines), createGzip(), framed, target);
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

export interface BackupTarget {
  readonly path: string;
  /** For people. */
  readonly name: string;
  readonly force: boolean;
}

async function* textOf(header: BackupHeader, lines: AsyncIterable<BackupLine>): AsyncIterable<string> {
  yield `${JSON.stringify(header)}\n`;
  for await (const line of lines) yield `${"row" in line ? line.row : JSON.stringify(line)}\n`;
}

async function* framed(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer | string> {
  const hash = createHash("sha256").update(FIRST_LINE);
  yield FIRST_LINE;
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  yield `\nsha256 ${hash.digest("hex")}\n`;
}

/** Reads all of it once. @throws BackupProblem unless every byte is as it was written. */
export async function openBackup(path: string, name: string): Promise<Backup> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw new BackupProblem(t`${name} is not a readable file`);
  await judgeFirstLine(path, name);
  const end = await verifiedEnd(path, found, name);
  const texts = () =>
    linesOf(pipe(createReadStream(path, { start: FIRST_LINE.length, end }), createGunzip(), () => undefined));
  const first = texts();
  const header = headerSchema.parse(JSON.parse(String((await first.next()).value)));
  await first.return(undefined);
  return { header, lines: () => parsed(texts()) };
}

/** Of bytes that need not be text. */
async function textIn(path: string, start: number, end?: number): Promise<string> {
  let text = "";
  const bytes = createReadStream(path, { start, ...(end !== undefined && { end }), encoding: "latin1" });
  for await (const chunk of bytes) text += chunk as string;
  return text;
}

async function judgeFirstLine(path: string, name: string): Promise<void> {
  const line = await textIn(path, 0, FIRST_LINE.length - 1);
  if (line === FIRST_LINE) return;
  const isNewer = line.startsWith(MAGIC) && Number.parseInt(line.slice(MAGIC.length), 10) > FORMAT;
  throw new BackupProblem(
    isNewer
      ? t`${name} has a format that this version does not know: restore it with the version that made it`
      : t`${name} is no backup of Gatepulse`,
  );
}

/** @returns the place of the last byte before the checksum. */
async function verifiedEnd(path: string, { size }: Stats, name: string): Promise<number> {
  const end = size - LAST_LINE_BYTES - 1;
  const altered = new BackupProblem(
    t`${name} was altered or cut off: its checksum is not that of its contents`,
  );
  if (end < FIRST_LINE.length) throw altered;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { end })) hash.update(chunk as Buffer);
  if (LAST_LINE.exec(await textIn(path, end + 1))?.[1] !== hash.digest("hex")) throw altered;
  return end;
}

async function* parsed(texts: AsyncGenerator<string>): AsyncIterable<BackupLine> {
  await texts.next();
  for await (const text of texts) {
    yield text.startsWith("[") ? { row: text } : lineSchema.parse(JSON.parse(text));
  }
}

const LINE_END = 0x0a;

/** @throws BackupProblem if the last line has no end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let begun: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_END); to !== -1; to = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]).toString();
      begun = [];
      from = to + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) throw new BackupProblem(t`the data break off in the middle`);
}
