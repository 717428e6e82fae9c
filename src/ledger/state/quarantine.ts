/** Stored records that cannot be read. They are moved here from their places, for a person to look at. The newest hundred are kept. */
import { instant } from "../../domain/calendar.ts";
import { warnOfLedger } from "../rpc.ts";

const MOST_QUARANTINED = 100;
/** How many bytes of a record are kept: a row may have 2 MB. */
const LONGEST_KEPT = 50_000;
const START_BYTES = 300;

const SCHEMA = `CREATE TABLE IF NOT EXISTS quarantine (
  id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, place TEXT NOT NULL, why TEXT NOT NULL, bytes INTEGER NOT NULL,
  body BLOB NOT NULL)`;

export class Quarantine {
  readonly #sql: SqlStorage;
  readonly #now: () => number;

  constructor(sql: SqlStorage, now: () => number = Date.now) {
    this.#sql = sql;
    this.#now = now;
    sql.exec(SCHEMA);
  }

  /** Reads a stored record. If that throws, the record moves here, `drop` removes it from its place, and the answer is null. */
  read<Body extends string | Uint8Array<ArrayBuffer>, Value>(
    { place, body }: { readonly place: string; readonly body: Body },
    parse: (body: Body) => Value,
    drop: () => void,
  ): Value | null {
    try {
      return parse(body);
    } catch {
      this.#keep(place, new Uint8Array(typeof body === "string" ? new TextEncoder().encode(body) : body));
      drop();
      warnOfLedger(`${place} could not be read: it is in quarantine, all else goes on`);
      return null;
    }
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM quarantine").toArray()[0]?.n ?? 0;
  }

  #keep(place: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#sql.exec(
      "INSERT INTO quarantine (at_ms, place, why, bytes, body) VALUES (?, ?, ?, ?, ?)",
      this.#now(),
      place,
      "the record cannot be read",
      bytes.length,
      bytes.slice(0, LONGEST_KEPT).buffer,
    );
    this.#sql.exec(
      "DELETE FROM quarantine WHERE id NOT IN (SELECT id FROM quarantine ORDER BY id DESC LIMIT ?)",
      MOST_QUARANTINED,
    );
  }

  /** As in the API, the newest first. `place`: its table and row, or its document. */
  list() {
    return this.#sql
      .exec<{ id: number; atMs: number; place: string; why: string; bytes: number; start: ArrayBuffer }>(
        `SELECT id, at_ms AS atMs, place, why, bytes, substr(body, 1, ${START_BYTES}) AS start FROM quarantine
         ORDER BY id DESC`,
      )
      .toArray()
      .map(({ atMs, start, ...record }) =>
        Object.assign(record, { at: instant(atMs), start: legible(start) }),
      );
  }

  clear(): number {
    const count = this.count();
    if (count > 0) this.#sql.exec("DELETE FROM quarantine");
    return count;
  }
}

function legible(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes).replaceAll(/[^\P{C}\n]/gu, "\u{FFFD}");
}
