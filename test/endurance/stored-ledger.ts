/** What the Ledger of a local runner has stored, read from a copy of its SQLite file: the monitor need not run. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { incidentSchema, type Incident } from "../../src/domain/incident.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { Archive } from "../../src/ledger/history/archive.ts";
import { Quarantine } from "../../src/ledger/state/quarantine.ts";
import { DOCUMENTS } from "../../src/ledger/state/state.ts";
import { Tables } from "../../src/ledger/state/tables.ts";
import { NodeStorage } from "../ledger/node-storage.ts";

export interface StoredLedger {
  /** By monitor, oldest first. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly resolved: readonly Incident[];
  readonly open: readonly Incident[];
}

const NOTHING: StoredLedger = { samples: new Map(), resolved: [], open: [] };

/** Of a directory of a runner; null: of none. @throws where the file, or what is in it, cannot be read. */
export function storedLedger(directory: string | null): StoredLedger {
  if (directory === null) return NOTHING;
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
  // A database with a log beside it cannot be taken into memory.
  database.exec("PRAGMA journal_mode = DELETE");
  const { sql } = new NodeStorage(database.serialize());
  database.close();
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'document'").one() === undefined) return NOTHING;
  const tables = new Tables(sql);
  const members = tables.document("members");
  const archive = new Archive(tables, (id) => id, new Quarantine(sql));
  const rows = z
    .array(z.array(incidentSchema()))
    .parse([...tables.resolvedSince(0)].map(({ body }) => JSON.parse(body)));
  return {
    samples: archive.recent.between(0, Number.MAX_SAFE_INTEGER),
    resolved: rows.flat(),
    open: members === null ? [] : Object.values(DOCUMENTS.members().parse(JSON.parse(members)).incidents),
  };
}
