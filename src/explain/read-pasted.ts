/** Reads a pasted text of any form, and what programs, shells and logs put around it. Pure; linear. */
import { asObject, asText, readJson } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { bareBody, readBodyAlone } from "./body-alone.ts";
import { readHttpTranscript, requestOfCommand } from "./http-transcript.ts";
import { kindOfPath } from "./kind-guess.ts";
import { type Pasted, plainText, type ReadForm } from "./pasted.ts";
import { pastedAnswer, readSavedExchange } from "./saved-exchange.ts";
import { readSdkError } from "./sdk-error.ts";

export function readPasted(text: string, kind: Kind | null): Pasted {
  const bare = plainText(text);
  return readCertain(bare, kind) ?? readBodyAlone(bare, kind);
}

/** Forms that are certain stand before those that are guessed. */
const READERS: readonly ReadForm[] = [
  readHttpTranscript,
  readLedJson,
  readLogRecord,
  readSdkError,
  readSavedExchange,
];

function readCertain(text: string, kind: Kind | null): Pasted | null {
  for (const read of READERS) {
    const pasted = read(text, kind);
    if (pasted !== null) return pasted;
  }
  return null;
}

/** JSON behind what a program printed before it: `HTTP 402: {…}`, `<Response [402]> {…}`, `$ cat answer.json`. */
function readLedJson(text: string, kind: Kind | null): Pasted | null {
  const [lead = "", command = ""] = LEAD.exec(text.slice(0, MAX_LEAD)) ?? [];
  if (lead.trim() === "") return null;
  const request = requestOfCommand(command);
  const known = kind ?? kindOfPath(request?.url ?? "");
  const body = text.slice(lead.length);
  const status = /\d{3}/.exec(lead.slice(command.length))?.[0];
  if (status === undefined) {
    const pasted = readPasted(body, known);
    return { ...pasted, request: pasted.request ?? request };
  }
  return {
    ...pastedAnswer({ status: Number(status), headers: {}, body: bareBody(body) }, known),
    form: "http",
    request,
  };
}

const MAX_LEAD = 16_384;
/** A command, then names for an answer and its status. A 4xx or 5xx alone begins the message of a client. */
const LEAD =
  /^(\s{0,20}(?:(?:[^\n"{}<]{0,80}[$%#❯] |curl )(?:.*\\\n)*.*\n)?)(?![45]\d\d )(?:(?:http(?: error|\/\d(?:\.\d)?)?|api|raw|full|the|got|response|answer|result|output|body|text|json|status|code|返回|响应|结果|<Response \[[1-5]\d\d\]>|[1-5]\d\d(?: [a-z -]{2,40})?)[\s:：=,;]{1,20}){0,8}(?=[{[])/i;

/** A log with one record of JSON a line: what a client printed is in a text of the newest one. */
function readLogRecord(text: string, kind: Kind | null): Pasted | null {
  if (!text.trimStart().startsWith("{")) return null;
  const record = asObject(readJson(text)) ?? asObject(readJson(text.trimEnd().split("\n").at(-1) ?? ""));
  if (record === null || !LEVELS.some((name) => asText(record[name]) !== null)) return null;
  for (const holder of [record, ...HOLDERS.map((name) => asObject(record[name]))]) {
    for (const name of WORDS) {
      const pasted = readCertain(plainText(asText(holder?.[name]) ?? ""), kind);
      if (pasted !== null) return pasted;
    }
  }
  return null;
}

/** Only logs have a level. */
const LEVELS = "level levelname severity lvl log.level loglevel".split(" ");
const HOLDERS = "err error exception exc_info extra context".split(" ");
const WORDS = "exc_info exception traceback stack error err msg message event".split(" ");
