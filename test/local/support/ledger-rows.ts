/** What the Ledger of a running monitor has stored. */
import type { Miniflare } from "miniflare";

/** The name of the Worker under test. */
export const SCRIPT = "gatepulse-under-test";

/** Every row of these tables, as text and bytes; default: of all. */
export async function ledgerRows(
  miniflare: Miniflare,
  wanted: readonly string[] | undefined,
  ledger: string,
): Promise<readonly unknown[]> {
  const storage = await miniflare.unsafeGetDurableObjectStorage(SCRIPT, "Ledger", { name: ledger });
  const all = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
  const tables = wanted ?? (await storage.exec(all)).map((row) => String(Object(row)["name"]));
  const rows: unknown[] = [];
  for (const table of tables) rows.push(...(await storage.exec(`SELECT * FROM ${table}`)));
  return rows;
}
