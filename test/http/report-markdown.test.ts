/** Problem reports as Markdown, for the API and to copy from the page. */
import { Parser } from "commonmark";
import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { reportMarkdown } from "../../src/http/pages/report-rows.ts";
import { CATALOGUES } from "../../src/http/pages/words/languages.ts";
import { publishedIncident, reportDocument, statusDocument, useWorld } from "./published-status.ts";

const world = useWorld();
const REPORT = reportDocument({ message: "no credit", reproduce: "curl -sS '$GATEWAY_BASE_URL/v1/models'" });

beforeEach(async () => {
  const published = { ...publishedIncident(), reports: [REPORT], fullReports: [REPORT] };
  await world.publish(statusDocument(), { incidents: [published] });
});

async function ask(path: string, accept: string): Promise<Response> {
  return world.ask(path, { headers: { accept } });
}

test("who accepts Markdown gets it, everybody else JSON", async () => {
  const path = `/api/v1/reports/${REPORT.id}`;
  const answer = await ask(path, "text/markdown");
  expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(answer.headers.get("vary")).toBe("accept, authorization");
  expect(await answer.text()).toBe(reportMarkdown(REPORT, "Acme · models", CATALOGUES.en));
  for (const accept of ["*/*", "application/json", "text/html"]) {
    const other = await ask(path, accept);
    expect(other.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(other.headers.get("etag")).not.toBe(answer.headers.get("etag"));
  }
});

test("it tells what the report has, and nothing of what it lacks", () => {
  const text = reportMarkdown(REPORT, "Acme · models", CATALOGUES.en);
  expect(text).toContain("# Problem report: `Acme · models`\n\n- Endpoint: `$GATEWAY_BASE_URL/v1/models`\n");
  expect(text).toContain("- Message: `no credit`\n");
  expect(text).toContain("\n## To reproduce\n\n```sh\ncurl -sS '$GATEWAY_BASE_URL/v1/models'\n```\n");
  expect(text).not.toContain("Task id");
  expect(reportMarkdown({ ...REPORT, reproduce: null }, "Acme · models", CATALOGUES.en)).not.toContain(
    "reproduce",
  );
});

/** Kinds of nodes, in the order of the document. */
function kindsOf(markdown: string): readonly string[] {
  const walker = new Parser().parse(markdown).walker();
  const kinds: string[] = [];
  for (let step = walker.next(); step; step = walker.next()) if (step.entering) kinds.push(step.node.type);
  return kinds;
}

test("no words of a gateway change what is read of it", () => {
  const signs = ["`", "```", "~~~", "\n", "\n\n# ", "](http://e)", "<b>", "|", "- ", "> ", "a", " ", "&amp;"];
  const hostile = fc
    .array(fc.constantFrom(...signs), { maxLength: 12 })
    .map((parts) => `x${parts.join("")}x`);
  const harmless = kindsOf(
    reportMarkdown({ ...REPORT, errorCode: "x", message: "x", requestId: "x" }, "x", CATALOGUES.en),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const report = { ...REPORT, errorCode: text, message: text, requestId: text, reproduce: text };
      expect(kindsOf(reportMarkdown(report, text, CATALOGUES.en))).toEqual(harmless);
    }),
  );
});

test("the page has it to copy, in its own words", async () => {
  const page = await (await ask(`/reports/${REPORT.id}?lang=zh`, "text/html")).text();
  expect(page).toContain('<pre tabindex="0"># 问题报告：`Acme · models`');
  expect(page).toContain("`no credit`");
});
