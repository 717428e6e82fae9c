/**
 * Which version the stored data are of. It is read before anything is written: data of a newer code are left as they are,
 * and so are those whose version cannot be read; those of an older one are brought up to date.
 */
import { LEDGER_VERSION } from "../history/keys.ts";
import type { Tables } from "./tables.ts";

/** What is stored is not opened. */
export abstract class RefusedData extends Error {}

/** Stored by a code that this one does not know. */
export class NewerData extends RefusedData {
  override readonly name = "NewerData";

  constructor(version: number) {
    super(
      `the ledger holds data of version ${version}, and this code knows ${LEDGER_VERSION}: ` +
        "deploy the newer version again; nothing was changed",
    );
  }
}

/** Whether this code knows them nobody can tell. */
export class DamagedVersion extends RefusedData {
  override readonly name = "DamagedVersion";

  constructor() {
    super(
      "the version of the ledger's data is damaged, and without it they are not opened; nothing was changed",
    );
  }
}

/** Null: nothing is stored yet. @throws when the data are newer, or their version is damaged. Writes nothing. */
export function knownVersion(sql: SqlStorage): number | null {
  const [table] = sql
    .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'document'")
    .toArray();
  if (table === undefined) return null;
  const [row] = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ?", DOCUMENT).toArray();
  if (row === undefined) return null;
  const version = Number(row.body);
  if (!Number.isInteger(version) || version < 1) throw new DamagedVersion();
  if (version > LEDGER_VERSION) throw new NewerData(version);
  return version;
}

/** Null: they can be read. */
export function refusalOf(sql: SqlStorage): RefusedData | null {
  try {
    knownVersion(sql);
    return null;
  } catch (error) {
    if (error instanceof RefusedData) return error;
    throw error;
  }
}

/** Notes the version. That of older data is all that has to change. */
export function bringUpToDate(
  tables: Tables,
  sql: SqlStorage,
  transaction: (write: () => void) => void,
): void {
  if (knownVersion(sql) === LEDGER_VERSION) return;
  transaction(() => tables.putDocument(DOCUMENT, String(LEDGER_VERSION)));
}

const DOCUMENT = "version";
