import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCRIPT_PATH, STYLESHEET_PATH } from "../../src/http/pages/layout.tsx";

const STYLESHEET = readFileSync("src/http/assets/style.css", "utf8");

type Colour = readonly number[];
type Scheme = ReadonlyMap<string, Colour>;

function colourOf(hex: string): Colour {
  const digits = hex.length === 3 ? hex.replaceAll(/./gu, "$&$&") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

function schemeOf(block: string): Scheme {
  const found = block.matchAll(/--([a-z]+): #([0-9a-f]{6}|[0-9a-f]{3});/gu);
  return new Map([...found].map(([, name = "", hex = ""]) => [name, colourOf(hex)]));
}

const BLOCKS = [...STYLESHEET.matchAll(/(@media [^{]*)?\s*\{?\s*:root \{([^}]*)\}/gu)];
const MEDIA = BLOCKS.map(([, media = ""]) => media.trim());
const [light, dark, print] = BLOCKS.map(([, , block = ""]) => schemeOf(block)) as [Scheme, Scheme, Scheme];

const SCHEMES: readonly (readonly [string, Scheme])[] = [
  ["light", light],
  ["dark", new Map([...light, ...dark])],
  ["print", new Map([...light, ...print])],
];

/** WCAG 2.2, relative luminance. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function named(scheme: Scheme, name: string): Colour {
  const colour = scheme.get(name);
  if (colour === undefined) throw new Error(`--${name} is no colour`);
  return colour;
}

/** `color-mix(in srgb, <name> <percent>%, var(--card))`. */
function tinted(scheme: Scheme, name: string, percent: number): Colour {
  const card = named(scheme, "card");
  const share = percent / 100;
  return named(scheme, name).map((value, index) => value * share + (card[index] ?? 0) * (1 - share));
}

const TONES = ["up", "degraded", "down", "blocked", "unknown", "link"];
const SIZES = ["xs", "sm", "md", "lg", "xl", "xxl", "round", "tone", "age"];

/** How much of its colour a band mixes into the card. */
const BAND_PERCENT = Number(
  /\n\.run \{ fill: color-mix\(in srgb, var\(--tone\) (\d+)%/u.exec(STYLESHEET)?.[1],
);

test("one scheme is for all, one for dark screens and one for paper, and each has colours", () => {
  expect(MEDIA).toEqual(["", "@media screen and (prefers-color-scheme: dark)", "@media print"]);
  expect([light.size, dark.size, print.size]).toEqual([12, 12, 5]);
  expect(named(print, "text")).toEqual([0, 0, 0]);
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21);
});

test("every colour that a rule names is one of the scheme's", () => {
  const used = new Set([...STYLESHEET.matchAll(/var\(--([a-z]+)\)/gu)].map(([, name = ""]) => name));
  for (const size of SIZES) used.delete(size);
  expect([...used].toSorted()).toEqual([...light.keys()].toSorted());
  const bare = STYLESHEET.replaceAll(/:root \{[^}]*\}/gu, "");
  expect(bare.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gu)).toBeNull();
});

test("what has the focus is marked, and nothing takes the mark away", () => {
  expect(STYLESHEET).toMatch(/\n:focus-visible \{ outline: 2px solid var\(--link\);/u);
  expect(STYLESHEET.match(/outline:/gu)).toHaveLength(1);
});

test("nothing moves, so nobody has to ask for less motion", () => {
  expect(STYLESHEET).not.toMatch(/animation|transition|scroll-behavior|@keyframes/u);
});

type Drawn = readonly [what: string, line: Colour, ground: Colour];

test.each(SCHEMES)("in %s bars and lines of charts are seen", (_, scheme) => {
  const drawn: readonly Drawn[] = [
    ...[...TONES, "day"].flatMap((tone) =>
      ["card", "ground"].map((on): Drawn => [`${tone} on ${on}`, named(scheme, tone), named(scheme, on)]),
    ),
    ...["down", "degraded", "blocked", "unknown"].flatMap((tone) =>
      ["link", "soft"].map((line): Drawn => {
        return [`${line} over ${tone}`, named(scheme, line), tinted(scheme, tone, BAND_PERCENT)];
      }),
    ),
  ];
  for (const [what, line, ground] of drawn) expect(contrast(line, ground), what).toBeGreaterThan(3);
});

test.each([
  ["style.css", STYLESHEET_PATH, "css"],
  ["script.js", SCRIPT_PATH, "js"],
])("%s has another address whenever its contents change", (name, path, extension) => {
  const hash = createHash("sha256")
    .update(readFileSync(`src/http/assets/${name}`))
    .digest("hex");
  expect(path).toBe(`/assets/${hash.slice(0, 16)}.${extension}`);
});
