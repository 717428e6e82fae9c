/**
 * What can still be read of a damaged JSON text: of an object its members, of a record its entries, of a list its items,
 * each as far as it fits its schema. Where the text itself is broken, they are looked for in it by their names. Pure.
 */
import * as z from "zod/mini";

export interface Salvaged {
  /** Undefined: nothing of it. */
  readonly value: unknown;
  /** What is missing of it, by name; empty: all is there. */
  readonly lost: readonly string[];
}

/** @param name for what is lost. A member of an object that is no record and no list is there as a whole, or not at all. */
export function salvage(
  schema: z.core.$ZodType,
  text: string,
  name: string,
): Salvaged & { readonly isWhole: boolean } {
  const read = salvageAll(schema, text, name);
  return { ...read, isWhole: read.lost.length === 0 && parsedJson(text).ok };
}

/** What was lost, the first of it by name. */
export function lossWords([first, ...more]: readonly string[]): string {
  if (first === undefined) return "its form is broken, and nothing of it is lost";
  return more.length === 0 ? `lost: ${first}` : `lost: ${first}, and ${more.length} more`;
}

function salvageAll(schema: z.core.$ZodType, text: string, name: string): Salvaged {
  const parsed = parsedJson(text);
  const plain = plainOf(schema);
  if (!(plain instanceof z.ZodMiniObject)) return salvagePart(schema, text, name);
  if (parsed.ok && z.safeParse(schema, parsed.value).success) return { value: parsed.value, lost: [] };
  const names = Object.keys(plain.shape);
  const members = Object.entries(plain.shape).map(([member, of]) => {
    const path = `${name}/${member}`;
    const part = parsed.ok ? memberText(parsed.value, member) : partAfter(text, member, names);
    return [member, part === null ? without(of, path) : salvagePart(of, part, path)] as const;
  });
  return {
    value: Object.fromEntries(
      members.flatMap(([member, { value }]) => (value === undefined ? [] : [[member, value]])),
    ),
    lost: members.flatMap(([, { lost }]) => lost),
  };
}

function memberText(value: unknown, member: string): string | null {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;
  return found === undefined ? null : JSON.stringify(found);
}

/** A member that older versions did not write is no loss. */
function without(schema: z.core.$ZodType, name: string): Salvaged {
  const absent = z.safeParse(schema, undefined);
  return absent.success ? { value: absent.data, lost: [] } : { value: undefined, lost: [name] };
}

function salvagePart(schema: z.core.$ZodType, text: string, name: string): Salvaged {
  const parsed = parsedJson(text);
  const whole = parsed.ok ? z.safeParse(schema, parsed.value) : null;
  if (whole?.success) return { value: whole.data, lost: [] };
  const plain = plainOf(schema);
  if (plain instanceof z.ZodMiniRecord) {
    const { valueType } = plain._zod.def;
    const isObject = parsed.ok && typeof parsed.value === "object" && !Array.isArray(parsed.value);
    if (isObject && parsed.value !== null)
      return entriesThatFit(valueType, Object.entries(parsed.value ?? {}), name);
    return { value: Object.fromEntries(entriesIn(text, valueType)), lost: [name] };
  }
  if (plain instanceof z.ZodMiniArray) {
    const { element } = plain._zod.def;
    if (parsed.ok && Array.isArray(parsed.value)) return itemsThatFit(element, parsed.value, name);
    return { value: itemsIn(text, element), lost: [name] };
  }
  return { value: undefined, lost: [name] };
}

function entriesThatFit(
  schema: z.core.$ZodType,
  entries: readonly (readonly [string, unknown])[],
  name: string,
): Salvaged {
  const judged = entries.map(([key, value]) => [key, z.safeParse(schema, value)] as const);
  return {
    value: Object.fromEntries(judged.flatMap(([key, { success, data }]) => (success ? [[key, data]] : []))),
    lost: judged.filter(([, { success }]) => !success).map(([key]) => `${name}/${key}`),
  };
}

function itemsThatFit(schema: z.core.$ZodType, items: readonly unknown[], name: string): Salvaged {
  const judged = items.map((item) => z.safeParse(schema, item));
  return {
    value: judged.flatMap(({ success, data }) => (success ? [data] : [])),
    lost: judged.flatMap(({ success }, index) => (success ? [] : [`${name}/${index}`])),
  };
}

/** Without what only says when it is built, or what stands in for it. */
function plainOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniDefault) return plainOf(schema._zod.def.innerType);
  return schema instanceof z.ZodMiniLazy ? plainOf(schema._zod.innerType) : schema;
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

export function parsedJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The text of a member; where it is broken, all that stands before the next member of the same object. */
function partAfter(text: string, name: string, names: readonly string[]): string | null {
  const mark = `"${name}":`;
  const at = text.indexOf(mark);
  if (at < 0) return null;
  const from = at + mark.length;
  const end = valueEnd(text, from);
  if (end !== null && parsedJson(text.slice(from, end)).ok) return text.slice(from, end);
  const nexts = names.map((other) => text.indexOf(`,"${other}":`, from)).filter((next) => next >= 0);
  return text.slice(from, Math.min(text.length, ...nexts));
}

/** Behind the value that begins there; null: it does not end. */
function valueEnd(text: string, from: number): number | null {
  const [first = ""] = text.slice(from, from + 1);
  if (first === "{" || first === "[") return bracketEnd(text, from);
  const scalar = /"(?:[^"\\]|\\.)*"|[^,\]}]+/uy;
  scalar.lastIndex = from;
  return scalar.test(text) ? scalar.lastIndex : null;
}

function bracketEnd(text: string, from: number): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const unit = text[at];
    if (isQuoted) {
      if (unit === "\\") at += 1;
      else if (unit === '"') isQuoted = false;
    } else if (unit === '"') isQuoted = true;
    else if (unit === "{" || unit === "[") depth += 1;
    else if (unit === "}" || unit === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** Objects with a name before them which fit the schema; one inside another that fits is a part of that. */
function entriesIn(text: string, schema: z.core.$ZodType): (readonly [string, unknown])[] {
  const found: (readonly [string, unknown])[] = [];
  const entry = /"((?:[^"\\]|\\.){1,400})":\{/gu;
  for (let match = entry.exec(text); match !== null; match = entry.exec(text)) {
    const from = entry.lastIndex - 1;
    const value = valueAt(text, from, schema);
    if (value !== null) found.push([match[1] ?? "", value.value]);
    entry.lastIndex = value?.end ?? match.index + 1;
  }
  return found;
}

function itemsIn(text: string, schema: z.core.$ZodType): unknown[] {
  const found: unknown[] = [];
  for (let from = text.indexOf("{"); from >= 0;) {
    const value = valueAt(text, from, schema);
    if (value !== null) found.push(value.value);
    from = text.indexOf("{", value?.end ?? from + 1);
  }
  return found;
}

function valueAt(
  text: string,
  from: number,
  schema: z.core.$ZodType,
): { value: unknown; end: number } | null {
  const end = bracketEnd(text, from);
  if (end === null) return null;
  const parsed = parsedJson(text.slice(from, end));
  if (!parsed.ok) return null;
  const fits = z.safeParse(schema, parsed.value);
  return fits.success ? { value: fits.data, end } : null;
}
