/** What the Ledger of a local runner has stored, read from a copy of its SQLite file: the monitor need not run. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import * as z from "zod/mini";
import { incidentSchema, type Incident } from "../../src/domain/incident.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { Archive } from "../../src/ledger/history/archive.ts";
import { DOCUMENTS } from "../../src/ledger/state/state.ts";
import { Tables } from "../../src/ledger/state/tables.ts";

export interface StoredLedger {
  /** By monitor, oldest first. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly resolved: readonly Incident[];
  readonly open: readonly Incident[];
}

const NOTHING: StoredLedger = { samples: new Map(), resolved: [], open: [] };

/** @throws where the file, or what is in it, cannot be read. */
export function storedLedger(directory: string): StoredLedger {
  const copy = mkdtempSync(join(tmpdir(), "gatepulse-stored-"));
  try {
    // With the log beside it: what was committed last may be there alone.
    cpSync(join(directory, "data", "do", "-Ledger"), copy, { recursive: true });
    const file = readdirSync(copy).find((name) => /^[0-9a-f]{64}\.sqlite$/u.test(name));
    return file === undefined ? NOTHING : read(join(copy, file));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function read(file: string): StoredLedger {
  const database = new DatabaseSync(file);
  try {
    const isThere =
      database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'document'").get() !== undefined;
    if (!isThere) return NOTHING;
    const tables = new Tables(sqlOf(database));
    const members = tables.document("members");
    const archive = new Archive(tables, (id) => id);
    const rows = z
      .array(z.array(incidentSchema))
      .parse([...tables.resolvedSince(0)].map((body) => JSON.parse(body)));
    return {
      samples: archive.recent.between(0, Number.MAX_SAFE_INTEGER),
      resolved: rows.flat(),
      open: members === null ? [] : Object.values(DOCUMENTS.members.parse(JSON.parse(members)).incidents),
    };
  } finally {
    database.close();
  }
}

/** As the platform hands rows out: bytes are an `ArrayBuffer`. */
function sqlOf(database: DatabaseSync): ConstructorParameters<typeof Tables>[0] {
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const rows = database
      .prepare(query)
      .all(...values)
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, cell]) => [
            name,
            cell instanceof Uint8Array ? Uint8Array.from(cell).buffer : cell,
          ]),
        ),
      );
    return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
  };
  return { exec } as never;
}
