/** What the pages show of a canary: why it is not asked, what list and answers say of it, what it costs. */
import { expect, test } from "vitest";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { answerOf, expectWords, plainSpaces, textOf, wordsIn } from "./html.ts";
import {
  BALANCE_GONE,
  canaryDocument,
  canaryMonitor,
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  lowConsole,
  monitorDocument,
  oneGateway,
  pendingCanary,
  skippedCanary,
  streamingCanary,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const page = (
  monitors: MonitorDocument[],
  path = "/gateways/acme",
  more: Partial<StatusDocument> = {},
): Promise<string> => world.show({ gateways: [gatewayDocument({ monitors })], ...more }, { path });

async function verdictOf(monitor: MonitorDocument): Promise<string> {
  const html = await page([monitor]);
  return textOf(/<(?:div|p) class="verdict">(.*?)<dl>/su.exec(html)?.[1] ?? "");
}

/** By their terms. */
async function factsOf(monitor: MonitorDocument): Promise<Record<string, string>> {
  const facts = [...(await page([monitor])).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gsu)];
  return Object.fromEntries(facts.map(([, term = "", told = ""]) => [textOf(term), textOf(told)]));
}

const SERVED = {
  model: "gpt-4o-2024-08-06",
  fingerprint: "fp_1",
  since: "2026-11-20T11:00:00.000Z",
  differing: 0,
  changes: [{ at: "2026-11-20T11:00:00.000Z", before: "gpt-4o", after: "gpt-4o-2024-08-06" }],
};

const CAPPED = skippedCanary({ reason: "cap", cause: null });
const AUDIT = {
  right: 60,
  asked: 84,
  comparisons: [
    { from: "reference", right: 80, asked: 84, p: 0.000_022_7 },
    { from: "past", right: 600, asked: 636, p: 0.001 },
  ],
  differsSince: "2026-11-20T12:00:00.000Z",
} as const;
const HELD_OFF = skippedCanary({ reason: "gateway", cause: "insufficient_balance" });
const HIDDEN = skippedCanary({ reason: "gateway", cause: null });
const UNLISTED = skippedCanary({ reason: "unlisted", cause: null });
const NOT_ASKED = "Not asked for 2 h";
const USED_UP = `${NOT_ASKED}: the limit of 48 requests a day is reached.`;
const CREATED = "Its task, created 3 min ago";

test.each([
  ["for its cap", CAPPED, "the limit of 48 requests a day is reached."],
  [
    "for the gateway's sake",
    HELD_OFF,
    "the gateway’s list fails (The balance is used up), and this would fail too.",
  ],
  ["for the gateway's sake, without causes", HIDDEN, "the gateway’s list fails, and this would fail too."],
  [
    "for it is not listed",
    UNLISTED,
    "the gateway said that this model does not exist, and does not list it. It is tried once a day.",
  ],
])("a canary that is not asked %s says so", async (_, monitor, why) => {
  expect(await verdictOf(monitor)).toBe(`${NOT_ASKED}: ${why} The last result was “Up”.`);
  expect(await verdictOf({ ...monitor, lastStatus: null })).toBe(`${NOT_ASKED}: ${why}`);
});

test("a canary with a limit in money shows what of it is used and estimated, and why it is not asked", async () => {
  const today = { ...canaryDocument().today, maxCost: 0.5, estimated: 0.0002 };
  const { Today: spent = "" } = await factsOf(canaryMonitor({ today }));
  expect(plainSpaces(spent)).toContain(
    "0.00129 USD of 0.50 USD, 0.0002 USD of it estimated, for streams that were cut",
  );
  const skipped = { reason: "cap", cause: null, since: "2026-11-20T10:00:00.000Z" } as const;
  const held = canaryMonitor({ today, skipped }, { status: "unknown", lastStatus: null, diagnosis: null });
  expect(plainSpaces(await verdictOf(held))).toBe(
    `${NOT_ASKED}: the limit of 0.50 USD a day does not allow another request.`,
  );
});

test("a task that is not over is told with its state, since when and until when it is asked about, and its id", async () => {
  expect(await verdictOf(pendingCanary({ state: "<b>WAIT" }))).toBe(
    `${CREATED}, may run for another 27 min. ` +
      "The gateway calls its state “ <b>WAIT ”. The last result was “Up”.",
  );
  expect(await factsOf(pendingCanary())).toMatchObject({ Task: "task_8f2a" });
  const hidden = pendingCanary({ id: null, state: null });
  expect(await verdictOf(hidden)).not.toContain("state");
  expect(await factsOf(hidden)).not.toHaveProperty("Task");
});

const STOPPED_ALONE = [
  { ...gatewayDocument({ monitors: [CAPPED] }), stale: true },
  { ...gatewayThatIs("up", "beta"), stale: false },
];

test.each<[what: string, status: Partial<StatusDocument>]>([
  ["the checks have", { stale: true }],
  ["those of its gateway alone have", { gateways: STOPPED_ALONE }],
])("when %s stopped nothing is said of why it is not asked", async (_, status) => {
  expectWords(
    textOf(await page([CAPPED], "/gateways/acme", status)),
    ["No fresh result."],
    ["Not asked", "as soon as that changes"],
  );
});

test("a canary whose gateway's checks have stopped does not wait, and is not down: nothing is known of it", async () => {
  const [stopped = gatewayDocument(), other = gatewayDocument()] = STOPPED_ALONE;
  const open = { ...CAPPED, lastStatus: "down" as const, incident: "acme-1" };
  for (const monitor of [CAPPED, open]) {
    const gateways = [{ ...stopped, monitors: [monitor] }, other];
    expect(answerOf(await world.show({ gateways })).text).toMatch(
      /^Not everything is known yet 1 without fresh evidence, 1 up\. The checks of 1 gateway have stopped/u,
    );
  }
});

test.each([
  ["that is not asked", CAPPED, USED_UP, "as soon as that changes"],
  ["whose next task is not over", pendingCanary(), CREATED, "in 1 min"],
])("an open incident of one %s says why", async (_, monitor, why, next) => {
  expect((await factsOf(monitor))["Next check"]).toBe(next);
  const incident = incidentDocument({ monitors: [monitor.id] });
  const status = { gateways: [gatewayDocument({ monitors: [{ ...monitor, incident: incident.id }] })] };
  expectWords(textOf(await world.showIncident(incident, { status })), [why]);
  expect(textOf(await world.text("/")).split(why)).toHaveLength(2);
});

const LAST = { at: "2026-11-20T11:59:00.000Z", latencyMs: 800, attempts: 1, waitedMs: 0 };
const rhythm = (nextProbeAt: string, more: Partial<MonitorDocument> = {}) =>
  canaryMonitor({}, { everySeconds: 900, lastProbe: LAST, status: "down", nextProbeAt, ...more });
const RARER = "A failing canary is checked less often, to save money.";

test.each([
  ["is told with its interval", rhythm("2026-11-20T12:14:00.000Z"), "in 14 min every 15 min"],
  [
    "of one that fails for long says why it is so late",
    rhythm("2026-11-20T14:00:00.000Z"),
    `in 2 h ${RARER}`,
  ],
  [
    "of one that costs nothing is not late to save money",
    { ...rhythm("2026-11-20T14:00:00.000Z"), canary: canaryMonitor({ generates: false }).canary },
    "in 2 h every 15 min",
  ],
])("the next check %s", async (_, monitor, next) => {
  expect((await factsOf(monitor))["Next check"]).toBe(next);
});

test("an incident's next check is that of a monitor that is asked", async () => {
  const list = monitorDocument({ status: "down", nextProbeAt: "2026-11-20T12:03:00.000Z" });
  const incident = incidentDocument({ monitors: [list.id, HELD_OFF.id] });
  const html = await world.showIncident(incident, { status: oneGateway(list, HELD_OFF) });
  expect(textOf(html)).toContain("Next check in 3 min.");
});

test("an incident of a canary that is checked less often says so", async () => {
  const incident = incidentDocument({ monitors: ["acme/chat"] });
  const status = oneGateway(rhythm("2026-11-20T14:00:00.000Z", { incident: incident.id }));
  const html = await world.showIncident(incident, { status });
  expect(textOf(html)).toContain(`Next check in 2 h. ${RARER}`);
});

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };
const NOTHING_TODAY = { day: "2026-11-20", requests: 0, perDay: 1, ...NO_TOKENS, cost: 0, currency: "CNY" };
const UNCAPPED = { ...NOTHING_TODAY, requests: 1, perDay: null, cost: null, currency: null };
const TASK_MS = { p50: 60_000, p95: 150_000, p99: 150_000 };
const TASK = {
  firstTokenMs: null,
  taskMs: 180_000,
  tokensPerSecond: null,
  inputTokens: 1,
  outputTokens: null,
};

test.each([
  [
    "a stream",
    streamingCanary(),
    {
      "First token": "412 ms (24 h: p50 380 ms, p95 720 ms)",
      "Tokens a second": "58 (24 h: p50 40.5, p95 22)",
      Tokens: "9 tokens in, 16 out",
      Today: "12 of 48 requests, 108 tokens in, 192 out, 0.00129 USD",
    },
  ],
  [
    "a task whose last figures are not known",
    canaryMonitor({ figures: null, tokensPerSecond: null, taskMs: TASK_MS }),
    { "Duration of the task": "24 h: p50 1 min, p95 2 min 30 s" },
  ],
  [
    "figures of which some are not told",
    canaryMonitor({ figures: TASK }),
    { "Duration of the task": "3 min", Tokens: "1 token in" },
  ],
  ["a day without requests", canaryMonitor({ today: NOTHING_TODAY }), { Today: "0 of 1 request, 0.00 CNY" }],
  ["a day without a cap and without prices", canaryMonitor({ today: UNCAPPED }), { Today: "1 request" }],
  [
    "a canary whose answers changed their name",
    canaryMonitor({ served: SERVED }),
    {
      "Model in answers":
        "gpt-4o-2024-08-06 since 2026-11-20 11:00:00 UTC (fp_1) 1 change 2026-11-20 11:00:00 UTC: gpt-4o became gpt-4o-2024-08-06",
    },
  ],
  ["a console", lowConsole(), { Balance: "3.5 (warns below 10)" }],
  [
    "an audit",
    canaryMonitor({ audit: AUDIT }),
    {
      Audit:
        "60 of 84 answers right in 7 days; at the reference 80 of 84; before that 600 of 636; fewer since 2026-11-20 (p = 0.000023)",
    },
  ],
  [
    "an audit that has nothing to compare with yet",
    canaryMonitor({ audit: { ...AUDIT, comparisons: [], differsSince: null } }),
    { Audit: "60 of 84 answers right in 7 days" },
  ],
  ["a console that warns of nothing", canaryMonitor({ balance: 500_000 }), { Balance: "500000" }],
])("the facts of %s", async (_, monitor, facts) => {
  expect(await factsOf(monitor)).toMatchObject(facts);
});

test("what costs nothing and generates nothing has no facts of it", async () => {
  const told = Object.keys(await factsOf(lowConsole()));
  expect(told.slice(told.indexOf("Last check"))).toEqual(["Last check", "Next check", "Balance"]);
});

test("one that is not asked while its incident is open is counted and named as it was last seen", async () => {
  const incident = incidentDocument({ monitors: [CAPPED.id], cause: "timeout", health: "down" });
  const diagnosis = { ...BALANCE_GONE, cause: "upstream_unavailable", health: "down" } as const;
  const last = { lastStatus: "down", incident: incident.id, diagnosis } as const;
  const failed = skippedCanary({ reason: "gateway", cause: "timeout" }, last);
  const html = await page([monitorDocument(), failed], "/", { incidents: [incident] });
  expect(answerOf(html)).toEqual({ tone: "down", text: "1 of 2 monitors is down 1 up." });
  expect(wordsIn(html, '<ul role="list"><li><span class="what">', "</li>")).toContain(
    "The request timed out Not asked for 2 h",
  );
  const behind = "Last failure: The provider behind the gateway is unavailable";
  expect(textOf(await world.text("/gateways/acme"))).toContain(behind);
});
