/**
 * A good answer as programs print what a client made of it: `{'id': '…'}`, `{ id: '…' }`, `ChatCompletion(id='…')`. Whatever
 * error its text quotes is not its own. Pure; linear.
 */
import { asList, asObject } from "../../protocol/json.ts";
import type { Kind } from "../../protocol/observation.ts";
import { readBodyAlone } from "./body-alone.ts";
import type { Pasted } from "../pasted.ts";
import { readLiteral } from "../sdk/literal.ts";

/** Null: it is something else, is not whole, or is no result. */
export function readPrintedObject(text: string, kind: Kind | null): Pasted | null {
  if (text.length > MAX_LENGTH || !BEGINNING.test(text)) return null;
  const list = `[${text.trim()}]`;
  const read = readLiteral(list, 0);
  if (read === null || read.isCut || read.end !== list.length) return null;
  const values = asList(read.value) ?? [];
  const value = values.length === 1 ? asObject(values[0]) : null;
  if (value === null || !RESULTS.some((key) => typeof value[key] === "object" && value[key] !== null))
    return null;
  return OF_CLIENTS.some((key) => key in value) ? null : readBodyAlone(JSON.stringify(value), kind);
}

const MAX_LENGTH = 262_144;
/** JSON has double quotes around its names. */
const BEGINNING =
  /^\s*(?:(?!\w{0,60}(?:Error|Exception)\()[A-Za-z_]\w{0,60}(?=\(\w{1,60}=)|(?=\{\s{0,80}(?:'|\w{1,60}:)))/;
const RESULTS = ["choices", "content", "data", "output", "candidates"];
/** Errors and whole answers have these. */
const OF_CLIENTS = ["headers", "requestID", "response", "request", "config", "stack"];
