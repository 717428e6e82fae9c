/** What the pages show of a canary: why it is not asked, what list and answers say of it, what it costs. */
import { expect, test } from "vitest";
import type { CanaryDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { handleRequest } from "../../src/http/app.ts";
import { summaryOf } from "../../src/history/standing.ts";
import {
  canaryMonitor,
  listedCanary,
  lowConsole,
  pendingCanary,
  skippedCanary,
  streamingCanary,
} from "./canary-documents.ts";
import { textOf } from "./html.ts";
import {
  depsOf,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

async function page(
  monitors: readonly MonitorDocument[],
  path = "/gateways/acme",
  more: Partial<StatusDocument> = {},
): Promise<string> {
  const gateways = [gatewayDocument({ monitors: [...monitors] })];
  const summary = summaryOf(monitors.map(({ status }) => status));
  await world.publish(statusDocument({ gateways, summary, ...more }));
  return world.text(path);
}

async function verdictOf(monitor: MonitorDocument, language = "en"): Promise<string> {
  const html = await page([monitor], `/gateways/acme?lang=${language}`);
  const [, verdict = ""] = /<(?:div|p) class="verdict">(.*?)<div class="charts">/su.exec(html) ?? [];
  return textOf(verdict);
}

/** By their terms. */
async function factsOf(monitor: MonitorDocument, language = "en"): Promise<Record<string, string>> {
  const html = await page([monitor], `/gateways/acme?lang=${language}`);
  const facts = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gsu)];
  return Object.fromEntries(facts.map(([, term = "", told = ""]) => [textOf(term), textOf(told)]));
}

const NOT_ASKED = "Not asked since 2026-11-20 10:00:00 UTC";
const LAST = "The last verdict was “Up”.";

test.each([
  [
    "for its cap",
    skippedCanary({ reason: "cap", cause: null }),
    `${NOT_ASKED}: the 48 requests of today are used up. ${LAST}`,
    "自 2026-11-20 10:00:00 UTC 起未发出请求：今天的 48 次请求已用完。",
  ],
  [
    "for the gateway's sake",
    skippedCanary({ reason: "gateway", cause: "insufficient_balance" }),
    `${NOT_ASKED}: the gateway’s list fails (The balance is used up), and this would fail too. ${LAST}`,
    "未发出请求：网关的列表检查失败（余额已用尽），此请求同样会失败。",
  ],
  [
    "for the gateway's sake, where causes are not published",
    skippedCanary({ reason: "gateway", cause: null }),
    `${NOT_ASKED}: the gateway’s list fails, and this would fail too. ${LAST}`,
    "未发出请求：网关的列表检查失败，此请求同样会失败。",
  ],
  [
    "for it is not listed",
    skippedCanary({ reason: "unlisted", cause: null }),
    `${NOT_ASKED}: the list does not name this model. It is tried once a day. ${LAST}`,
    "未发出请求：列表中没有此模型。每天只试一次。",
  ],
] as const)("a canary that is not asked %s says so", async (_, monitor, english, chinese) => {
  expect(await verdictOf(monitor)).toBe(english);
  expect(await verdictOf(monitor, "zh")).toContain(chinese);
});

test("one that is not asked and was never judged claims no verdict", async () => {
  const never = skippedCanary({ reason: "unlisted", cause: null }, { lastStatus: null });
  expect(await verdictOf(never)).toBe(
    `${NOT_ASKED}: the list does not name this model. It is tried once a day.`,
  );
});

test("a task that is not over is told with its state, since when and until when it is asked about, and its id", async () => {
  expect(await verdictOf(pendingCanary({ state: "<b>WAIT" }))).toBe(
    "Its task is not over: it was created at 2026-11-20 11:57:00 UTC, and is asked about until " +
      "2026-11-20 12:27:00 UTC. The gateway calls its state “ <b>WAIT ”. The last verdict was “Up”.",
  );
  expect(await factsOf(pendingCanary())).toMatchObject({ Task: "task_8f2a" });
  const hidden = pendingCanary({ id: null, state: null });
  expect(await verdictOf(hidden)).not.toContain("state");
  expect(await factsOf(hidden)).not.toHaveProperty("Task");
});

test("when the checks have stopped nothing is said of why it is not asked", async () => {
  const html = await page([skippedCanary({ reason: "cap", cause: null })], "/gateways/acme", { stale: true });
  expect(textOf(html)).toContain("The checks have stopped: there is no fresh evidence.");
  expect(textOf(html)).not.toContain("Not asked");
  expect(textOf(html)).not.toContain("as soon as that changes");
});

test("the next check of one that is not asked has no time", async () => {
  const capped = await factsOf(skippedCanary({ reason: "cap", cause: null }));
  expect(capped["Next check"]).toBe("as soon as that changes");
  expect((await factsOf(pendingCanary()))["Next check"]).toBe("2026-11-20 12:01:00 UTC");
});

/** As the overview lists it, and as its own page tells it. */
async function openIncidentOf(monitor: MonitorDocument): Promise<readonly string[]> {
  const incident = incidentDocument({ monitors: [monitor.id] });
  const gateways = [gatewayDocument({ monitors: [{ ...monitor, incident: incident.id }] })];
  const tail = { incidents: [{ incident, reports: [], fullReports: [] }] };
  await world.publish(statusDocument({ gateways, incidents: [incident] }), tail);
  const paths = ["/", `/incidents/${incident.id}`];
  const deps = depsOf(world.kv);
  const answers = paths.map((path) => handleRequest(new Request(`https://status.example${path}`), deps));
  return Promise.all(answers.map(async (answer) => textOf(await (await answer).text())));
}

test("an open incident of one that is not asked says why, and no time of a next check", async () => {
  const [overview = "", own = ""] = await openIncidentOf(skippedCanary({ reason: "cap", cause: null }));
  const why = `${NOT_ASKED}: the 48 requests of today are used up.`;
  expect(overview.split(why)).toHaveLength(3);
  expect(overview).not.toContain("Next check:");
  expect(own).toContain(why);
  expect(own).toContain("Next check as soon as that changes");
});

test("an open incident of one whose next task is not over says so", async () => {
  const [overview = "", own = ""] = await openIncidentOf(pendingCanary());
  expect(overview.split("Its task is not over: it was created at 2026-11-20 11:57:00 UTC")).toHaveLength(3);
  expect(own).toContain("Its task is not over: it was created at 2026-11-20 11:57:00 UTC");
  expect(own).toContain("Next check 2026-11-20 12:01:00 UTC");
});

test.each([
  [
    "fails though it is listed",
    listedCanary(),
    "The list names this model, and yet it does not answer as it should.",
  ],
  [
    "is up though it is not listed",
    canaryMonitor({ listed: false }),
    "It answers, though the list does not name this model.",
  ],
  [
    "is slow and not listed",
    canaryMonitor(
      { listed: false },
      { status: "degraded", diagnosis: { ...lowConsole().diagnosis!, cause: "slow" } },
    ),
    "It answers, though the list does not name this model.",
  ],
])("one that %s says so", async (_, monitor, words) => {
  expect(await verdictOf(monitor)).toContain(words);
});

test.each([
  ["is up and listed", canaryMonitor()],
  ["is up, and whose list nobody saw", canaryMonitor({ listed: null })],
  ["fails and is not listed", { ...listedCanary(), canary: canaryMonitor({ listed: false }).canary! }],
  ["is kept off by its key", { ...listedCanary(), status: "blocked" as const }],
])("one that %s is no contradiction", async (_, monitor) => {
  const told = await verdictOf(monitor);
  expect(told).not.toContain("names this model, and");
  expect(told).not.toContain("It answers");
});

const NOTHING_TODAY: CanaryDocument["today"] = {
  day: "2026-11-20",
  requests: 0,
  perDay: 1,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  currency: "CNY",
};

test.each([
  [
    "a stream",
    streamingCanary(),
    {
      "First token": "412 ms (24 h: p50 380 ms, p95 720 ms)",
      "Tokens a second": "58 (24 h: p50 40.5, p95 22)",
      "Tokens, last": "9 tokens in, 16 out",
      Today: "12 of 48 requests, 108 tokens in, 192 out, 0.00129 USD",
    },
  ],
  [
    "a task whose last figures are not known",
    canaryMonitor({
      figures: null,
      tokensPerSecond: null,
      taskMs: { p50: 60_000, p95: 150_000, p99: 150_000 },
    }),
    { "Duration of the task": "24 h: p50 1 min, p95 2 min 30 s" },
  ],
  [
    "figures of which some are not told",
    canaryMonitor({
      figures: {
        firstTokenMs: null,
        taskMs: 180_000,
        tokensPerSecond: null,
        inputTokens: 1,
        outputTokens: null,
      },
    }),
    { "Duration of the task": "3 min", "Tokens, last": "1 token in, 0 out" },
  ],
  ["a day without requests", canaryMonitor({ today: NOTHING_TODAY }), { Today: "0 of 1 request, 0.00 CNY" }],
  [
    "a day without a cap and without prices",
    canaryMonitor({ today: { ...NOTHING_TODAY, requests: 1, perDay: null, cost: null, currency: null } }),
    { Today: "1 request" },
  ],
  ["a console", lowConsole(), { Balance: "3.5 (warns below 10)" }],
  ["a console that warns of nothing", canaryMonitor({ balance: 500_000 }), { Balance: "500000" }],
])("the facts of %s", async (_, monitor, facts) => {
  expect(await factsOf(monitor)).toMatchObject(facts);
});

test("what costs nothing and generates nothing has no facts of it", async () => {
  const terms = Object.keys(await factsOf(lowConsole()));
  expect(terms).toEqual(["Since", "Last check", "Next check", "Balance"]);
});

test("its name says the kind, the model and whether it streams", async () => {
  const html = await page([streamingCanary()], "/");
  expect(textOf(/<h3>(.*?)<\/h3>/su.exec(html)?.[1] ?? "")).toBe(
    "chat · gpt-4o-mini · stream acme/stream Up",
  );
});

const headlineIn = (html: string) => textOf(/<p class="headline">(.*?)<\/p>/su.exec(html)?.[1] ?? "");
const models = monitorDocument();
const capped = skippedCanary({ reason: "cap", cause: null });

test.each([
  ["beside one that is up", [models, capped, pendingCanary()], "1 of 3 monitors up, 2 waiting"],
  ["beside one that is down", [monitorDocument({ status: "down" }), capped], "1 of 2 monitors down"],
  ["alone", [capped], "Not all is known yet"],
  [
    "alone beside a paused one",
    [capped, monitorDocument({ pausedAt: "2026-11-20T08:00:00.000Z" })],
    "Not all is known yet",
  ],
])("in the headline one that waits %s is no doubt about the others", async (_, monitors, headline) => {
  expect(headlineIn(await page(monitors, "/"))).toBe(headline);
});

test("one that is not asked while its incident is open is counted and named as it was last seen", async () => {
  const { id } = incidentDocument();
  const failed = skippedCanary(
    { reason: "gateway", cause: "timeout" },
    { lastStatus: "down", incident: id, diagnosis: listedCanary().diagnosis },
  );
  const html = await page([models, failed], "/");
  expect(headlineIn(html)).toBe("1 of 2 monitors down");
  expect(textOf(/<li id="failing-acme">(.*?)<\/li>/su.exec(html)?.[1] ?? "")).toContain(
    "Down Acme: The provider behind the gateway is unavailable.",
  );
  expect(textOf(html)).toContain("Last failure: The provider behind the gateway is unavailable");
});
