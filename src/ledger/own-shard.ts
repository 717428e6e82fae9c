/**
 * Which shard's Ledger an object is. Its name tells; but an alarm that was set before the platform kept names may wake an
 * object that does not know its own.
 */
import { shardOfName } from "./rpc.ts";
import { Tables } from "./tables.ts";

const DOCUMENT = "shard";

/**
 * The first time that the name is known it is noted, but for shard 0: that is what every Ledger was before there were several.
 * @param name undefined: the platform does not tell.
 */
export function ownShard(name: string | undefined, sql: SqlStorage): number {
  const tables = new Tables(sql);
  const noted = Number(tables.document(DOCUMENT) ?? 0);
  const told = name === undefined ? null : shardOfName(name);
  if (told !== null && told !== noted) tables.putDocument(DOCUMENT, String(told));
  return told ?? noted;
}
