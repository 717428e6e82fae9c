/**
 * What was stored and can no longer be read: taken out of its table and kept here for a person to look at, the newest
 * hundred. Belongs into the caller's transaction.
 */

import type { OutboxSql } from "../deliver/outbox-tables.ts";

/** Something that could not be read. */
export interface Damage {
  /** Table and row, or document and member. */
  readonly place: string;
  /** In words, without a word of what is stored. */
  readonly why: string;
  /** As it was stored. */
  readonly body: ArrayBuffer | string | number | null;
}

export interface Quarantined {
  readonly id: number;
  readonly atMs: number;
  readonly place: string;
  readonly why: string;
  /** So long it was. */
  readonly bytes: number;
  /** Its first bytes, as text. */
  readonly start: string;
}

const MOST_QUARANTINED = 100;
/** Of one record its first bytes are kept: a row may hold 2 MB. */
const LONGEST_KEPT = 50_000;
const START_BYTES = 300;

const SCHEMA = `CREATE TABLE IF NOT EXISTS quarantine (
  id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, place TEXT NOT NULL, why TEXT NOT NULL, bytes INTEGER NOT NULL,
  body BLOB NOT NULL)`;

export class Quarantine {
  readonly #sql: OutboxSql;

  constructor(sql: OutboxSql) {
    this.#sql = sql;
    sql.exec(SCHEMA);
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM quarantine").toArray()[0]?.n ?? 0;
  }

  keep({ place, why, body }: Damage, nowMs: number): void {
    const bytes = bytesOf(body);
    this.#sql.exec(
      "INSERT INTO quarantine (at_ms, place, why, bytes, body) VALUES (?, ?, ?, ?, ?)",
      nowMs,
      place,
      why,
      bytes.length,
      bytes.slice(0, LONGEST_KEPT).buffer,
    );
    this.#sql.exec(
      "DELETE FROM quarantine WHERE id NOT IN (SELECT id FROM quarantine ORDER BY id DESC LIMIT ?)",
      MOST_QUARANTINED,
    );
  }

  /** The newest first. */
  list(): Quarantined[] {
    return this.#sql
      .exec<{ id: number; atMs: number; place: string; why: string; bytes: number; start: ArrayBuffer }>(
        `SELECT id, at_ms AS atMs, place, why, bytes, substr(body, 1, ${START_BYTES}) AS start FROM quarantine
         ORDER BY id DESC`,
      )
      .toArray()
      .map(({ id, atMs, place, why, bytes, start }) => {
        return { id, atMs, place, why, bytes, start: legible(start) };
      });
  }

  /** @returns how many there were. */
  clear(): number {
    const count = this.count();
    if (count > 0) this.#sql.exec("DELETE FROM quarantine");
    return count;
  }
}

function bytesOf(body: Damage["body"]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body instanceof ArrayBuffer ? body : new TextEncoder().encode(String(body)));
}

function legible(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes).replaceAll(/[^\P{C}\n]/gu, "\u{FFFD}");
}
