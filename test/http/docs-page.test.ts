/** The API to read: everything that the description tells, on one page that loads nothing. */
import { beforeEach, expect, test } from "vitest";
import { OPENAPI_DOCUMENT } from "../../src/http/openapi-document.ts";
import { readHtml, textOf } from "./html.ts";
import { statusDocument, useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument()));

interface Operation {
  readonly operationId: string;
  readonly responses: object;
}

const API = JSON.parse(OPENAPI_DOCUMENT) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

async function docs(query = ""): Promise<string> {
  const answer = await world.ask(`/docs${query}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

function statusesIn(part: string): string[] {
  return [...part.matchAll(/<strong>(\d\w\w)<\/strong>/gu)].map(([, status = ""]) => status);
}

function partOf(html: string, operationId: string): string {
  const [, after = ""] = html.split(`<h3 id="${operationId}">`);
  return after.split("</article>")[0] ?? "";
}

test("each operation is there with its method, path and answers, under an anchor of its own", async () => {
  const html = await docs();
  const everywhere = statusesIn(html.slice(0, html.indexOf("<article")));
  for (const [path, methods] of Object.entries(API.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      const part = partOf(html, operationId);
      expect(textOf(part), operationId).toContain(`${method.toUpperCase()} ${path}`);
      const told = new Set([...everywhere, ...statusesIn(part)]);
      expect(Object.keys(responses).filter((status) => !told.has(status))).toEqual([]);
      expect(part, operationId).toContain("<pre>curl ");
    }
  }
});

test("what every address may answer is said once, and what one answers otherwise at its place", async () => {
  const html = await docs();
  const everywhere = html.slice(html.indexOf('id="Everywhere"'), html.indexOf('id="Status"'));
  expect(statusesIn(everywhere)).toEqual(["304", "308", "401", "405", "500", "503"]);
  for (const [operationId, statuses] of Object.entries({
    getStatus: ["200"],
    getHealth: ["200", "503"],
    getReport: ["200", "401", "404"],
    getMonitorBadge: ["200", "404", "503"],
    addNote: ["200", "400", "401", "404", "405", "409", "413", "422", "503"],
    receiveAlert: ["410", "2XX"],
  })) {
    expect(statusesIn(partOf(html, operationId)), operationId).toEqual(statuses);
  }
});

test("the words of the description are words there, without bare signs of Markdown", async () => {
  const html = (await docs()).replaceAll(/<pre>.*?<\/pre>/gsu, "");
  expect(html).not.toContain("`");
  expect(html).toContain("<code>cause</code>");
  expect(html).toContain("date-time or null");
});

test("in Chinese the words around the description are Chinese, and what is English says so", async () => {
  const html = await docs("?lang=zh");
  expect(textOf(html)).toContain("任何地址都可能返回：");
  expect(html).toContain('<nav aria-label="目录">');
  const english = (await docs()).match(/<p>[^<]{20,}<\/p>/gu) ?? [];
  expect(english.length).toBeGreaterThan(100);
  const unmarked = [...html.matchAll(/<(?:p|strong|h2)>([^<]+)</gu)].filter(([, words = ""]) =>
    /^[A-Z][a-z]+ /u.test(words),
  );
  expect(unmarked.map(([, words]) => words)).toEqual([]);
});

test("each schema is there with its members", async () => {
  const html = await docs();
  for (const name of Object.keys(API.components.schemas)) expect(html).toContain(`<h3 id="schema-${name}">`);
  expect(html).toContain("<code>gateways</code>");
  expect(textOf(html)).toContain("lastProbe.latencyMs");
});

test("it is well formed, its links lead somewhere, and no name is given twice", async () => {
  const html = await docs();
  expect(() => readHtml(html)).not.toThrow();
  const ids = [...html.matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const within = [...html.matchAll(/ href="#([^"]*)"/gu)].map(([, id]) => id);
  expect(within.filter((id) => !ids.includes(id))).toEqual([]);
  expect(within.length).toBeGreaterThan(100);
});

test("it loads nothing but the stylesheet", async () => {
  const { tags } = readHtml(await docs());
  expect(tags.filter((tag) => /^<(script|img|iframe|style)|style/u.test(tag))).toEqual([]);
});

test("a request can be typed as it is shown", async () => {
  const text = textOf(await docs());
  expect(text).toContain("curl 'https://status.example/api/v1/gateways/acme/monitors/models/history'");
  expect(text).toContain(
    `curl -X POST -H "Authorization: Bearer $ADMIN_TOKEN" 'https://status.example/api/v1/admin/alerts/test' -d '{"channel":"chat"}'`,
  );
});

test("it bears the site's title, and is there before anything was published", async () => {
  expect(textOf(await docs())).toContain("Acme gateways");
  await world.clear();
  expect(textOf(await docs())).toContain("API");
});

test("every page leads to it", async () => {
  const answer = await world.ask("/");
  expect(await answer.text()).toContain('<a href="/docs">');
});
