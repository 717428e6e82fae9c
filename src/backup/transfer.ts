/** What `gatepulse backup` and `gatepulse restore` do with an installation, over the addresses that administrators have for that, and a file. */
import { counted, spokenLanguage, t } from "../config/spoken.ts";
import { randomUUID } from "node:crypto";
import { type StoredAnswer, storedAnswerSchema } from "../history/store.ts";
import {
  type Backup,
  BackupProblem,
  linesOf,
  writeBackup,
  type BackupLine,
  type BackupTarget,
} from "./backup-file.ts";
import * as z from "zod/mini";

export interface Moved {
  readonly ledgers: number;
  readonly rows: number;
  readonly values: number;
}

export function movedText({ ledgers, rows, values }: Moved): string {
  return t`${counted(ledgers, "Ledger")}, ${counted(rows, "row")}, ${counted(values, "value")} of KV`;
}

/** Ledgers first, then KV: what moves meanwhile is saved twice, and each Ledger says what of it counts. @throws BackupProblem */
export async function saveBackup(from: Installation, to: BackupTarget, now: Date): Promise<Moved> {
  const { version, layout, ledgers } = await from.stored();
  const unread = ledgers.find(({ problem }) => problem !== null);
  if (unread) throw new BackupProblem(t`${from.name} cannot be saved: ${unread.problem ?? ""}`);
  const shards = ledgers.map(({ shard }) => shard);
  const moved = { ledgers: shards.length, rows: 0, values: 0 };
  const header = { layout, version, at: now.toISOString(), from: from.name, shards };
  await writeBackup(to, header, everything(from, shards, moved));
  return moved;
}

type Counts = { -readonly [Name in keyof Moved]: Moved[Name] };

async function* everything(
  from: Installation,
  shards: readonly number[],
  counts: Counts,
): AsyncIterable<BackupLine> {
  for (const ledger of shards) {
    yield { ledger };
    for await (const row of linesOf(from.rowsOf(ledger))) {
      counts.rows += 1;
      yield { row };
    }
  }
  for await (const { key, metadata, bytes } of valuesOf(from, await keysOf(from))) {
    counts.values += 1;
    yield { key, metadata, base64: Buffer.from(bytes).toString("base64") };
  }
}

/** Snapshots first: they name no value that is younger. */
async function keysOf(from: Installation): Promise<readonly string[]> {
  const keys: string[] = [];
  let after: string | null = null;
  do {
    const page: StoredAnswer = await from.stored(after);
    keys.push(...page.keys);
    after = page.next;
  } while (after !== null);
  return [...keys.filter(isSnapshot), ...keys.filter((key) => !isSnapshot(key))];
}

function isSnapshot(key: string): boolean {
  return key.endsWith("/snapshot");
}

const AT_ONCE = 6;

/** In order, some of them at once. */
async function* valuesOf(from: Installation, keys: readonly string[]): AsyncIterable<StoredValue> {
  for (let next = 0; next < keys.length; next += AT_ONCE) {
    const values = await Promise.all(keys.slice(next, next + AT_ONCE).map((key) => from.value(key)));
    yield* values.filter((value) => value !== null);
  }
}

export interface RestoreOrder {
  readonly backup: Backup;
  /** Whether what is there may be deleted. */
  readonly replace: boolean;
  /** Hears what is worth a line. */
  readonly say: (line: string) => void;
}

/** All Ledgers are closed first and opened last: nothing is checked, published or sent meanwhile. @throws BackupProblem */
export async function restoreBackup(to: Installation, { backup, replace, say }: RestoreOrder) {
  const { header } = backup;
  const stored = await to.stored();
  if (header.layout > stored.layout) {
    throw new BackupProblem(
      t`the backup was made by Gatepulse ${header.version}, and ${to.name} is ${stored.version}, which cannot read its data: upgrade it first`,
    );
  }
  judgeTarget(to, stored, await keysOf(to), { replace, say });
  const shards = [...new Set([...header.shards, ...stored.ledgers.map(({ shard }) => shard)])];
  try {
    return await load(to, backup, shards);
  } catch (error) {
    if (!(error instanceof BackupProblem)) throw error;
    throw new BackupProblem(t`${error.message}. Run the restore again: until it ends, nothing is checked`);
  }
}

/** @throws BackupProblem */
async function load(to: Installation, backup: Backup, shards: readonly number[]): Promise<Moved> {
  const { header } = backup;
  const restore = randomUUID();
  for (const shard of shards) await to.restore(shard, "begin", { restore });
  const values = await sendValues(to, backup, await keysOf(to));
  const rows = await sendRows(to, backup, restore);
  for (const shard of shards) await to.restore(shard, "end", { restore, layout: String(header.layout) });
  const unread = (await to.stored()).ledgers.find(({ problem }) => problem !== null);
  if (unread) throw new BackupProblem(t`${to.name} cannot open what was restored: ${unread.problem ?? ""}`);
  return { ledgers: header.shards.length, rows, values };
}

/** A snapshot alone is what an installation without records publishes. @throws BackupProblem */
function judgeTarget(
  to: Installation,
  { ledgers }: StoredAnswer,
  keys: readonly string[],
  { replace, say }: Pick<RestoreOrder, "replace" | "say">,
): void {
  const there = ledgers.filter(({ isRestoring }) => !isRestoring);
  const isHalfway = there.length < ledgers.length;
  if (isHalfway) say(t`An earlier restore of ${to.name} did not end. This one begins again.`);
  const rows = there.flatMap((ledger) => Object.values(ledger.rows)).reduce((sum, count) => sum + count, 0);
  // Those of a restore that did not end are its own.
  const values = isHalfway ? 0 : keys.filter((key) => !isSnapshot(key)).length;
  if (rows + values === 0 && there.every(({ problem }) => problem === null)) return;
  const what = movedText({ ledgers: there.length, rows, values });
  if (!replace) {
    throw new BackupProblem(
      t`${to.name} is not empty: ${what}. To delete all of that and restore the backup, add --replace`,
    );
  }
  say(t`Replacing what ${to.name} has: ${what}.`);
}

/** Writes nothing that is there (the free plan: 1,000 writes a day), and deletes what the backup lacks, or Ledgers begin with it. */
async function sendValues(to: Installation, backup: Backup, keys: readonly string[]): Promise<number> {
  const there = new Set(keys);
  const saved = new Set<string>();
  const put = async (value: StoredValue): Promise<void> => {
    const { key, bytes } = value;
    const known = there.has(key) && !isSnapshot(key) ? await to.value(key) : null;
    if (known === null || !Buffer.from(known.bytes).equals(bytes)) await to.putValue(value);
  };
  let waiting: StoredValue[] = [];
  for await (const line of backup.lines()) {
    if (!("key" in line)) continue;
    saved.add(line.key);
    const bytes = new Uint8Array(Buffer.from(line.base64, "base64"));
    waiting.push({ key: line.key, metadata: line.metadata, bytes });
    if (waiting.length < AT_ONCE) continue;
    await Promise.all(waiting.map(put));
    waiting = [];
  }
  await Promise.all(waiting.map(put));
  for (const key of keys) if (!saved.has(key)) await to.deleteValue(key);
  return saved.size;
}

/** In bytes, about; a single row may be larger. */
const PIECE = 512 * 1024;

async function sendRows(to: Installation, backup: Backup, restore: string): Promise<number> {
  let shard: number | null = null;
  let count = 0;
  let rows: string[] = [];
  let length = 0;
  const send = async (): Promise<void> => {
    if (shard !== null && rows.length > 0) {
      await to.restore(shard, "rows", { restore }, new TextEncoder().encode(rows.join("\n")));
    }
    [rows, length] = [[], 0];
  };
  for await (const line of backup.lines()) {
    if ("row" in line) {
      if (length + line.row.length > PIECE) await send();
      rows.push(line.row);
      length += line.row.length;
      count += 1;
    } else {
      await send();
      if ("ledger" in line) shard = line.ledger;
    }
  }
  await send();
  return count;
}

export interface Place {
  /** For people. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly address: string;
  readonly token: string;
}

export interface StoredValue {
  readonly key: string;
  readonly metadata: unknown;
  readonly bytes: Uint8Array;
}

const METADATA = "gatepulse-metadata";

/** Each is safe to repeat, so a connection that breaks is tried again. */
const TRIES = 3;

export class Installation {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  get name(): string {
    return this.#place.name;
  }

  /** `after`: the `next` of the page before. */
  async stored(after: string | null = null): Promise<StoredAnswer> {
    const answer = await this.#ask("GET", after === null ? "" : `?after=${encodeURIComponent(after)}`);
    if (answer?.status !== 200) {
      throw new BackupProblem(
        t`${this.name} offers no backups: it has no ADMIN_TOKEN of at least 16 characters, or is older than 0.3.0`,
      );
    }
    return storedAnswerSchema.parse(await answer.json());
  }

  async *rowsOf(shard: number): AsyncIterable<Uint8Array> {
    const answer = await this.#ask("GET", `/ledgers/${shard}`);
    try {
      for await (const chunk of answer?.body ?? []) yield chunk as Uint8Array;
    } catch {
      throw this.#silent();
    }
  }

  /** Null: there is none any more. */
  async value(key: string): Promise<StoredValue | null> {
    const answer = await this.#ask("GET", `/value?key=${key}`);
    if (answer === null) return null;
    const metadata: unknown = JSON.parse(answer.headers.get(METADATA) ?? "null");
    return { key, metadata, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  async putValue({ key, metadata, bytes }: StoredValue): Promise<void> {
    await this.#ask("POST", `/value?key=${key}`, bytes, { [METADATA]: JSON.stringify(metadata) });
  }

  async deleteValue(key: string): Promise<void> {
    await this.#ask("DELETE", `/value?key=${key}`);
  }

  async restore(
    shard: number,
    step: "begin" | "rows" | "end",
    query: Readonly<Record<string, string>>,
    body: Uint8Array | null = null,
  ): Promise<void> {
    await this.#ask("POST", `/ledgers/${shard}?${new URLSearchParams({ step, ...query }).toString()}`, body);
  }

  /** Null: there is nothing. */
  async #ask(
    method: "GET" | "POST" | "DELETE",
    below: string,
    body: Uint8Array | null = null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response | null> {
    const { address, token } = this.#place;
    const language = { "accept-language": spokenLanguage() };
    const headers = { authorization: `Bearer ${token}`, accept: "*/*", ...language, ...more };
    const answer = await this.#send(`${address}/api/v1/admin/backup${below}`, {
      method,
      headers,
      redirect: "manual",
      body: body as Uint8Array<ArrayBuffer> | null,
    });
    if (answer.status === 200) return answer;
    const problem = problemSchema.safeParse(await answer.json().catch(() => null));
    if (answer.status === 404 && method === "GET") return null;
    if (answer.status === 401) throw new BackupProblem(t`${this.name} does not accept this ADMIN_TOKEN`);
    const why = problem.success ? `: ${problem.data.detail}` : "";
    throw new BackupProblem(t`${this.name} answered HTTP ${answer.status}${why}`);
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    for (let left = TRIES; left > 0; left -= 1) {
      const answer = await fetch(url, init).catch(() => null);
      if (answer !== null) return answer;
    }
    throw this.#silent();
  }

  #silent(): BackupProblem {
    return new BackupProblem(t`${this.name} does not answer`);
  }
}

const problemSchema = z.object({ detail: z.string() });
