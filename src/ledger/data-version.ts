/**
 * Which version the stored data are of. It is read before anything is written: data of a newer code are left as they are,
 * those of an older one are brought up to date in one transaction, and that is noted.
 */
import { LEDGER_VERSION } from "../history/keys.ts";
import type { Tables } from "./tables.ts";

/** Stored by a code that this one does not know. */
export class NewerData extends Error {
  override readonly name = "NewerData";

  constructor(version: number) {
    super(
      `the ledger holds data of version ${version}, and this code knows ${LEDGER_VERSION}: ` +
        "deploy the newer version again; nothing was changed",
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
  if (!Number.isInteger(version) || version < 1)
    throw new Error("the version of the ledger's data is damaged");
  if (version > LEDGER_VERSION) throw new NewerData(version);
  return version;
}

/** The refusal of newer data; null: they can be read. @throws when the version is damaged. */
export function refusalOf(sql: SqlStorage): NewerData | null {
  try {
    knownVersion(sql);
    return null;
  } catch (error) {
    if (error instanceof NewerData) return error;
    throw error;
  }
}

/** Notes the version, and of older data from which one they came. */
export function bringUpToDate(
  tables: Tables,
  sql: SqlStorage,
  transaction: (write: () => void) => void,
): void {
  const version = knownVersion(sql);
  if (version === LEDGER_VERSION) return;
  transaction(() => {
    if (version !== null) {
      const before = tables.document(UPGRADES);
      const known: unknown[] = before === null ? [] : JSON.parse(before);
      tables.putDocument(UPGRADES, JSON.stringify([...known, { from: version, to: LEDGER_VERSION }]));
    }
    tables.putDocument(DOCUMENT, String(LEDGER_VERSION));
  });
}

const DOCUMENT = "version";
const UPGRADES = "upgrades";
