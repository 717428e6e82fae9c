import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PublishedIncident, StatusDocument } from "../../src/history/documents.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { type Html, readHtml } from "./html.ts";
import {
  BALANCE_GONE,
  depsOf,
  gatewayDocument,
  monitorDocument,
  publishedIncident,
  reportDocument,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const world = useWorld();

const INCIDENT = "acme-models-20261120t080000z";
const PAGES = ["/", "/gateways/acme", `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`];

/** Everything that a gateway, or whoever wrote the configuration, may have put into words. */
function worldOf(text: string): { status: StatusDocument; incidents: PublishedIncident[] } {
  const diagnosis: Diagnosis = {
    ...BALANCE_GONE,
    errorType: text,
    errorCode: text,
    requestId: text,
    taskId: text,
    taskState: text,
    message: text,
    advice: text,
  };
  const monitor = monitorDocument({
    kind: text,
    model: text,
    status: "blocked",
    diagnosis,
    missingModels: [text],
    incident: text,
    report: text,
  });
  const status = statusDocument({
    title: text,
    notice: text,
    status: "blocked",
    summary: { up: 0, degraded: 0, down: 0, blocked: 1, unknown: 0 },
    gateways: [gatewayDocument({ name: text, endpoint: text, monitors: [monitor] })],
    maintenance: [
      { gateways: [text], from: "2026-11-20T11:00:00.000Z", to: "2026-11-21T11:00:00.000Z", title: text },
    ],
  });
  const at = "2026-11-20T08:00:00.000Z";
  const { incident } = publishedIncident();
  const report = reportDocument({
    endpoint: text,
    modelId: text,
    requestId: text,
    errorType: text,
    errorCode: text,
    taskId: text,
    client: text,
    message: text,
    reproduce: text,
  });
  const hostile = {
    ...incident,
    monitors: [text],
    timeline: [timelineEntry({ type: "opened", text }), timelineEntry({ type: text, text })],
    notes: [{ at, text }],
    url: text,
  };
  return { status, incidents: [{ incident: hostile, reports: [report], fullReports: [report] }] };
}

async function pagesOf(text: string): Promise<Html[]> {
  const { status, incidents } = worldOf(text);
  await world.publish(status, { incidents });
  return Promise.all(
    PAGES.map(async (path) => {
      const response = await handleRequest(new Request(`https://status.example${path}`), depsOf(world.kv));
      expect(response.status, path).toBe(200);
      return readHtml(withoutLanguages(await response.text()));
    }),
  );
}

/** What the language is depends on the words; no words can bring these attributes into a page, whose quotes are escaped. */
function withoutLanguages(html: string): string {
  return html.replaceAll(/ lang="(?:zh|ja|ko)"/gu, "");
}

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "</title><script>",
        "<!--",
        "]]>",
        "&lt;script&gt;",
        "&#60;",
        "javascript:alert(1)",
        "\u0000",
        "\u001b[31m",
        "\u202e",
        "😀",
        "\ud800",
        "`${1}`",
        "{{1}}",
        "\r\n",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");

test("whatever the words are, a page has the tags and attributes of a harmless one, and shows them as text", async () => {
  const harmless = await pagesOf("words");
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      // JSON and UTF-8 carry no lone surrogates.
      const shown = text.toWellFormed();
      for (const [index, page] of (await pagesOf(text)).entries()) {
        expect(page.tags).toEqual(harmless[index]?.tags);
        expect(page.texts.join("\n")).toContain(shown);
        for (const [place, value] of page.values.entries()) {
          const usual = harmless[index]?.values[place] ?? "";
          expect(value).toBe(
            usual.replaceAll("words", /^\/[a-z]/u.test(usual) ? encodeURIComponent(shown) : shown),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("no page has a script, an inline style or an inline handler", async () => {
  for (const { tags } of await pagesOf("words")) {
    for (const tag of tags)
      expect(tag).not.toMatch(/^<(?:script|style|iframe|object|form)|\s(?:style|on\w+)[\s>]/u);
  }
});

test("a link's target is always an address of this site", async () => {
  const { status, incidents } = worldOf("javascript:alert(1)");
  await world.publish(status, { incidents });
  for (const path of PAGES) {
    const html = await (
      await handleRequest(new Request(`https://status.example${path}`), depsOf(world.kv))
    ).text();
    const targets = [...html.matchAll(/href="([^"]*)"/gu)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets) expect(target).toMatch(/^(?:\/(?!\/)|#main$|data:,$)/u);
  }
});

test("the API gives the same words back as JSON", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const { status, incidents } = worldOf(text);
      await world.publish(status, { incidents });
      const ask = async (path: string): Promise<unknown> =>
        JSON.parse(
          (
            await (await handleRequest(new Request(`https://status.example${path}`), depsOf(world.kv))).text()
          ).toWellFormed(),
          (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value),
        );
      const shown = text.toWellFormed();
      expect(await ask("/api/v1/status")).toMatchObject({ title: shown, notice: shown });
      expect(await ask(`/api/v1/reports/${INCIDENT}-1`)).toMatchObject({ message: shown, reproduce: shown });
      expect(await ask(`/api/v1/incidents/${INCIDENT}`)).toMatchObject({ monitors: [shown] });
    }),
    { numRuns: 30 },
  );
});
