/** Where requests for a model are sent: which gateways serve it now, in which order, and why. */
import { expect, test } from "vitest";
import type { CanaryConfig } from "../../src/config/config.ts";
import { instant } from "../../src/domain/calendar.ts";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";
import type { RouteAnswer } from "../../src/formats/answers.ts";
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { packSamples } from "../../src/history/segment.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { sampleAt } from "../history/published-history.ts";
import {
  canaryMonitor,
  gatewayDocument,
  monitorThatIs,
  NOW_MS,
  plannedWindow,
  skippedCanary,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
const MODEL = "gpt-4o-mini";

interface Figures {
  readonly firstTokenMs?: number;
  readonly latencyMs?: number;
  readonly ageMs?: number;
}

interface Told {
  readonly monitors: readonly MonitorDocument[];
  /** Of its last probe; none: there was none in the last hour. */
  readonly figures?: Figures;
  readonly prices?: { readonly currency: string; readonly output: number };
}

const chatOf = (id: string, more: Partial<MonitorDocument> = {}) =>
  canaryMonitor({}, { id: `${id}/chat`, ...more });
const listOf = (id: string, more: Partial<MonitorDocument> = {}) =>
  monitorThatIs("up", { id: `${id}/models`, ...more });
const failing = (id: string, status: "degraded" | "down" | "blocked", more: Partial<MonitorDocument> = {}) =>
  chatOf(id, { status, lastStatus: status, diagnosis: monitorThatIs(status).diagnosis, ...more });

/** Publishes gateways by their ids, and gives the answer. Every list should have the model. */
async function routeOf(
  gateways: Readonly<Record<string, Told>>,
  {
    query = `model=${MODEL}&protocol=chat`,
    nowMs = NOW_MS,
    ...more
  }: Partial<StatusDocument> & { query?: string; nowMs?: number } = {},
): Promise<RouteAnswer> {
  const entries = Object.entries(gateways);
  const samples = entries.flatMap(([id, { figures }]) => {
    if (figures === undefined) return [];
    const { firstTokenMs = null, latencyMs = 1000, ageMs = 60_000 } = figures;
    const generation = { ...NO_FIGURES, firstTokenMs };
    return [[`${id}/chat`, packSamples([sampleAt(NOW_MS - ageMs, { latencyMs, generation })])] as const];
  });
  const documents = entries.map(([id, { monitors }]): GatewayDocument =>
    gatewayDocument({ id, name: id, monitors: [...monitors] }),
  );
  await world.publish(statusDocument({ gateways: documents, ...more }), {
    live: { samples: Object.fromEntries(samples), hours: {}, days: {} },
    withCauses: Object.keys(gateways),
  });
  const configured = entries.map(([id, { prices }]) =>
    gateway(id, {
      monitors: [
        monitor(id, { expect: [MODEL] }),
        monitor(id, { id: `${id}/chat`, canary: prices ? canaryWith(prices) : null }),
      ],
    }),
  );
  const deps = { config: config(configured), now: () => nowMs };
  return (await world.ask(`/api/v1/route?${query}`, {}, deps)).json() as Promise<RouteAnswer>;
}

function canaryWith({ currency, output }: NonNullable<Told["prices"]>): CanaryConfig {
  const prices = {
    currency,
    inputMicros: 0,
    outputMicros: output * 1_000_000,
    requestMicros: 0,
    mostMicros: 0,
  };
  return { prices } as CanaryConfig;
}

const idsIn = ({ gateways, unavailable }: RouteAnswer) => [
  gateways.map(({ gateway: id }) => id).join(" "),
  unavailable.map(({ gateway: id }) => id).join(" "),
];

test("usable comes before limited, proved before listed, and what fails is listed apart", async () => {
  const answer = await routeOf({
    a_down: { monitors: [failing("a_down", "down")] },
    b_blocked: { monitors: [failing("b_blocked", "blocked"), listOf("b_blocked")] },
    c_limited: { monitors: [failing("c_limited", "degraded")] },
    d_listed: { monitors: [listOf("d_listed")] },
    e_slow: { monitors: [failing("e_slow", "degraded", { diagnosis: null })] },
    f_up: { monitors: [chatOf("f_up"), listOf("f_up")] },
    g_other: { monitors: [chatOf("g_other", { model: "gpt-4o" })] },
    h_paused: { monitors: [chatOf("h_paused", { pausedAt: instant(NOW_MS) })] },
    i_unlisted: {
      monitors: [monitorThatIs("degraded", { id: "i_unlisted/models", missingModels: [MODEL] })],
    },
  });
  expect(idsIn(answer)).toEqual(["f_up d_listed e_slow c_limited", "a_down b_blocked i_unlisted"]);
  expect(answer.gateways.map(({ proved }) => proved)).toEqual([true, false, true, true]);
  expect(answer.unavailable[1]).toMatchObject({
    cause: "insufficient_balance",
    turn: "us",
    monitor: "b_blocked/chat",
  });
  expect(answer.unavailable.map(({ reasons }) => reasons.join(" "))).toEqual([
    "Internal server error.",
    "The balance is used up.",
    "Its list does not have the model.",
  ]);
});

test("of equals the faster comes first, then the cheaper; less than 20 % faster is as fast", async () => {
  const monitors = (id: string) => [chatOf(id)];
  const dear = { currency: "USD", output: 10 };
  const cheap = { currency: "USD", output: 0.5 };
  const answer = await routeOf({
    a: { monitors: monitors("a"), figures: { latencyMs: 100 } },
    b: { monitors: monitors("b"), figures: { firstTokenMs: 480 } },
    c: { monitors: monitors("c"), figures: { firstTokenMs: 400 }, prices: dear },
    d: { monitors: monitors("d"), figures: { firstTokenMs: 479 }, prices: cheap },
    e: { monitors: monitors("e"), figures: { firstTokenMs: 479 } },
    f: { monitors: monitors("f"), figures: { firstTokenMs: 1, ageMs: 3_600_001 } },
  });
  expect(idsIn(answer)).toEqual(["d c e b a f", ""]);
  expect(answer.gateways[0]).toMatchObject({ firstTokenMs: 479, latencyMs: 1000, price: { output: 0.5 } });
  expect(answer.gateways.at(-1)).toMatchObject({ firstTokenMs: null, latencyMs: null, price: null });
});

test("without figures the price decides, unless there are two currencies", async () => {
  const priced = (currency: string) => ({
    a: { monitors: [chatOf("a")], prices: { currency: "USD", output: 9 } },
    b: { monitors: [chatOf("b")], prices: { currency, output: 1 } },
  });
  expect(idsIn(await routeOf(priced("USD")))).toEqual(["b a", ""]);
  expect(idsIn(await routeOf(priced("EUR")))).toEqual(["a b", ""]);
});

test("a limit says until when it applies, and the one that ends first comes first", async () => {
  const limited = (id: string, afterSeconds: number | null) => {
    const { diagnosis } = monitorThatIs("degraded");
    const told = diagnosis && { ...diagnosis, retry: { allowed: true, afterSeconds, hint: null } };
    return { monitors: [failing(id, "degraded", { diagnosis: told })] };
  };
  const answer = await routeOf({
    a: limited("a", null),
    b: limited("b", 3600),
    c: limited("c", 600),
    d: limited("d", 10),
  });
  // Counted from the end of the last probe, at 11:59:00.812.
  const untils = [
    ["c", "2026-11-20T12:09:00.812Z"],
    ["b", "2026-11-20T12:59:00.812Z"],
    ["a", null],
    ["d", null],
  ];
  expect(answer.gateways.map(({ gateway: id, until }) => [id, until])).toEqual(untils);
});

test("a later failure of the list that fails every request counts for a canary", async () => {
  const { diagnosis } = monitorThatIs("down");
  const lost = diagnosis && { ...diagnosis, cause: "connection_failed" as const };
  const older = { at: "2026-11-20T11:50:00.000Z", latencyMs: 1, attempts: 1, waitedMs: 0 };
  const listDown = (id: string, more: object) =>
    monitorThatIs("down", { id: `${id}/models`, diagnosis: lost, ...more });
  const answer = await routeOf({
    a_newer: { monitors: [chatOf("a_newer", { lastProbe: older }), listDown("a_newer", {})] },
    b_older: { monitors: [chatOf("b_older"), listDown("b_older", { lastProbe: older })] },
    c_other: { monitors: [chatOf("c_other", { lastProbe: older }), listDown("c_other", { diagnosis })] },
    d_skipped: {
      monitors: [
        skippedCanary({ reason: "gateway", cause: "authentication" }, { id: "d_skipped/chat" }),
        monitorThatIs("blocked", { id: "d_skipped/models" }),
      ],
    },
  });
  expect(idsIn(answer)).toEqual(["b_older c_other", "a_newer d_skipped"]);
  expect(answer.unavailable[0]).toMatchObject({ cause: "connection_failed", proved: false });
});

test("a protocol is as good as its worst canary, and a list proves none", async () => {
  const streamed = (id: string) => failing(id, "down", { id: `${id}/stream` });
  const gateways = {
    a_stream: { monitors: [chatOf("a_stream"), streamed("a_stream")] },
    b_messages: { monitors: [streamed("b_messages"), chatOf("b_messages", { kind: "messages" })] },
    c_capped: { monitors: [skippedCanary({ reason: "cap", cause: null }, { id: "c_capped/chat" })] },
  };
  expect(idsIn(await routeOf(gateways))).toEqual(["c_capped", "a_stream b_messages"]);
  const any = await routeOf(gateways, { query: `model=${MODEL}` });
  expect(idsIn(any)).toEqual(["b_messages c_capped", "a_stream"]);
  expect(any.gateways).toMatchObject([
    { protocol: "messages", proved: true },
    { protocol: "chat", proved: false },
  ]);
  const listed = await routeOf(
    { a: { monitors: [failing("a", "down"), listOf("a")] } },
    { query: `model=${MODEL}&protocol=messages` },
  );
  expect(listed.gateways).toMatchObject([{ gateway: "a", protocol: null, proved: false }]);
});

test("where a list hides or misses much, it is not known whether it has the model", async () => {
  const ten = Array.from({ length: 10 }, (_, n) => `m${n}`);
  const { diagnosis } = monitorThatIs("degraded");
  const missing = diagnosis && { ...diagnosis, cause: "model_missing" as const };
  const degraded = (id: string, more: Partial<MonitorDocument>) => ({
    monitors: [monitorThatIs("degraded", { id: `${id}/models`, ...more })],
  });
  const answer = await routeOf({
    a: degraded("a", { diagnosis: null }),
    b: degraded("b", { diagnosis: missing, missingModels: ten }),
    c: degraded("c", { diagnosis: missing, missingModels: ["other"] }),
  });
  expect(idsIn(answer)).toEqual(["c", "a b"]);
  expect(answer.gateways[0]).toMatchObject({ status: "up", cause: null });
});

test("in planned maintenance a gateway comes after the others, and says until when", async () => {
  const gateways = { a: { monitors: [chatOf("a")] }, b: { monitors: [chatOf("b")] } };
  const answer = await routeOf(gateways, { maintenance: [plannedWindow(["a"])] });
  expect(idsIn(answer)).toEqual(["b a", ""]);
  expect(answer.gateways[1]?.reasons).toContain("Maintenance is planned until 2026-11-20T13:00:00.000Z.");
});

test("an answer may be trusted until the next probe is due, and has a tag until something changes", async () => {
  const due = (nextProbeAt: string) => ({ a: { monitors: [chatOf("a", { nextProbeAt })] } });
  expect(await routeOf(due("2026-11-20T12:02:00.000Z"))).toMatchObject({
    trustUntil: "2026-11-20T12:02:00.000Z",
  });
  const path = `/api/v1/route?model=${MODEL}`;
  const maxAge = async (nowMs: number) =>
    (await world.ask(path, {}, { now: () => nowMs })).headers.get("cache-control");
  expect(await maxAge(NOW_MS)).toBe("public, max-age=120");
  expect(await maxAge(NOW_MS + 119_000)).toBe("public, max-age=15");
  await routeOf(due("2026-11-20T13:00:00.000Z"));
  expect(await maxAge(NOW_MS)).toBe("public, max-age=300");
  const etag = (await world.ask(path)).headers.get("etag") ?? "";
  expect((await world.ask(path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

test("of a model that nobody knows, and once the checks have stopped, nothing is called up", async () => {
  const gateways = { a: { monitors: [chatOf("a")] } };
  const unknown = await routeOf(gateways, { query: "model=__proto__" });
  expect(unknown).toMatchObject({ gateways: [], unavailable: [], trustUntil: null });
  expect(unknown.reasons).toEqual(["No monitor asks for this model, and no expect names it."]);
  const stale = await routeOf(gateways, { nowMs: STALE_MS });
  expect(stale).toMatchObject({ gateways: [], reasons: ["No gateway serves the model now."] });
  expect(stale.unavailable[0]).toMatchObject({ status: "unknown", reasons: ["The checks have stopped."] });
});

test.each([
  ["", "#/model"],
  ["model=", "#/model"],
  ["model=a%0Ab", "#/model"],
  [`model=${"m".repeat(201)}`, "#/model"],
  ["model=m&protocol=console", "#/protocol"],
])("%j is refused, and the parameter is named", async (query, pointer) => {
  const response = await world.ask(`/api/v1/route?${query}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
});
