/**
 * Everything that a Ledger stores as lines of JSON, and back. While a restore runs, its id stands in place of the layout's
 * version, so that no code opens the data before they are whole.
 */
import type { LedgerStored, RestoreStep } from "../../history/store.ts";
import { Quarantine } from "./quarantine.ts";
import { RESTORING, Tables, type UnreadableStore, VERSION } from "./tables.ts";
import { OutboxTables } from "../deliver/outbox-tables.ts";

type Cell = string | number | null | { readonly base64: string };

/** The name of a table, and its cells by column. */
type Line = readonly [table: string, row: Readonly<Record<string, Cell>>];

/** In bytes, about. */
const PIECE = 256 * 1024;

/** All rows but that of the version, as lines. Reads them at once, so that they agree. */
export function backUp(sql: SqlStorage): ReadableStream<Uint8Array> {
  const pieces: Blob[] = [];
  let text = "";
  for (const table of tablesOf(sql)) {
    for (const row of sql.exec(`SELECT * FROM ${table}`)) {
      if (table === DOCUMENT && row["name"] === VERSION) continue;
      const cells = Object.entries(row).map(([name, value]) => [name, cellOf(value)] as const);
      text += `${JSON.stringify([table, Object.fromEntries(cells)] satisfies Line)}\n`;
      if (text.length < PIECE) continue;
      pieces.push(new Blob([text]));
      text = "";
    }
  }
  return new Blob([...pieces, text]).stream();
}

/** @param unread why the data cannot be opened; null: they can. */
export function storedIn(sql: SqlStorage, unread: UnreadableStore | null): LedgerStored {
  const counts = tablesOf(sql)
    // A new Ledger has rows there too.
    .filter((table) => table !== DOCUMENT && table !== "channels")
    .map((table) => {
      const [row] = sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).toArray();
      return [table, row?.n ?? 0] as const;
    });
  return {
    problem: unread?.message ?? null,
    isRestoring: unread?.isRestoring ?? false,
    rows: Object.fromEntries(counts.filter(([, count]) => count > 0)),
  };
}

/**
 * The first step ends the object: what it has in memory, or waits for, must not be written over what comes.
 * @returns why it was not done; null: it was.
 */
export async function takeStep(
  { storage, abort }: Pick<DurableObjectState, "storage"> & { readonly abort: () => void },
  step: RestoreStep,
  isOpen: boolean,
): Promise<string | null> {
  const { sql } = storage;
  if (step.step === "begin") {
    putVersion(sql, RESTORING + step.id);
    await storage.deleteAlarm();
    await storage.sync();
    abort();
    return null;
  }
  if (isOpen || versionOf(sql) !== RESTORING + step.id) {
    return "another restore has begun or ended since: begin again";
  }
  try {
    storage.transactionSync(() => change(sql, step));
    return null;
  } catch (error) {
    return `nothing of it was stored: ${error instanceof Error ? error.message : "unknown error"}`;
  }
}

function change(sql: SqlStorage, step: Exclude<RestoreStep, { step: "begin" }>): void {
  switch (step.step) {
    case "clear":
      // They may be of a newer layout.
      for (const table of tablesOf(sql)) sql.exec(`DROP TABLE ${table}`);
      for (const Part of [Tables, OutboxTables, Quarantine]) void new Part(sql);
      return putVersion(sql, RESTORING + step.id);
    case "rows":
      return addRows(sql, step.lines);
    case "end":
      return putVersion(sql, String(step.layout));
  }
}

/** @throws if a line is none of a backup. */
function addRows(sql: SqlStorage, lines: Uint8Array): void {
  const tables = new Set(tablesOf(sql));
  for (const text of new TextDecoder().decode(lines).split("\n")) {
    if (text === "") continue;
    const [table, row] = JSON.parse(text) as Line;
    // An older version may have left a table that nothing reads.
    if (!tables.has(table)) continue;
    const names = Object.keys(row);
    if (!names.every((name) => /^\w+$/.test(name))) throw new Error("a row has a wrong column");
    sql.exec(
      `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      ...Object.values(row).map(valueOf),
    );
  }
}

const DOCUMENT = "document";

/** The platform's own begin with `_`. */
function tablesOf(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_' ORDER BY name",
    )
    .toArray()
    .map(({ name }) => name);
}

function versionOf(sql: SqlStorage): string | undefined {
  return sql.exec<{ body: string }>(`SELECT body FROM ${DOCUMENT} WHERE name = ?`, VERSION).toArray()[0]
    ?.body;
}

function putVersion(sql: SqlStorage, body: string): void {
  sql.exec(`INSERT OR REPLACE INTO ${DOCUMENT} VALUES (?, 0, ?)`, VERSION, body);
}

function cellOf(value: SqlStorageValue): Cell {
  return value instanceof ArrayBuffer ? { base64: new Uint8Array(value).toBase64() } : value;
}

function valueOf(cell: Cell): SqlStorageValue {
  return typeof cell === "object" && cell !== null ? Uint8Array.fromBase64(cell.base64).buffer : cell;
}
