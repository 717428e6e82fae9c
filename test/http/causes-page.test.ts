/** The page of the causes: each under its own name, in the reader's language, and what leads there. */
import { beforeEach, describe, expect, test } from "vitest";
import { causePath } from "../../src/http/pages/addresses.ts";
import { EN } from "../../src/http/pages/words/en.ts";
import { ZH } from "../../src/http/pages/words/zh.ts";
import { CAUSE_TABLE } from "../../src/protocol/causes.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";
import { readHtml, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  publishedIncident,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();
const INCIDENT = "acme-models-20261120t080000z";
beforeEach(() => world.publish(statusDocument()));

async function get(path: string): Promise<string> {
  const answer = await world.ask(path);
  expect(answer.status).toBe(200);
  return answer.text();
}

function entryOf(html: string, cause: string): string {
  const [, after = ""] = html.split(`<h2 id="${cause}">`);
  return textOf(after.split("</section>")[0] ?? "");
}

/** Without the spaces that stand where code begins and ends. */
function joined(text: string): string {
  return text.replaceAll(/[\s`]/gu, "");
}

describe.each([
  ["/causes", EN],
  ["/causes?lang=zh", ZH],
])("%s", (path, words) => {
  test("has an entry of each cause: its name, what decides it, and what to do", async () => {
    const html = await get(path);
    for (const cause of CAUSES) {
      const entry = joined(entryOf(html, cause));
      expect(entry).toContain(joined(`${words.causes[cause]} ${cause}`));
      expect(entry).toContain(joined(words.causesPage.evidence[cause]));
      expect(entry).toContain(joined(words.stored?.advice[cause] ?? CAUSE_TABLE[cause].advice));
    }
  });

  test("is well formed, and what leads within it leads somewhere", async () => {
    const html = await get(path);
    expect(() => readHtml(html)).not.toThrow();
    const ids = [...html.matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const within = [...html.matchAll(/ href="#([^"]*)"/gu)].map(([, id]) => id);
    expect(within.filter((id) => !ids.includes(id))).toEqual([]);
    expect(within).toEqual(expect.arrayContaining([...CAUSES]));
  });
});

test("it says whose turn it is, and when to retry", async () => {
  const html = await get("/causes");
  expect(entryOf(html, "rate_limited")).toContain("Retry under 429, if the request is safe to repeat");
  expect(entryOf(html, "upstream_unavailable")).toContain("Retry under 502, 503, 504, if");
  expect(entryOf(html, "insufficient_balance")).toContain("Retry never");
  expect(entryOf(html, "insufficient_balance")).toContain("Whose turn the owner of the monitor’s key");
  expect(entryOf(html, "ok")).toContain("Retry not needed");
});

test("it is there before anything was published", async () => {
  await world.clear();
  expect(entryOf(await get("/causes"), "wrong_url")).toContain("A redirect, 405");
});

test("an asked language stays asked", () => {
  const reader = { language: "zh", isAsked: true } as const;
  expect(causePath("not_found", reader)).toBe("/causes?lang=zh#not_found");
  expect(causePath("not_found", { ...reader, isAsked: false })).toBe("/causes#not_found");
});

test.each(["/", "/docs", "/gateways/acme"])("%s leads to the page", async (path) => {
  expect(await get(path)).toContain('<a href="/causes">');
});

function failing(publish: "causes" | "health") {
  const isShown = publish === "causes";
  const monitor = monitorDocument({
    status: "blocked",
    diagnosis: isShown ? BALANCE_GONE : null,
    incident: INCIDENT,
  });
  const incident = incidentDocument(isShown ? {} : { cause: null, owner: null, timeline: [] });
  return {
    status: statusDocument({
      status: "blocked",
      gateways: [gatewayDocument({ status: "blocked", monitors: [monitor] })],
      incidents: [incident],
    }),
    incident,
  };
}

const LINK = 'href="/causes#insufficient_balance"';

test("what fails leads from its card, its incident and its report to the entry of its cause", async () => {
  const { status } = failing("causes");
  await world.publish(status, { incidents: [publishedIncident()] });
  for (const path of ["/", "/gateways/acme", `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`]) {
    expect((await get(path)).split(LINK), path).toHaveLength(2);
  }
});

test("a good monitor names no cause and leads to none", async () => {
  expect(await get("/")).not.toContain("/causes#");
});

test("of a gateway that publishes its health alone no link tells the cause", async () => {
  const { status, incident } = failing("health");
  await world.publish(status, { incidents: [{ ...publishedIncident(), incident, reports: [] }] });
  for (const path of ["/", "/gateways/acme", `/incidents/${INCIDENT}`]) {
    expect(await get(path), path).not.toContain("/causes#");
  }
});
