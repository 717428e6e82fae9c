/** `theme`: what is taken, what is refused and in which words; and that its colors are judged by those of the pages. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/load.ts";
import { GROUNDS } from "../../src/config/site-schema.ts";
import { faultsOf } from "./parsed.ts";

const around = (theme: unknown) => ({ title: "t", gateways: [], theme });
const faults = (theme: unknown) => faultsOf(around(theme));

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const svg = (text: string) => `data:image/svg+xml;base64,${base64(text)}`;

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
const LOGO_FIX = "write data:image/svg+xml;base64,… or data:image/png;base64,… of at most 8000 characters";

test("a logo is taken as it is, in whatever length its padding has", () => {
  for (const text of [SVG, `${SVG}\n`, `${SVG}\n\n`]) {
    expect(readConfig(around({ logo: svg(text) })).theme.logo).toBe(svg(text));
  }
  const png = `data:image/png;base64,${base64("\u0089PNG\r\n\u001A\n".padEnd(4000, "\u00FE\u0001"))}`;
  expect(readConfig(around({ logo: png })).theme.logo).toBe(png);
});

test.each([
  ["https://acme.example/logo.png", "is an address, but pages load nothing from other sites"],
  ["logo.svg", "is not an SVG or PNG image in base64"],
  [`data:image/svg+xml,${encodeURIComponent(SVG)}`, "is not an SVG or PNG image in base64"],
  [`data:image/gif;base64,${base64("GIF89a")}`, "is not an SVG or PNG image in base64"],
  [`data:text/html;base64,${base64("<script>")}`, "is not an SVG or PNG image in base64"],
  [`${svg(SVG)}"onerror="alert(1)`, "is not an SVG or PNG image in base64"],
  ["data:image/png;base64,", "is not an SVG or PNG image in base64"],
  [svg("x".repeat(6000)), "is too long"],
])("of the logo %j it is said that it %s", (logo, problem) => {
  expect(faults({ logo })).toEqual([`theme.logo: ${problem}; ${LOGO_FIX}`]);
});

test("a logo's base64 is no secret, but a key in its place is", () => {
  expect(faults({ logo: `sk-${"a1B2c3D4".repeat(5)}` })).toEqual([
    expect.stringContaining("theme.logo: looks like a secret itself"),
  ]);
});

const readable = (light: string, dark: string) => faults({ accent: { light, dark } });

test("an accent is refused where its links could not be read, and the contrast is given", () => {
  expect(readable("#1f5fd0", "#82aef8")).toEqual([]);
  expect(readable("#ffdd00", "#1f5fd0")).toEqual([
    "theme.accent.dark: is hard to read on a dark page: its contrast is 2.6:1, but text needs 4.5:1; write a lighter color",
    "theme.accent.light: is hard to read on a light page: its contrast is 1.2:1, but text needs 4.5:1; write a darker color",
  ]);
  // Just below the limit, and just above it.
  expect(readable("#707070", "#8a8a8a")).toHaveLength(2);
  expect(readable("#6e6e6e", "#8b8b8b")).toEqual([]);
});

test.each(["red", "#fff", "#1f5fd", "#1f5fd0;}", "1f5fd0", "#1f5fd0ff", ""])("%j is no color", (color) => {
  expect(readable(color, "#82aef8")).toEqual([
    'theme.accent.light: is not a # and six hexadecimal digits; write a color like "#1f5fd0"',
  ]);
});

const link = (url: unknown, name: unknown = "Help") => faults({ links: [{ name, url }] });
const LINK_FIX = "write it like https://acme.example/contact";

test("a link leads to any https address", () => {
  const url = "https://acme.example/help/0123456789abcdef0123456789abcdef?from=status#top";
  expect(readConfig(around({ links: [{ name: "Help", url }] })).theme.links).toEqual([{ name: "Help", url }]);
});

test.each([
  ["javascript:alert(1)", `is not a web address; ${LINK_FIX}`],
  ["javascript://acme.example/%0aalert(1)", `is not https; ${LINK_FIX}`],
  ["/help", `is not a web address; ${LINK_FIX}`],
  ["http://acme.example", `is not https; ${LINK_FIX}`],
  [
    "https://someone@acme.example",
    "contains user info; remove everything between // and @; a key belongs in a secret",
  ],
])("the link %j %s", (url, fault) => {
  expect(link(url)).toEqual([`theme.links[0].url: ${fault}`]);
});

test("names and numbers of links have limits", () => {
  const fix = "write 1 to 30 characters in quotes, none of them a control character";
  expect(link("https://acme.example", "")).toEqual([`theme.links[0].name: is empty; ${fix}`]);
  expect(link("https://acme.example", "x".repeat(31))).toEqual([`theme.links[0].name: is too long; ${fix}`]);
  const links = Array.from({ length: 6 }, () => ({ name: "Help", url: "https://acme.example" }));
  expect(faults({ links })).toEqual(["theme.links: is too long; use at most 5"]);
});

const [LIGHT = "", DARK = ""] =
  readFileSync("src/http/assets/style.css", "utf8").match(/:root \{[^}]*--ground:[^}]*\}/gu) ?? [];

/** Channels of a color of the stylesheet, like `--card: #fff`. */
function channels(scheme: string, name: string): readonly number[] {
  const [, hex = ""] = new RegExp(`--${name}: #([0-9a-f]+);`, "u").exec(scheme) ?? [];
  const digits = hex.length === 3 ? hex.replaceAll(/./gu, "$&$&") : hex;
  return digits.match(/../gu)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
}

test.each([
  ["light", LIGHT, (page: number, ground: number) => page >= ground],
  ["dark", DARK, (page: number, ground: number) => page <= ground],
] as const)(
  "no %s ground of the pages is harder to read on than the one that accents are judged by",
  (...of) => {
    const [scheme, colors, isEasier] = of;
    const judged = channels(`--judged: ${GROUNDS[scheme]};`, "judged");
    const card = channels(colors, "card");
    const blocked = channels(colors, "blocked");
    const tinted = card.map((value, index) => value + 0.07 * ((blocked[index] ?? 0) - value));
    for (const ground of [channels(colors, "ground"), card, tinted]) {
      expect(ground).toHaveLength(3);
      for (const [index, value] of ground.entries())
        expect(isEasier(value, judged[index] ?? 0), `${value}`).toBe(true);
    }
  },
);

test("the accent of the stylesheet itself would be taken", () => {
  const hex = (scheme: string) => /--link: (#[0-9a-f]{6});/u.exec(scheme)?.[1] ?? "";
  expect(readable(hex(LIGHT), hex(DARK))).toEqual([]);
});
