/** What is to be read: the causes, each under its own name, and the API; what leads there, and within. */
import { beforeEach, expect, test } from "vitest";
import { CAUSE_ADVICE, CAUSES } from "../../src/protocol/diagnosis.ts";
import { expectWords, readHtml, textOf } from "./html.ts";
import { gatewayDocument, monitorThatIs, publishedIncident, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";
import { DESCRIPTION } from "../openapi/description.ts";
import type { apiDocument } from "../../src/http/description.ts";
import { EN, EVIDENCE, ZH } from "./words.ts";

const API: Awaited<ReturnType<typeof apiDocument>> = DESCRIPTION;

const OPERATIONS = Object.values(API.paths).flatMap((methods) => Object.values(methods));

const world = useWorld();
beforeEach(() => world.publish(statusDocument()));

async function get(path: string): Promise<string> {
  const answer = await world.ask(path);
  expect(answer.status).toBe(200);
  return answer.text();
}

const entryOf = (html: string, cause: string) =>
  textOf(html.split(`<h2 id="${cause}">`)[1]?.split("</section>")[0] ?? "");

/** Without the spaces that stand where code begins and ends. */
const joined = (text: string) => text.replaceAll(/[\s`]/gu, "");

test.each([
  ["/causes", EN, EVIDENCE.en],
  ["/causes?lang=zh", ZH, EVIDENCE.zh],
])(
  "%s has an entry of each cause: its name, what decides it, and what to do",
  async (path, words, evidence) => {
    const html = await get(path);
    for (const cause of CAUSES) {
      expectWords(joined(entryOf(html, cause)), [
        joined(`${words.causes[cause]} ${cause}`),
        joined(evidence[cause]),
        joined(words.stored?.advice[cause] ?? CAUSE_ADVICE[cause]),
      ]);
    }
  },
);

test.each([
  ["/causes", CAUSES],
  ["/causes?lang=zh", CAUSES],
  ["/docs", OPERATIONS.map(({ operationId }) => operationId)],
])("%s is well formed, and what leads within it leads somewhere", async (path, some) => {
  const html = await get(path);
  expect(() => readHtml(html)).not.toThrow();
  const ids = [...html.matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const within = [...html.matchAll(/ href="#([^"]*)"/gu)].map(([, id]) => id);
  expect(within.filter((id) => !ids.includes(id))).toEqual([]);
  expect(within).toEqual(expect.arrayContaining([...some]));
});

test("the page of causes says whose turn it is, and when to retry", async () => {
  const html = await get("/causes");
  for (const [cause, words] of [
    ["rate_limited", "Retry under 429, if the request is safe to repeat"],
    ["upstream_unavailable", "Retry under 502, 503, 504, if"],
    ["insufficient_balance", "Retry never"],
    ["insufficient_balance", "Whose turn the owner of the monitor’s key"],
    ["ok", "Retry not needed"],
  ] as const) {
    expect(entryOf(html, cause)).toContain(words);
  }
});

test.each(["/", "/docs", "/gateways/acme"])("%s leads to both, and to no cause", async (path) => {
  expectWords(await get(path), ['<a href="/causes">', '<a href="/docs'], ['href="/causes#']);
});

const FAILING = publishedIncident();
const INCIDENT = `/incidents/${FAILING.incident.id}`;

test("what fails leads from its card, its incident and its report to the entry of its cause", async () => {
  const monitors = [monitorThatIs("blocked", { incident: FAILING.incident.id })];
  const status = statusDocument({ gateways: [gatewayDocument({ monitors })], incidents: [FAILING.incident] });
  await world.publish(status, { incidents: [FAILING] });
  for (const path of ["/gateways/acme", INCIDENT, `/reports/${FAILING.incident.id}-1`]) {
    expect((await get(path)).split('href="/causes#insufficient_balance"'), path).toHaveLength(2);
  }
});

const statusesIn = (part: string) =>
  [...part.matchAll(/<strong>(\d\w\w)<\/strong>/gu)].map(([, status = ""]) => status);
const partOf = (html: string, operationId: string) =>
  html.split(`<h3 id="${operationId}">`)[1]?.split("</article>")[0] ?? "";

test("each operation is there with its method, path and own answers, under an anchor of its own", async () => {
  const html = await get("/docs");
  for (const [path, methods] of Object.entries(API.paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      expect(textOf(partOf(html, operationId)), operationId).toContain(`${method.toUpperCase()} ${path}`);
    }
  }
  for (const [operationId, statuses] of Object.entries({
    getStatus: ["200"],
    getHealth: ["200", "503"],
    getReport: ["200", "401"],
    getMonitorBadge: ["200", "404", "503"],
    receiveAlert: ["410", "2XX"],
  })) {
    expect(statusesIn(partOf(html, operationId)), operationId).toEqual(statuses);
  }
});

test("in Chinese the words around the description are Chinese, and what is English says so", async () => {
  const html = await get("/docs?lang=zh");
  expectWords(html, ['<nav aria-label="目录">']);
  const english = (await get("/docs")).match(/<p dir="auto">[^<]{20,}<\/p>/gu) ?? [];
  expect(english.length).toBeGreaterThan(100);
  const unmarked = [...html.matchAll(/<(?:p|div><p dir="auto"|strong|h2)>([^<]+)</gu)].map(
    ([, words = ""]) => words,
  );
  expect(unmarked.filter((words) => /^[A-Z][a-z]+ /u.test(words))).toEqual([]);
});

test("the page leads to the schemas, and loads nothing but the stylesheet", async () => {
  const html = await get("/docs");
  expectWords(html, ['<a href="/openapi.json">', '<a href="/schemas/status.v1.json">']);
  const { tags } = readHtml(html);
  expect(tags.filter((tag) => /^<(script|img|iframe|style)|style/u.test(tag))).toEqual([]);
});
