/**
 * Looks through all that the Ledger has stored: what cannot be read goes into quarantine, what is left of it stays, and
 * what was lost with it begins anew. Belongs into the caller's transaction; done only where reading failed.
 */
import type { Config } from "../../config/config.ts";
import { calendarOf } from "../../domain/calendar.ts";
import { Archive } from "../history/archive.ts";
import { presentName } from "../begin/apply-config.ts";
import { inspectAlerts } from "./inspect-alerts.ts";
import { inspectHistory } from "./inspect-history.ts";
import { fitsTogether, repairState } from "./repaired-state.ts";
import { type Damage, Quarantine } from "./quarantine.ts";
import { lossWords, salvage } from "./salvage.ts";
import { hasMembers } from "./sound.ts";
import { directorySchema, DOCUMENTS, EMPTY_STATE, type Journal, type LedgerState } from "../state/state.ts";
import { Tables } from "../state/tables.ts";

export interface Inspection {
  readonly sql: SqlStorage;
  readonly tables: Tables;
  readonly nowMs: number;
  /** Puts a copy aside; the record itself is the caller's. */
  readonly keep: (damage: Damage) => void;
}

/** @returns how many records could not be read. @throws when storage fails. */
export function inspect(sql: SqlStorage, world: { readonly config: Config; readonly nowMs: number }): number {
  const { config, nowMs } = world;
  const quarantine = new Quarantine(sql);
  let found = 0;
  const keep = (damage: Damage): void => {
    found += 1;
    quarantine.keep(damage, nowMs);
  };
  const inspection = { sql, tables: new Tables(sql), nowMs, keep };
  inspectSalt(inspection);
  inspectDirectory(inspection);
  const lost = inspectDocuments(inspection);
  inspectHistory(inspection);
  inspectAlerts(inspection);
  const { tables } = inspection;
  const members = tables.document("members");
  if (found === 0 && members !== null && !fitsTogether(storedState(tables))) {
    keep({
      place: "document/members",
      why: "incidents and their monitors do not fit together",
      body: members,
    });
  }
  if (found > 0 && members !== null) {
    const archive = new Archive(tables, presentName(config));
    const calendar = calendarOf(config.timeZone);
    const state = repairState(storedState(tables), { config, archive, calendar, nowMs, lost });
    const { journal, monitors, incidents, canaries } = state;
    tables.putDocument("journal", JSON.stringify(journal));
    tables.putDocument("members", JSON.stringify({ monitors, incidents, canaries }));
  }
  return found;
}

/** Identities made with another one are new: each gateway counts as one with a new key. */
function inspectSalt({ sql, tables, keep }: Inspection): void {
  const salt = tables.document("salt");
  if (salt === null || /^[\w.:-]{1,200}$/u.test(salt)) return;
  // It is a secret still: part of it may be what it was.
  keep({ place: "document/salt", why: `it is no salt, at a length of ${salt.length}`, body: null });
  sql.exec("DELETE FROM document WHERE name = 'salt'");
}

/** Without one the Ledgers are asked what they have. */
function inspectDirectory({ sql, tables, keep }: Inspection): void {
  const body = tables.document("directory");
  if (body === null || isDirectory(body)) return;
  keep({ place: "document/directory", why: "it is no directory", body });
  sql.exec("DELETE FROM document WHERE name = 'directory'");
}

function isDirectory(body: string): boolean {
  try {
    return directorySchema.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/** @returns what was lost, by path. */
function inspectDocuments(inspection: Inspection): readonly string[] {
  const { tables, keep } = inspection;
  const lost: string[] = [];
  for (const [name, schema] of Object.entries(DOCUMENTS)) {
    const text = tables.document(name);
    const read = text === null ? nothing(name, tables) : salvage(schema, text, name);
    if (read.isWhole) continue;
    lost.push(...read.lost);
    keep({ place: `document/${name}`, why: lossWords(read.lost), body: text });
    const blank: unknown = name === "members" ? EMPTY_STATE : (Reflect.get(EMPTY_STATE, name) ?? {});
    const repaired = schema.parse({ ...Object(blank), ...Object(read.value) });
    tables.putDocument(name, JSON.stringify(repaired));
  }
  return lost;
}

/** Of a Ledger that has worked both are there, but for one without gateways. The journal is looked through first. */
function nothing(name: string, tables: Tables): ReturnType<typeof salvage> {
  const isLost =
    name === "journal"
      ? tables.document("members") !== null
      : name === "members" && hasMembers(journalOf(tables));
  return { value: {}, lost: isLost ? [name] : [], isWhole: !isLost };
}

function journalOf(tables: Tables): Journal | undefined {
  const text = tables.document("journal");
  return text === null ? undefined : DOCUMENTS.journal.parse(JSON.parse(text));
}

function storedState(tables: Tables): LedgerState {
  const journal = DOCUMENTS.journal.parse(JSON.parse(tables.document("journal") ?? "null"));
  const members = DOCUMENTS.members.parse(JSON.parse(tables.document("members") ?? "null"));
  return { ...members, journal, directory: null };
}
