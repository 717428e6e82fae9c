/**
 * The words of the description, put to the schemas: what the type and the name of a member cannot say (units, what null
 * means). A word for what there is not is a fault of the build. Pure.
 */
import { isObject, type JsonObject } from "./json.ts";
import type { Words } from "./word-kinds.ts";
import { ADMIN_WORDS } from "./words-admin.ts";
import { EXPLAIN_WORDS } from "./words-explain.ts";
import { FORMAT_WORDS } from "./words-formats.ts";
import { HISTORY_WORDS } from "./words-history.ts";
import { STATUS_WORDS } from "./words-status.ts";

const WORDS: Readonly<Record<string, Words>> = {
  ...STATUS_WORDS,
  ...HISTORY_WORDS,
  ...EXPLAIN_WORDS,
  ...FORMAT_WORDS,
  ...ADMIN_WORDS,
};

/** @throws where words and members do not fit. */
export function withWords(schemas: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  const faults: string[] = [];
  for (const name of Object.keys(WORDS)) if (!(name in schemas)) faults.push(`${name} is no schema`);
  const worded = Object.entries(schemas).map(([name, schema]) => {
    const unused = new Map(Object.entries(WORDS[name] ?? {}));
    const telling: Telling = {
      take: (path) => {
        const word = WORDS[name]?.[path];
        unused.delete(path);
        if (word === undefined) return {};
        return typeof word === "string" ? { description: word } : { ...word };
      },
    };
    const own = telling.take("");
    const told = { ...own, ...wordsIn(schema, "", telling) };
    for (const path of unused.keys()) faults.push(`${name} has no ${path}`);
    return [name, told] as const;
  });
  if (faults.length > 0) throw new Error(`the words of the API's description:\n${faults.join("\n")}`);
  return Object.fromEntries(worded);
}

interface Telling {
  readonly take: (path: string) => JsonObject;
}

function wordsIn(schema: JsonObject, path: string, telling: Telling): JsonObject {
  const { properties, items, additionalProperties, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(isObject(properties) && { properties: membersTold(properties, path, telling) }),
    ...(isObject(items) && { items: wordsIn(items, path, telling) }),
    ...(isObject(additionalProperties) && {
      additionalProperties: wordsIn(additionalProperties, path, telling),
    }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((part) => wordsIn(part as JsonObject, path, telling)) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map((part) => wordsIn(part as JsonObject, path, telling)) }),
  };
}

function membersTold(properties: JsonObject, path: string, telling: Telling): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const place = path === "" ? name : `${path}.${name}`;
      return [name, { ...wordsIn(member as JsonObject, place, telling), ...telling.take(place) }];
    }),
  );
}
