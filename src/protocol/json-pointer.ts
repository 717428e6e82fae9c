/**
 * JSON pointers (RFC 6901): the value at a place of a parsed document. Pure; linear in the pointer.
 */
import { asList, asObject } from "./json.ts";

/** Whether a text is a pointer by its letter; "" points at the whole document. */
export function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/** Undefined where there is nothing, or the pointer is none. Only a document's own members are found. */
export function valueAt(json: unknown, pointer: string): unknown {
  if (!isJsonPointer(pointer)) return undefined;
  let value = json;
  for (const token of pointer.split("/").slice(1)) {
    value = memberOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  const list = asList(value);
  if (list !== null) return CANONICAL_INDEX.test(name) ? list[Number(name)] : undefined;
  const object = asObject(value);
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Without leading zeros; longer ones than any list has are not read as numbers. */
const CANONICAL_INDEX = /^(?:0|[1-9]\d{0,9})$/;
