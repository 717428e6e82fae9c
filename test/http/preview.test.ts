/** How pages look: the stylesheet, the configured theme, and what other sites show where a page is linked. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Config, LANGUAGES } from "../../src/config/config.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { COLOURS } from "../../src/http/pages/view.ts";
import { cardPath, SCRIPT_PATH, STYLESHEET_PATH } from "../../src/http/pages/layout.tsx";
import { config, gateway, NO_THEME } from "../fixtures/config.ts";
import {
  gatewayThatIs,
  NOW_MS,
  plannedWindow,
  publishedIncident,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { BROWSER } from "./every-route.ts";
import { readHtml, textOf } from "./html.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const URL_OF_SITE = "https://status.acme.example";
const PUBLISHED = publishedIncident();
const INCIDENT = `/incidents/${PUBLISHED.incident.id}`;

interface Shown extends Partial<Pick<Config, "theme" | "url">> {
  readonly nowMs?: number;
  readonly viewToken?: string;
}

async function get(path: string, { nowMs = NOW_MS, viewToken, ...told }: Shown = {}): Promise<string> {
  const site = config([gateway("acme")], { title: "Acme gateways", ...told });
  const deps = { config: site, now: () => nowMs, viewToken: viewToken ?? null };
  return (await world.ask(path, { headers: BROWSER }, deps)).text();
}

/** The contents of elements `meta` by their property or name. */
function metaOf(html: string): Readonly<Record<string, string>> {
  const found = [...html.matchAll(/<meta ([^>]*)>/gu)].flatMap(([tag, attributes = ""]) => {
    const content = readHtml(tag).values.at(-1) ?? "";
    return [...attributes.matchAll(/(?:name|property)="([^"]*)"/gu)].map(([, key = ""]) => [key, content]);
  });
  return Object.fromEntries(found);
}

test.each(HEALTHS)(
  "where the worst is %s, a page is previewed by its words and the picture of that state",
  async (health) => {
    await world.publish(statusDocument({ gateways: [gatewayThatIs(health)] }), { incidents: [PUBLISHED] });
    for (const path of ["/", "/gateways/acme", INCIDENT]) {
      const html = await get(path, { url: URL_OF_SITE });
      const title = textOf(/<title>(.*?)<\/title>/u.exec(html)?.[1] ?? "");
      const meta = metaOf(html);
      expect(title).toContain("Acme gateways");
      expect(meta).toMatchObject({ "og:title": title, "twitter:card": "summary_large_image" });
      expect(meta["og:image"]).toBe(URL_OF_SITE + cardPath(health, "en"));
      expect(meta["og:description"]).toBe(meta["description"]);
      expect(meta["og:description"]).not.toBe("");
    }
  },
);

test("a stale page has the picture of what is not known, a planned one its own, and a Chinese one Chinese words", async () => {
  await world.publish(statusDocument());
  const pictureOf = async (path: string, nowMs = NOW_MS) =>
    metaOf(await get(path, { url: URL_OF_SITE, nowMs }))["og:image"]?.replace(URL_OF_SITE, "");
  expect(await pictureOf("/", STALE_MS)).toBe(cardPath("unknown", "en"));
  expect(await pictureOf("/?lang=zh")).toBe(cardPath("up", "zh"));
  await world.publish(statusDocument({ maintenance: [plannedWindow(["acme"])] }));
  expect(await pictureOf("/")).toBe(cardPath("maintenance", "en"));
});

test("without a known address there is no picture, and pages that tell no state have none", async () => {
  await world.publish(statusDocument());
  const pages: readonly (readonly [path: string, url: string | null])[] = [
    ["/", null],
    ["/docs", URL_OF_SITE],
    ["/causes", URL_OF_SITE],
    ["/explain", URL_OF_SITE],
    ["/nothing-here", URL_OF_SITE],
  ];
  for (const [path, url] of pages) {
    const meta = metaOf(await get(path, { url }));
    expect(meta).toMatchObject({
      "twitter:card": "summary",
      "og:title": expect.stringContaining("Acme gateways"),
    });
    expect(meta).not.toHaveProperty("og:image");
  }
});

const TONES = Object.keys(COLOURS) as (keyof typeof COLOURS)[];
const PICTURES = TONES.flatMap((tone) => LANGUAGES.map((language) => ({ tone, language })));
const FILES = PICTURES.map(({ tone, language }) => `${tone}-${language}.png`).toSorted();

test("there is a picture of each state in each language, and no other file", () => {
  expect(readdirSync("src/http/assets/cards").toSorted()).toEqual(FILES);
});

test.each(PICTURES)("$tone in $language is a PNG of 1200 by 630 pixels and at most 20 kB", async (of) => {
  const response = await world.ask(cardPath(of.tone, of.language));
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.equals(readFileSync(`src/http/assets/cards/${of.tone}-${of.language}.png`))).toBe(true);
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001A\n");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(bytes.length).toBeLessThanOrEqual(20_000);
});

test.each(["paused-en.png", "..%2fzh-en.png", "up-en.svg", "up.png"])(
  "there is no picture %s",
  async (name) => {
    expect((await world.ask(`/assets/${name}`)).status).toBe(404);
  },
);

test("the pictures have another address whenever one of them changes", () => {
  const hash = createHash("sha256");
  for (const name of FILES) hash.update(readFileSync(`src/http/assets/cards/${name}`));
  expect(cardPath("stale", "zh")).toBe(`/assets/unknown-zh.png?${hash.digest("hex").slice(0, 8)}`);
});

const LOGO = "data:image/svg+xml;base64,PHN2Zy8+";
const MARKUP = `"><script>alert('1')</script>&`;

test("a theme's name, logo and links are at the top of every page, and nothing of them is markup", async () => {
  await world.publish(statusDocument(), { incidents: [PUBLISHED] });
  const theme = {
    ...NO_THEME,
    name: `Acme ${MARKUP}`,
    logo: LOGO,
    links: [{ name: `Help ${MARKUP}`, url: "https://acme.example/?a=1&b='2'" }],
  };
  for (const path of ["/", "/gateways/acme", INCIDENT, "/docs", "/explain", "/nothing-here"]) {
    const html = await get(path, { theme });
    const header = /<header>.*?<\/header>/su.exec(html)?.[0] ?? "";
    const { tags, values, texts } = readHtml(header);
    expect(tags).toContain("<img src alt>");
    expect(tags.filter((tag) => tag.startsWith("<script"))).toEqual([]);
    expect(values).toEqual(expect.arrayContaining([LOGO, "https://acme.example/?a=1&b='2'"]));
    expect(texts).toEqual(expect.arrayContaining([`Acme ${MARKUP}`, `Help ${MARKUP}`]));
  }
});

test("an accent is part of the stylesheet that its address names, and of no other", async () => {
  await world.publish(statusDocument());
  const plain = await get("/");
  expect(plain).toContain(`<link rel="stylesheet" href="${STYLESHEET_PATH}">`);
  const path = `${STYLESHEET_PATH}?7a1fa2-d9a0ff`;
  expect(await get("/", { theme: { ...NO_THEME, accent: "7a1fa2-d9a0ff" } })).toContain(`href="${path}"`);
  const style = await (await world.ask(STYLESHEET_PATH)).text();
  const response = await world.ask(path);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await response.text()).replace(style, "")).toBe(":root{--link:light-dark(#7a1fa2,#d9a0ff)}");
  expect(style).toMatch(/:root \{[^}]*--link: #/u);
  for (const other of ["?7a1fa2", "?7a1fa2-d9a0ff}*", "?7a1fa2-red", "?}body{x", "?7a1fa2-d9a0ff&a"])
    expect(await (await world.ask(STYLESHEET_PATH + other)).text(), other).toBe(style);
});

test("a private page gives strangers neither its theme nor a preview nor pictures", async () => {
  await world.publish(statusDocument(), { incidents: [PUBLISHED] });
  const theme = {
    name: "Acme Secret",
    logo: LOGO,
    accent: "7a1fa2-d9a0ff",
    links: [{ name: "Help", url: "https://acme.example/" }],
  };
  const shown = { theme, url: URL_OF_SITE, viewToken: "a-token-of-viewers" };
  for (const path of ["/", "/gateways/acme", INCIDENT, "/docs", cardPath("down", "en")]) {
    const html = await get(path, shown);
    expect(html).toContain("This page is private");
    expect(html).not.toMatch(/og:|twitter:|acme|7a1fa2|base64|assets/iu);
  }
});

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

const COLOURED = ["up", "degraded", "down", "blocked", "unknown", "link"];
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
    ...[...COLOURED, "day"].flatMap((tone) =>
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
