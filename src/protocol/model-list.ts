/**
 * The model listing (spec 2.4): an array `data`, whose entries are never judged. Pure.
 */
import { asList, asObject, readBody } from "./json.ts";

export interface ModelList {
  readonly count: number;
  /** The ids of those entries that have one as text, in the order of the list. */
  readonly ids: readonly string[];
}

/** The listing in a body's text; null when it holds none. */
export function readModelList(body: string): ModelList | null {
  const read = readBody(body);
  return read.form === "json" ? modelListOf(read.json) : null;
}

/** The listing in a body that was parsed before; null when it holds none. */
export function modelListOf(json: unknown): ModelList | null {
  const data = asList(asObject(json)?.["data"]);
  if (data === null) return null;
  const ids: string[] = [];
  for (const entry of data) {
    const id = asObject(entry)?.["id"];
    if (typeof id === "string") ids.push(id);
  }
  return { count: data.length, ids };
}
