/** Incidents and their reports, also as Markdown. */
import { beforeEach, expect, test } from "vitest";
import type { PublishedIncident, ReportDocument } from "../../src/history/documents.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { newestIncidents, publishArchive } from "./published-status.ts";
import {
  gatewayDocument,
  monitorDocument,
  publishedIncident,
  reportDocument,
  statusDocument,
} from "./documents.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import { useWorld } from "./published-status.ts";
import * as fc from "fast-check";
import { Parser } from "commonmark";
import { reportMarkdown } from "../../src/http/pages/incident-page.tsx";
import { EN } from "./words.ts";
import { expectWords } from "./html.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument(), { incidents: [OPEN] }));

const TOKEN = "0123456789abcdef";
const OPEN = publishedIncident();
const ID = "acme-models-20261120t080000z";
const REPORT = `/api/v1/reports/${ID}-1`;
const ADMIN = { authorization: `Bearer ${TOKEN}` };

async function get(path: string, headers: Record<string, string> = {}, adminToken: string | null = TOKEN) {
  return world.ask(path, { headers }, { adminToken });
}

function publishMany(): Promise<PublishedIncident> {
  return publishArchive(world, [OPEN, ...newestIncidents(600_000)]);
}

test("incidents come newest first, with a link to the older ones, which come from segments", async () => {
  const old = await publishMany();
  const first = await get("/api/v1/incidents");
  const page = (await first.json()) as { incidents: { id: string }[]; next: string; gaps: unknown[] };
  expect(page.incidents).toHaveLength(1 + 40);
  expect(page.incidents[0]).toEqual(OPEN.incident);
  expect(page.gaps).toEqual([]);
  expect(page.next).toBe("2026-11-20T05:20:00.000Z");
  const link = /^<(.+)>; rel="next"$/u.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = (await (await get(link)).json()) as { incidents: { id: string }[]; next: string | null };
  expect(second.incidents).toHaveLength(11);
  expect(second.incidents.at(-1)).toEqual(old.incident);
  expect(second.next).toBeNull();
});

test("a list that lacks a segment which cannot be read tells the gap, and nobody keeps it", async () => {
  await publishMany();
  const whole = await get("/api/v1/incidents?before=2026-11-20T05:20:00.000Z");
  expect(whole.headers.get("cache-control")).toBe("public, max-age=15");
  await world.kv.delete(segmentKey(0, "day", "2026-11-10"));
  const lacking = await get("/api/v1/incidents?before=2026-11-20T05:20:00.000Z");
  expect(await lacking.json()).toMatchObject({ gaps: [{ period: "2026-11-10", reason: "absent" }] });
  expect(lacking.headers.get("cache-control")).toBe("no-store");
});

test("a bad `before` is a 400", async () => {
  const response = await get("/api/v1/incidents?before=1");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ pointer: "#/before" }] });
});

test("an incident is told with its timeline and the ids of its reports", async () => {
  const response = await get(`/api/v1/incidents/${ID}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ...OPEN.incident, reports: [`${ID}-1`, `${ID}-2`] });
});

test("an older incident and its report are found in the segments", async () => {
  const old = await publishMany();
  const { id } = old.incident;
  expect(await (await get(`/api/v1/incidents/${id}`)).json()).toMatchObject(old.incident);
  expect(await (await get(`/api/v1/reports/${id}-2`)).json()).toEqual(old.reports[1]);
  for (const path of [`/incidents/${id}`, `/reports/${id}-2`]) expect((await get(path)).status).toBe(200);
});

test("an incident of several gateways tells no cause once one of them publishes its health alone", async () => {
  const provider = { name: "OpenAI", gateways: [{ id: "beta", name: "Beta" }] };
  const incident = { ...OPEN.incident, monitors: ["acme/models", "beta/models"], provider };
  await world.publish(statusDocument(), { incidents: [{ ...OPEN, incident }], withCauses: ["acme"] });
  const told = await (await get(`/api/v1/incidents/${ID}`)).json();
  expect(told).toMatchObject({ cause: null, owner: null, report: null, reports: [] });
  expect(told).not.toHaveProperty("provider");
});

test("the public report hides what the full one shows to the administrator", async () => {
  const open = await get(REPORT);
  expect(await open.json()).toEqual(reportDocument());
  expect(open.headers.get("vary")).toBe("accept, authorization");
  const full = await get(REPORT, ADMIN);
  expect(await full.json()).toEqual(reportDocument({ endpoint: "https://api.acme.example/v1/models" }));
  expect(full.headers.get("cache-control")).toBe("private, no-store");
  expect(full.headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
  for (const name of ["access-control-allow-origin", "etag"]) expect(full.headers.has(name)).toBe(false);
});

test("another token is refused, and the answer tells nothing of the report", async () => {
  const response = await get(REPORT, { authorization: `Bearer ${TOKEN.slice(0, -1)}x` });
  expect(response.status).toBe(401);
  const { "www-authenticate": scheme, "cache-control": caching } = Object.fromEntries(response.headers);
  expect([scheme, caching]).toEqual(["Bearer", "no-store"]);
  expect(await response.text()).not.toContain("acme.example");
});

test.each([
  ["the token is shorter than 16 characters", TOKEN.slice(1), `Bearer ${TOKEN.slice(1)}`],
  ["the request uses another scheme", TOKEN, `Basic ${TOKEN}`],
])("where %s, the report is the public one", async (_name, adminToken, authorization) => {
  const response = await get(REPORT, { authorization }, adminToken);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(reportDocument());
});

test("a gateway that has begun to publish its health alone tells no cause of older incidents either, anywhere", async () => {
  const gateways = [gatewayDocument({ monitors: [monitorDocument({ status: "blocked", diagnosis: null })] })];
  await world.publish(statusDocument({ gateways }), { incidents: [OPEN], withCauses: [] });
  const urls = Object.values(EVERY_ROUTE).map(({ url }) => url);
  const paths = urls.filter((url) => !/reports|openapi|schemas|docs|causes|explain|assets/u.test(url));
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await world.text(path));
  for (const [path, text] of texts)
    expect(text, path).not.toMatch(/insufficient|balance|top up|caller|credit/iu);
  const told = [...texts].flatMap(([path, text]) => (text.includes(ID) ? [path] : []));
  expect(told).toEqual(
    expect.arrayContaining([
      `/api/v1/incidents/${ID}`,
      `/incidents/${ID}`,
      "/feed.atom",
      "/api/v2/incidents.json",
    ]),
  );
  expect(texts.get(`/incidents/${ID}`)).toContain("not published");
  for (const path of [REPORT, `/reports/${ID}-1`]) expect((await get(path)).status).toBe(404);
  expect((await get(REPORT, ADMIN)).status).toBe(200);
});

const markdownOf = (more: Partial<ReportDocument> = {}, name = "Acme · models") =>
  reportMarkdown(reportDocument(more), name, EN);

test("who accepts Markdown gets it, everybody else JSON", async () => {
  const ask = (accept: string) => get(REPORT, { accept });
  const answer = await ask("text/markdown");
  expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(answer.headers.get("vary")).toBe("accept, authorization");
  expect(await answer.text()).toBe(markdownOf());
  for (const accept of ["*/*", "application/json", "text/html"]) {
    const other = await ask(accept);
    expect(other.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(other.headers.get("etag")).not.toBe(answer.headers.get("etag"));
  }
});

test("what an older version stored is shown without accounts and addresses, and whole to the administrator", async () => {
  const stored = reportDocument({ message: "organization `acme` at 203.0.113.7" });
  const published = { ...OPEN, reports: [stored], fullReports: [stored] };
  await world.publish(statusDocument(), { incidents: [published] });
  expect(await (await get(REPORT)).json()).toMatchObject({ message: "organization [id] at [address]" });
  for (const page of [`/reports/${ID}-1`, `/incidents/${ID}`])
    expect(await world.text(page)).not.toMatch(/`acme`|203\.0/u);
  expect(await (await get(REPORT, ADMIN)).json()).toMatchObject(stored);
});

test("it tells what the report has, and nothing of what it lacks", () => {
  expectWords(
    markdownOf(),
    [
      "# Problem report: `Acme · models`\n\n- Endpoint: `$GATEWAY_BASE_URL/v1/models`\n",
      "- Message: `no credit`\n",
      '\n## To reproduce\n\n```sh\ncurl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models\n```\n',
    ],
    ["Task id"],
  );
  expect(markdownOf({ reproduce: null })).not.toContain("reproduce");
  const known = {
    incident: "a-1",
    failingSince: "2026-11-20T11:59:00.000+00:00",
    completionId: "msg_1",
    streamed: "2 events",
  };
  expectWords(markdownOf(known), [
    "- Failing since: `2026-11-20T11:59:00.000+00:00`\n",
    "- Completion id: `msg_1`\n",
    "- Stream until then: `2 events`\n",
    "- Incident: `a-1`\n",
  ]);
  const incidentUrl = "https://status.example/incidents/a-1";
  expectWords(markdownOf({ ...known, incidentUrl }), [`- Incident: \`${incidentUrl}\`\n`]);
});

/** Kinds of nodes and the texts of codes, in the order of the document. */
function nodesOf(markdown: string): readonly (readonly [type: string, text: string | null])[] {
  const walker = new Parser().parse(markdown).walker();
  const nodes: [string, string | null][] = [];
  for (let step = walker.next(); step; step = walker.next()) {
    if (step.entering) nodes.push([step.node.type, step.node.literal]);
  }
  return nodes;
}

test("any words of a gateway are read as they are, and nothing else is read from them", () => {
  const signs = [
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n# ",
    "](http://e)",
    "<b>",
    "|",
    "- ",
    "> ",
    "a",
    " ",
    "&amp;",
  ];
  const hostile = fc
    .array(fc.constantFrom(...signs, "\\", "\t", "\u202e", "界", "*"), { maxLength: 20 })
    .map((parts) => parts.join(""))
    .filter((text) => /[^\s\u202e]/u.test(text));
  const saying = (text: string) => ({ errorCode: text, message: text, requestId: text, reproduce: text });
  const harmless = nodesOf(markdownOf(saying("x"), "x"));
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = text.replaceAll("\u202e", " ").replace(/\s+/g, " ").trim();
      const expected = harmless.map(([type, read]) => [
        type,
        read?.replace(/^x(?=\n?$)/u, () => shown) ?? null,
      ]);
      expect(nodesOf(markdownOf(saying(text), text))).toEqual(expected);
    }),
  );
});

test("the page has it to copy, in its own words", async () => {
  const page = await world.text(`/reports/${ID}-1?lang=zh`);
  expectWords(page, ['<pre id="report" tabindex="0"># 问题报告：`Acme · models`', "`no credit`"]);
});
