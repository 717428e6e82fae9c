/** The text of a configuration: new ones, and what is inserted into old ones. */
import { expect, test } from "vitest";
import { sourceOf, withItems, type ListName } from "../../src/project/config-source.ts";

const withItem = (text: string, list: ListName, item: object) => withItems(text, false, [[list, item]]);
const withJsonItem = (text: string, list: ListName, item: object) => withItems(text, true, [[list, item]]);

const ITEM = { id: "beta", apiKey: "BETA_API_KEY" };

/** In each text, ▸ stands where text is inserted. */
const INSERTED: readonly (readonly [fact: string, before: string, inserted: string])[] = [
  [
    "after the last one, with the indentation of its neighbours",
    'export default defineConfig({\n    gateways: [\n        { id: "acme" },\n▸    ],\n});\n',
    '        { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "into an empty list",
    "export default defineConfig({\n  gateways: [▸],\n});\n",
    '\n    { id: "beta", apiKey: "BETA_API_KEY" },\n  ',
  ],
  [
    "below the comments of an empty list",
    "export default defineConfig({\n  gateways: [\n    // none, yet\n▸  ],\n});\n",
    '    { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "into an empty list with a comment on its line",
    "export default defineConfig({ gateways: [ /* none ] */▸] });\n",
    '\n  { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "into a list on one line",
    'export default defineConfig({ gateways: [{ id: "acme" },▸] });\n',
    '\n  { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "behind one in parentheses",
    "export default ({ gateways: ([(acme),▸]) });\n",
    '\n  { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "into a list with a type",
    'export default { gateways: [\n  { id: "acme" },\n▸] as const } satisfies object;\n',
    '  { id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
  [
    "behind what is spread",
    'import { others } from "./others.ts";\nexport default { "gateways": [\n\t...others,\n▸] };\n',
    '\t{ id: "beta", apiKey: "BETA_API_KEY" },\n',
  ],
];

test.each(INSERTED)("a gateway comes %s", (_, marked, inserted) => {
  expect(withItem(marked.replace("▸", ""), "gateways", ITEM)).toBe(marked.replace("▸", inserted));
});

test("lines end as others in the file, and those stay as they are", () => {
  const marked =
    'const a = `\n`;\r\nexport default {\r\n  gateways: [\r\n    { id: "acme" },\r\n▸  ]◂,\r\n};\r\n';
  const text = marked.replace(/[▸◂]/gu, "");
  const inserted = '    { id: "beta", apiKey: "BETA_API_KEY" },\r\n';
  expect(withItem(text, "gateways", ITEM)).toBe(marked.replace("▸", inserted).replace("◂", ""));
  const alerts = ',\r\n  alerts: [\r\n    { kind: "slack" },\r\n  ]';
  expect(withItem(text, "alerts", { kind: "slack" })).toBe(marked.replace("▸", "").replace("◂", alerts));
});

test.each([
  ["\n    { id: 'acme' } // the first\n  ", "\n    { id: 'acme' }, // the first"],
  ["{ id: 'acme' }", "{ id: 'acme' },"],
  ["(acme) /* , */ ", "(acme), /* , */"],
])("a last gateway without a comma gets one: [%s]", (list, others) => {
  expect(withItem(`export default {\n  gateways: [${list}],\n};\n`, "gateways", ITEM)).toBe(
    `export default {\n  gateways: [${others}\n    { id: "beta", apiKey: "BETA_API_KEY" },\n  ],\n};\n`,
  );
});

test("a first channel brings its list, below the gateways", () => {
  const text = 'export default defineConfig({\n  gateways: [],\n  title: "Ours",\n});\n';
  expect(withItem(text, "alerts", { kind: "slack", url: "SLACK_URL" })).toBe(
    'export default defineConfig({\n  gateways: [],\n  alerts: [\n    { kind: "slack", url: "SLACK_URL" },\n  ],\n  title: "Ours",\n});\n',
  );
});

test.each([
  ["is computed", "export default { gateways: [1, 2].map(String) };"],
  ["is a constant", "const gateways = [];\nexport default { gateways };"],
  ["comes from another file", 'import { gateways } from "./g.ts";\nexport default { gateways };'],
  ["is not there", 'export default { title: "Ours" };'],
  ["is in a function", "export default make(1, { gateways: [] });"],
  ["is in a text with a fault", "export default { gateways: [ };"],
])("nothing is inserted where the list %s", (_, text) => {
  expect(withItem(text, "gateways", ITEM)).toBeNull();
});

test.each([
  ["", "\n", "\n"],
  ["\ufeff", "\r\n", ""],
  ["", "\n", "\n \n"],
])("a JSON file keeps its indentation, its line ends, and what is around: %j %j %j", (start, end, rest) => {
  const text = `${start}${'{\n    "gateways": [],\n    "title": "Ours"\n}'.replaceAll("\n", end)}${rest}`;
  const item = { id: "beta" };
  expect(withJsonItem(text, "gateways", item)).toBe(
    `${start}${JSON.stringify({ gateways: [item], title: "Ours" }, null, 4).replaceAll("\n", end)}${rest}`,
  );
  expect(JSON.parse(withJsonItem("{}", "alerts", item) ?? "")).toEqual({ alerts: [item] });
});

test("what fits stands in one line, but each object of a list in its own", () => {
  const monitors = [
    { kind: "models", expect: ["a", "b"] },
    { kind: "chat", model: "a" },
  ];
  expect(sourceOf(monitors)).toBe(
    '[\n  { kind: "models", expect: ["a", "b"] },\n  { kind: "chat", model: "a" },\n]',
  );
});
