/** What a client printed, out of a record of a log that is kept as JSON, one record a line. Pure. */
import { asObject, asText, type JsonObject, readJson } from "../../protocol/json.ts";

/** The texts in which the newest record may tell of an error, most telling first; none: it is no such log. */
export function textsOfLogRecord(text: string): readonly string[] {
  if (!/^\s*\{/.test(text)) return [];
  const lines = text.trimEnd();
  const record = recordOf(text) ?? recordOf(lines.slice(lines.lastIndexOf("\n") + 1));
  if (record === null) return [];
  const holders = [record, ...HOLDERS.map((name) => asObject(record[name]))].filter(
    (holder) => holder !== null,
  );
  const printed = holders.flatMap((holder) => printedError(holder));
  const words = holders.flatMap((holder) => WORDS.map((name) => asText(holder[name])));
  return [...printed, ...words.filter((word) => word !== null)];
}

const LEVELS = ["level", "levelname", "severity", "lvl", "log.level", "loglevel"];
const HOLDERS = ["err", "error", "exception", "exc_info", "extra", "context"];
const WORDS = ["exc_info", "exception", "traceback", "stack", "error", "err", "msg", "message", "event"];

/** Only logs say how bad it is. */
function recordOf(line: string): JsonObject | null {
  const record = asObject(readJson(line));
  return record !== null && LEVELS.some((name) => asText(record[name]) !== null) ? record : null;
}

/** An error with its members, as Node itself would have printed it. */
function printedError(holder: JsonObject): readonly string[] {
  const { stack, ...members } = holder;
  if (typeof stack !== "string" || !("status" in members || "requestID" in members)) return [];
  return [`${stack} ${JSON.stringify(members, null, 2).replace(/^ {2}"(\w{1,60})": /gm, "  $1: ")}`];
}
