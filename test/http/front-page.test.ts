/** The overview that was rendered when it was published: who gets it as it is, and for whom it is rendered again. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { packSnapshot, type RenderedPage, type SnapshotFacts } from "../../src/history/snapshot.ts";
import { renderFrontPage } from "../../src/http/page-routes.ts";
import { type Language, LANGUAGES } from "../../src/config/config.ts";
import { config, gateway } from "../fixtures/config.ts";
import { emptyTail } from "../history/published-history.ts";
import { NOW_MS, resolvedIncident, statusDocument } from "./documents.ts";
import { depsOf, storedSnapshot, storeSnapshot, useWorld } from "./published-status.ts";

const world = useWorld();

const FACTS = { lastTickMs: NOW_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS, sequence: 1 };
const AS_PUBLISHED = "<p>As published.</p>";

interface Published {
  readonly language?: Language;
  readonly facts?: Partial<SnapshotFacts>;
  /** What the page becomes; default: it stays as it was rendered. */
  readonly changed?: Partial<RenderedPage>;
}

async function publish({ language = "en", facts = {}, changed = {} }: Published): Promise<RenderedPage> {
  const status = statusDocument();
  const tail = emptyTail({ language, incidents: [resolvedIncident(0, NOW_MS - MINUTE_MS)] });
  const told = { ...FACTS, ...facts };
  const deps = depsOf(world.kv, { config: config([gateway("acme")], { language }) });
  const rendered = await renderFrontPage({ status, tail, facts: told }, NOW_MS, deps);
  const page = { ...rendered, ...changed };
  const { bytes, metadata } = await packSnapshot(status, tail, told, page);
  await world.kv.put(snapshotKey(0), bytes, { metadata });
  return page;
}

async function pageFor(path: string, headers: Record<string, string> = {}, nowMs = NOW_MS): Promise<string> {
  return (await world.ask(path, { headers }, { now: () => nowMs })).text();
}

test.each(LANGUAGES)("it is what a request would have rendered: %s", async (language) => {
  const { html } = await publish({ language });
  await publish({ language, changed: { assets: "of another version" } });
  expect(html).toContain(language === "en" ? "Recent incidents" : "近期事件");
  const answer = await world.ask("/", {}, { config: config([gateway("acme")], { language }) });
  expect(await answer.text()).toBe(html);
});

test.each<[who: string, path: string, headers: Record<string, string>]>([
  ["who asks for nothing else", "/", {}],
  ["who prefers its language", "/", { "accept-language": "en-GB,zh;q=0.5" }],
  ["who prefers a language that pages do not have", "/", { "accept-language": "fr" }],
  ["who adds a parameter that nobody knows", "/?utm=1", {}],
])("it is sent as it is to a reader %s", async (_, path, headers) => {
  await publish({ changed: { html: AS_PUBLISHED } });
  const answer = await world.ask(path, { headers });
  expect(await answer.text()).toBe(AS_PUBLISHED);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("vary")).toBe("accept-language");
  const etag = answer.headers.get("etag") ?? "";
  expect((await world.ask(path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

test.each<
  [when: string, published: Published, path?: string, headers?: Record<string, string>, nowMs?: number]
>([
  ["another language is preferred", {}, "/", { "accept-language": "zh" }],
  ["the address names a language", {}, "/?lang=en"],
  ["the address has a filter", {}, "/?state=up"],
  ["it is older than four minutes", {}, "/", {}, NOW_MS + 4 * MINUTE_MS + 1],
  ["the clock was set back since", {}, "/", {}, NOW_MS - 4 * MINUTE_MS - 1],
  ["the checks have stopped", { facts: { lastTickMs: NOW_MS - 60 * MINUTE_MS } }],
  ["another version published it", { changed: { assets: "/assets/0.css" } }],
])(
  "it is rendered anew when %s",
  async (_, { facts, changed = {} }, path = "/", headers = {}, nowMs = NOW_MS) => {
    await publish({ ...(facts && { facts }), changed: { html: AS_PUBLISHED, ...changed } });
    const html = await pageFor(path, headers, nowMs);
    expect(html).not.toContain(AS_PUBLISHED);
    expect(html).toContain("</html>");
  },
);

test("of several shards it is rendered from what all published", async () => {
  await publish({ changed: { html: AS_PUBLISHED } });
  await world.publishShard(1, statusDocument());
  const html = await (await world.ask("/", {}, { shards: 2 })).text();
  expect(html).toContain("The monitor is up");
  expect(html).not.toContain(AS_PUBLISHED);
});

test("what is packed behind it is read, and a value that ends within it is not", async () => {
  await publish({});
  const ended = await world.text("/api/v1/incidents");
  expect(JSON.parse(ended)).toMatchObject({ incidents: [{ resolvedAt: expect.any(String) }] });
  const { bytes, metadata } = await storedSnapshot(world);
  const end = JSON.stringify(statusDocument()).length + 100;
  await storeSnapshot(world, { bytes: bytes.slice(0, end), metadata });
  expect((await world.ask("/")).status).toBe(503);
});

test.each(LANGUAGES)(
  "without gateways it says what to do, before and after the first tick: %s",
  async (language) => {
    const deps = { config: config([], { language }) };
    await world.clear();
    const before = await world.ask("/", {}, deps);
    await world.publish(statusDocument({ gateways: [] }));
    const after = await world.ask("/", {}, deps);
    const html = await after.text();
    expect([before.status, after.status, await before.text()]).toEqual([200, 200, html]);
    for (const command of ["init --from .", "add", "check", "deploy"])
      expect(html).toContain(`<code>npx gatepulse ${command}</code>`);
    // Programs are answered as ever.
    for (const path of ["/api/v1/status", "/feed.atom", "/api/v2/summary.json", "/metrics"])
      expect((await world.ask(path, {}, deps)).status).toBe(200);
  },
);
