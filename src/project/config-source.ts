/** The text of a configuration, and where it takes another gateway or channel. Pure. */
import { parse } from "@babel/parser";

/** The longest that stands in one line. */
const LINE = 100;

/** A value as TypeScript. The lines after the first begin with `indent`. */
export function sourceOf(value: unknown, indent = "", unit = "  "): string {
  const line = inLine(value);
  if (typeof value !== "object" || value === null) return line;
  const hasObjects = Array.isArray(value) && value.some((item) => typeof item === "object");
  const fits = Object.values(value).length < 4 && indent.length + line.length <= LINE;
  if (fits && !hasObjects) return line;
  const inner = indent + unit;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const members = Object.entries(value).map(([key, member]) => {
    const name = Array.isArray(value) ? "" : `${key}: `;
    return `${inner}${name}${sourceOf(member, inner, unit)},\n`;
  });
  return `${open}\n${members.join("")}${indent}${close}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${inLine(member)}`);
  return `{ ${members.join(", ")} }`;
}

export type ListName = "gateways" | "alerts";
export type Item = readonly [list: ListName, item: object];

/** The text with other items at the end of lists of the configuration. Null: a list is not written where this code can find it. */
export function withItems(text: string, isJson: boolean, items: readonly Item[]): string | null {
  const edit = isJson ? withJsonItem : withItem;
  return items.reduce<string | null>(
    (before, [list, item]) => (before === null ? null : edit(before, list, item)),
    text,
  );
}

/** What comes into a text, with line ends as there. */
function ended(inserted: string, text: string): string {
  return text.includes("\r\n") ? inserted.replaceAll("\n", "\r\n") : inserted;
}

function withItem(text: string, list: ListName, item: object): string | null {
  const config = configOf(text);
  if (config === null) return null;
  const member = memberOf(config, list);
  const array = member === null ? null : valueOf(member.value);
  const gateways = memberOf(config, "gateways");
  if (array?.type === "ArrayExpression") return inArray(text, item, array);
  return list === "alerts" && member === null && gateways !== null ? withAlerts(text, item, gateways) : null;
}

type Program = ReturnType<typeof parse>;
type Statement = Program["program"]["body"][number];
type Declaration = Extract<Statement, { type: "ExportDefaultDeclaration" }>["declaration"];
type Of<Type extends string> = Extract<Declaration, { type: Type }>;

/** What the text exports; null: it is not written there, or the text has a fault. */
function configOf(text: string): Of<"ObjectExpression"> | null {
  try {
    // Or else an item behind one in parentheses would come inside them.
    const options = { sourceType: "module", createParenthesizedExpressions: true } as const;
    const { body } = parse(text, { ...options, plugins: ["typescript"] }).program;
    const exported = body.find((statement) => statement.type === "ExportDefaultDeclaration");
    const value = exported === undefined ? null : valueOf(exported.declaration);
    return value?.type === "ObjectExpression" ? value : null;
  } catch {
    return null;
  }
}

/** What an expression stands for: the argument of `defineConfig`, the value without its type. */
function valueOf(node: unknown): Declaration | null {
  const expression = node as Declaration;
  const { type } = expression;
  if (type === "TSAsExpression" || type === "TSSatisfiesExpression" || type === "ParenthesizedExpression")
    return valueOf(expression.expression);
  if (type === "CallExpression")
    return expression.arguments.length === 1 ? valueOf(expression.arguments[0]) : null;
  return expression;
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

/** Below all comments in the list. */
function inArray(text: string, item: object, array: Of<"ArrayExpression">): string {
  const { start, end } = placeOf(array);
  const last = array.elements.at(-1) ?? null;
  const from = last === null ? start + 1 : placeOf(last).end;
  const comma = last === null || array.extra?.["trailingComma"] !== undefined ? "" : ",";
  const rest = comma + text.slice(from, end - 1).trimEnd();
  return text.slice(0, from) + rest + written(item, indentAt(text, start), text) + text.slice(end - 1);
}

function withAlerts(text: string, item: object, gateways: object): string {
  const { start, end } = placeOf(gateways);
  const own = indentAt(text, start);
  const list = ended(`,\n${own}alerts: [`, text) + written(item, own, text);
  return `${text.slice(0, end)}${list}]` + text.slice(end);
}

/** A line of the item alone, and what the end of its list begins with. */
function written(item: object, own: string, text: string): string {
  const unit = unitOf(text);
  return ended(`\n${own}${unit}${sourceOf(item, own + unit, unit)},\n${own}`, text);
}

function placeOf({ start, end }: { readonly start?: number | null; readonly end?: number | null }) {
  return { start: start ?? 0, end: end ?? 0 };
}

/** Of the line with this place. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

/** What the first indented line begins with. */
function unitOf(text: string): string {
  return /^(?:\t| +)(?=[^\s*])/m.exec(text)?.[0] ?? "  ";
}

function withJsonItem(text: string, list: ListName, item: object): string {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}") + 1];
  const config = JSON.parse(text.slice(start, end)) as Record<ListName, object[] | undefined>;
  const edited = { ...config, [list]: [...(config[list] ?? []), item] };
  return text.slice(0, start) + ended(JSON.stringify(edited, null, unitOf(text)), text) + text.slice(end);
}
