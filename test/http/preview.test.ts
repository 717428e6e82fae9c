/** How pages look by the configured theme, and what other sites show where a page is linked. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Config, LANGUAGES } from "../../src/config/config.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { COLOURS } from "../../src/http/pages/view.ts";
import { STYLESHEET_PATH, cardPath } from "../../src/http/pages/layout.tsx";
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
