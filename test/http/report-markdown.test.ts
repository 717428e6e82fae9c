/** Problem reports as Markdown, for the API and to copy from the page. */
import * as fc from "fast-check";
import { Parser } from "commonmark";
import { beforeEach, expect, test } from "vitest";
import { reportMarkdown } from "../../src/http/pages/incident-page.tsx";
import { EN } from "./words.ts";
import { expectWords } from "./html.ts";
import { publishedIncident, reportDocument, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
const REPORT = reportDocument({ message: "no credit", reproduce: "curl -sS '$GATEWAY_BASE_URL/v1/models'" });
const markdownOf = (more: Partial<typeof REPORT> = {}, name = "Acme · models") =>
  reportMarkdown({ ...REPORT, ...more }, name, EN);

beforeEach(() => {
  const published = { ...publishedIncident(), reports: [REPORT], fullReports: [REPORT] };
  return world.publish(statusDocument(), { incidents: [published] });
});

test("who accepts Markdown gets it, everybody else JSON", async () => {
  const ask = (accept: string) => world.ask(`/api/v1/reports/${REPORT.id}`, { headers: { accept } });
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
  const stored = { ...REPORT, message: "organization `acme` at 203.0.113.7" };
  const published = { ...publishedIncident(), reports: [stored], fullReports: [stored] };
  await world.publish(statusDocument(), { incidents: [published] });
  const path = `/api/v1/reports/${REPORT.id}`;
  expect(await (await world.ask(path)).json()).toMatchObject({ message: "organization [id] at [address]" });
  for (const page of [path.slice(7), `/incidents/${published.incident.id}`])
    expect(await world.text(page)).not.toMatch(/`acme`|203\.0/u);
  const adminToken = "an-admin-token-of-tests";
  const headers = { authorization: `Bearer ${adminToken}` };
  expect(await (await world.ask(path, { headers }, { adminToken })).json()).toMatchObject(stored);
});

test("it tells what the report has, and nothing of what it lacks", () => {
  expectWords(
    markdownOf(),
    [
      "# Problem report: `Acme · models`\n\n- Endpoint: `$GATEWAY_BASE_URL/v1/models`\n",
      "- Message: `no credit`\n",
      "\n## To reproduce\n\n```sh\ncurl -sS '$GATEWAY_BASE_URL/v1/models'\n```\n",
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
  const page = await world.text(`/reports/${REPORT.id}?lang=zh`);
  expectWords(page, ['<pre id="report" tabindex="0"># 问题报告：`Acme · models`', "`no credit`"]);
});
