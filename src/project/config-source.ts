/** The text of a configuration: how a new one is written, and where an old one takes another gateway or channel. Pure. */
import { parse } from "@babel/parser";

/** The longest that stands in one line. */
const LINE = 100;

/** A value as TypeScript. The lines after the first begin with `indent`. */
export function sourceOf(value: unknown, indent = "", unit = "  "): string {
  const line = inLine(value);
  if (typeof value !== "object" || value === null) return line;
  const isFlat = !Object.values(value).some((inner) => typeof inner === "object" && !isPlainList(inner));
  if (isFlat && Object.values(value).length < 4 && indent.length + line.length <= LINE) return line;
  const inner = indent + unit;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const members = Object.entries(value).map(([key, member]) => {
    const name = Array.isArray(value) ? "" : `${key}: `;
    return `${inner}${name}${sourceOf(member, inner, unit)},\n`;
  });
  return `${open}\n${members.join("")}${indent}${close}`;
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== "object");
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${inLine(member)}`);
  return `{ ${members.join(", ")} }`;
}

export function configSource(config: object): string {
  return `import { defineConfig } from "gatepulse/config";

/**
 * What Gatepulse watches: \`npx gatepulse check\` says what is wrong with it. Secrets are only named here. Their values are in
 * .dev.vars on this machine, and on Cloudflare they are secrets of the Worker.
 */
export default defineConfig(${sourceOf(config)});
`;
}

export type ListName = "gateways" | "alerts";

/**
 * The text with another item in a list of the configuration, and everything else as it is. Null: the list is not written where
 * this code can find it.
 */
export function withItem(text: string, list: ListName, item: object): string | null {
  const found = read(text);
  if (found === null) return null;
  const config = configOf(found.body);
  if (config === null) return null;
  const inserted = insertion(text, list, item, config, found);
  const insert = (before: string, { at, what }: Insertion) => before.slice(0, at) + what + before.slice(at);
  return inserted?.reduceRight(insert, text) ?? null;
}

/** In the order of the text. */
interface Insertion {
  readonly at: number;
  readonly what: string;
}

type Program = ReturnType<typeof parse>;
type Statement = Program["program"]["body"][number];
type Declaration = Extract<Statement, { type: "ExportDefaultDeclaration" }>["declaration"];
type Of<Type extends string> = Extract<Declaration, { type: Type }>;

interface Read {
  readonly body: readonly Statement[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

function read(text: string): Read | null {
  try {
    const { program, comments } = parse(text, {
      sourceType: "module",
      plugins: ["typescript"],
      // Or else an item behind one in parentheses would come inside them.
      createParenthesizedExpressions: true,
    });
    const ranges = (comments ?? []).map(({ start, end }) => ({ start: start ?? 0, end: end ?? 0 }));
    return { body: program.body, comments: ranges };
  } catch {
    return null;
  }
}

function configOf(body: readonly Statement[]): Of<"ObjectExpression"> | null {
  const exported = body.find((statement) => statement.type === "ExportDefaultDeclaration");
  if (exported === undefined) return null;
  const value = valueOf(exported.declaration, body);
  return value?.type === "ObjectExpression" ? value : null;
}

/** What an expression stands for: the argument of `defineConfig`, the value of a constant, the value without its type. */
function valueOf(node: unknown, body: readonly Statement[]): Declaration | null {
  const expression = node as Declaration;
  const { type } = expression;
  if (type === "TSAsExpression" || type === "TSSatisfiesExpression" || type === "ParenthesizedExpression")
    return valueOf(expression.expression, body);
  if (type === "CallExpression")
    return expression.arguments.length === 1 ? valueOf(expression.arguments[0], body) : null;
  if (type === "Identifier") return valueOf(constant(expression.name, body), body);
  return expression;
}

function constant(name: string, body: readonly Statement[]): unknown {
  const declared = body
    .map((statement) => (statement.type === "ExportNamedDeclaration" ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === "VariableDeclaration" ? statement.declarations : []))
    .find(({ id }) => id.type === "Identifier" && id.name === name);
  return declared?.init ?? { type: "NullLiteral" };
}

function memberOf({ properties }: Of<"ObjectExpression">, name: string) {
  for (const property of properties) {
    if (property.type !== "ObjectProperty" || property.computed) continue;
    const { key } = property;
    const its = key.type === "Identifier" ? key.name : key.type === "StringLiteral" ? key.value : null;
    if (its === name) return property;
  }
  return null;
}

function listOf(
  list: ListName,
  config: Of<"ObjectExpression">,
  { body }: Read,
): Of<"ArrayExpression"> | null {
  const member = memberOf(config, list);
  const value = member === null ? null : valueOf(member.value, body);
  return value?.type === "ArrayExpression" ? value : null;
}

function insertion(
  text: string,
  list: ListName,
  item: object,
  config: Of<"ObjectExpression">,
  found: Read,
): readonly Insertion[] | null {
  const array = listOf(list, config, found);
  if (array !== null) return intoArray(text, item, array, found);
  const gateways = memberOf(config, "gateways");
  if (list === "gateways" || gateways === null || memberOf(config, list) !== null) return null;
  const { start, end } = placeOf(gateways);
  const indent = indentAt(text, start);
  const unit = unitOf(text);
  const written = `${list}: ${listSource(item, indent, unit)}`;
  return [{ at: end, what: lines(`,\n${indent}${written}`, text) }];
}

function listSource(item: object, indent: string, unit: string): string {
  return `[\n${indent}${unit}${sourceOf(item, indent + unit, unit)},\n${indent}]`;
}

function intoArray(
  text: string,
  item: object,
  array: Of<"ArrayExpression">,
  { comments }: Read,
): readonly Insertion[] {
  const { start, end } = placeOf(array);
  const close = end - 1;
  const unit = unitOf(text);
  const own = indentAt(text, start);
  const last = array.elements.at(-1) ?? null;
  const from = last === null ? start + 1 : placeOf(last).end;
  const comma = last === null ? from - 1 : commaAfter(text, from, close, comments);
  const missing = comma === null ? [{ at: from, what: "," }] : [];
  const lineStart = text.lastIndexOf("\n", close - 1) + 1;
  // The end of the list has a line of its own: the new item stands before it, below all comments.
  if (lineStart > from && text.slice(lineStart, close).trim() === "") {
    const indent = last === null ? own + unit : indentAt(text, placeOf(last).start);
    return [...missing, { at: lineStart, what: lines(`${indent}${sourceOf(item, indent, unit)},\n`, text) }];
  }
  const at = comma === null ? from : comma + 1;
  if (last !== null) return [...missing, { at, what: lines(` ${sourceOf(item, own, unit)}`, text) }];
  const indent = own + unit;
  return [{ at, what: lines(`\n${indent}${sourceOf(item, indent, unit)},\n${own}`, text) }];
}

function placeOf({ start, end }: { readonly start?: number | null; readonly end?: number | null }) {
  return { start: start ?? 0, end: end ?? 0 };
}

/** Null: there is none. */
function commaAfter(text: string, from: number, to: number, comments: Read["comments"]): number | null {
  for (let at = from; at < to; at++) {
    const comment = comments.find(({ start, end }) => start <= at && at < end);
    if (comment !== undefined) at = comment.end - 1;
    else if (text[at] === ",") return at;
  }
  return null;
}

/** Of the line with this place. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

/** What the first indented line begins with. */
function unitOf(text: string): string {
  return /^(?:\t| +)(?=[\w"'])/m.exec(text)?.[0] ?? "  ";
}

/** With the line ends of the text. */
function lines(inserted: string, text: string): string {
  return text.includes("\r\n") ? inserted.replaceAll("\n", "\r\n") : inserted;
}

/** The same of a JSON file, whose text says how it is indented. */
export function withJsonItem(text: string, list: ListName, item: object): string {
  const config = JSON.parse(text.replace(/^\ufeff/, "")) as Record<ListName, object[] | undefined>;
  const edited = { ...config, [list]: [...(config[list] ?? []), item] };
  return lines(
    `${JSON.stringify(edited, null, unitOf(text))}${/\s*$/.exec(text)?.[0].replaceAll("\r", "") ?? ""}`,
    text,
  );
}
