import { expect, test } from "vitest";
import type { GatewayConfig, MonitorConfig } from "../../src/config/config.ts";
import type { Errand, OpenTask } from "../../src/domain/canary.ts";
import type { ProbeResult } from "../../src/domain/tick.ts";
import type { GatewayDocument, MonitorDocument } from "../../src/history/documents.ts";
import { Administration } from "../../src/ledger/admin/admin.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import {
  canary,
  failed,
  HOUR,
  MINUTE,
  PENDING,
  resultOf,
  type Told,
  video,
} from "../fixtures/canary-play.ts";
import { type Harness, inLedger as inLedgerOf, published, START, loneShard } from "./ledger-harness.ts";

const inLedger = (
  monitors: readonly MonitorConfig[],
  run: (harness: Harness) => Promise<void>,
  publish: GatewayConfig["publish"] = "causes",
) => inLedgerOf({ config: config([gateway("a", { publish, monitors })]) }, run);

const at = (minute: number): number => START + minute * MINUTE;

function begin(harness: Harness, minute: number): readonly Errand[] {
  harness.nowMs = Math.max(harness.nowMs, at(minute));
  const request = { tickMs: at(minute), invocation: `i${minute}` };
  const { canaries } = harness.service.begin(request, { a: "addr:key" });
  return canaries.flatMap(({ errands }) => errands);
}

function record(harness: Harness, minute: number, told: Readonly<Record<string, Told>>, list?: Told): void {
  const results: ProbeResult[] = Object.entries(told).map(([id, of]) => resultOf(id, of, at(minute) + 10));
  if (list) {
    const findings = { type: "list", listed: ["m-1"], unlisted: [] } as const;
    const of = outcome({ startedAtMs: at(minute) + 5, ...list.outcome });
    results.push({ monitorId: "a/models", outcome: of, findings });
  }
  const batch = { tickMs: at(minute), invocation: `i${minute}`, ownNetworkFailed: false, returned: [] };
  harness.service.record({ ...batch, results });
}

/** One from begin to end. */
function tick(
  harness: Harness,
  minute: number,
  ...told: [Readonly<Record<string, Told>>, list?: Told]
): void {
  begin(harness, minute);
  record(harness, minute, ...told);
}

async function shown(
  harness: Harness,
): Promise<{ of: GatewayDocument; summary: object; canary: MonitorDocument }> {
  await harness.publish();
  const { status } = await published();
  const [of] = status.gateways;
  const found = of?.monitors.find((one) => one.canary !== undefined);
  if (!of || !found) throw new Error("no canary was published");
  return { of, summary: status.summary, canary: found };
}

const PRICES = { currency: "USD", requestMicros: 10_000, inputMicros: 0, outputMicros: 0 };
const openTask: OpenTask = { id: "task-1", createdAtMs: START + 10, deadlineMs: START + HOUR };

test("a cap holds across deaths of the invocation and starts of the object, and is published", async () => {
  const capped = canary({ perDay: 2, prices: PRICES }, { everyMs: 2 * MINUTE });
  await inLedger([capped], async (harness) => {
    expect(begin(harness, 0)).toHaveLength(1);
    harness.restart();
    expect(begin(harness, 6)).toEqual([]);
    harness.restart();
    const second = [7, 8].find((minute) => begin(harness, minute).length > 0) ?? -1;
    const tokens = { inputTokens: 7, outputTokens: 2 };
    record(harness, second, { "a/chat": { figures: { ...tokens, costMicros: 10_000 } } });
    harness.restart();
    for (let minute = second + 1; minute < 30; minute += 1) expect(begin(harness, minute)).toEqual([]);
    const { canary: told } = await shown(harness);
    expect(told).toMatchObject({ status: "unknown", lastStatus: "up", diagnosis: null });
    expect(told.nextProbeAt).toBe("2026-11-21T00:00:00.000Z");
    expect(told.canary).toMatchObject({
      generates: true,
      streaming: false,
      listed: null,
      skipped: { reason: "cap", cause: null },
      task: null,
      today: { day: "2026-11-20", requests: 2, perDay: 2, ...tokens, cost: 0.01, currency: "USD" },
      figures: tokens,
    });
  });
});

test("a task is created once, whatever dies: after a start of the object it is asked about", () =>
  inLedger([video()], async (harness) => {
    expect(begin(harness, 0)).toEqual([{ monitorId: "a/video", task: null, attempts: 1 }]);
    record(harness, 0, { "a/video": { outcome: { diagnosis: PENDING }, task: openTask } });
    for (const minute of [1, 7, 13]) {
      harness.restart();
      expect(begin(harness, minute)).toEqual([{ monitorId: "a/video", task: openTask, attempts: 1 }]);
    }
    expect(harness.service.state.canaries["a/video"]?.days).toMatchObject([{ requests: 1 }]);
  }));

test("a commit that fails leaves no run behind, and counts nothing", () =>
  inLedger([canary()], async (harness) => {
    // The object has started before: it is the begin that fails.
    const { service } = harness;
    harness.transactionsFail = true;
    expect(() => begin(harness, 0)).toThrow("disk I/O error");
    harness.transactionsFail = false;
    expect(service.state.canaries).toEqual({});
    expect(begin(harness, 0)).toHaveLength(1);
  }));

test.each([
  ["causes", { id: "task-1", state: "RUNNING" }],
  ["health", { id: null, state: null }],
] as const)(
  "where %s are published what waits for its task counts beside no other, and is %o",
  (publish, words) =>
    inLedger(
      [monitor("a"), video()],
      async (harness) => {
        const told = { ...PENDING, taskId: "task-1", taskState: "RUNNING" };
        tick(harness, 0, { "a/video": { outcome: { diagnosis: told }, task: openTask } }, {});
        const seen = await shown(harness);
        const summary = { up: 1, degraded: 0, down: 0, blocked: 0, unknown: 0 };
        expect([seen.of.status, seen.summary, seen.canary.status]).toEqual(["up", summary, "unknown"]);
        const times = { createdAt: "2026-11-20T09:00:00.010Z", deadline: "2026-11-20T10:00:00.000Z" };
        expect(seen.canary.canary).toMatchObject({ listed: true, task: { ...words, ...times } });
      },
      publish,
    ),
);

test("one that waits for its task alone is what its gateway is", () =>
  inLedger([video()], async (harness) => {
    tick(harness, 0, { "a/video": { outcome: { diagnosis: PENDING }, task: openTask } });
    const seen = await shown(harness);
    expect([seen.of.status, seen.summary]).toMatchObject(["unknown", { unknown: 1 }]);
  }));

test.each([
  ["causes", "authentication"],
  ["health", null],
] as const)("in an open incident a canary that is skipped counts as it was last seen: %s", (publish, cause) =>
  inLedger(
    [monitor("a"), canary({ perDay: 2 }, { open: 1 })],
    async (harness) => {
      const refused = failed("authentication", "blocked");
      tick(harness, 0, { "a/chat": failed("service_misconfigured", "down") }, {});
      for (const minute of [1, 2]) tick(harness, minute, {}, refused);
      const seen = await shown(harness);
      expect(seen.canary).toMatchObject({ status: "unknown", lastStatus: "down" });
      expect(seen.canary.canary?.skipped).toMatchObject({ reason: "gateway", cause });
      expect(seen.summary).toMatchObject({ blocked: 1, down: 1, unknown: 0 });
    },
    publish,
  ),
);

test("figures of the last day are told as percentiles, of the successful ones", () =>
  inLedger([canary({ isStreamed: true })], async (harness) => {
    for (const [minute, ms] of [300, 100, 200].entries()) {
      begin(harness, minute);
      const tokensPerSecond = ms / 10;
      record(harness, minute, { "a/chat": { figures: { firstTokenMs: ms, tokensPerSecond } } });
    }
    tick(harness, 3, { "a/chat": { ...failed("stream_dropped", "down"), figures: { firstTokenMs: 9000 } } });
    const { canary: told } = await shown(harness);
    expect(told.canary).toMatchObject({
      streaming: true,
      firstTokenMs: { p50: 200, p95: 300, p99: 300 },
      tokensPerSecond: { p50: 20, p95: 10, p99: 10 },
      taskMs: null,
      figures: { firstTokenMs: 9000 },
    });
  }));

test("what a Retry-After holds is not called overdue", () =>
  inLedger([canary()], async (harness) => {
    begin(harness, 0);
    const retry = { allowed: true, afterSeconds: 7200, hint: null };
    record(harness, 0, { "a/chat": failed("rate_limited", "degraded", { retry }) });
    begin(harness, 100);
    const { canary: told } = await shown(harness);
    expect([told.status, told.nextProbeAt]).toEqual(["degraded", "2026-11-20T11:01:00.000Z"]);
  }));

test("probe now ends back-off and asks for a model that is not listed, but no cap gives way", () =>
  inLedger([canary({ perDay: 2 }, { everyMs: HOUR })], async (harness) => {
    const settings = { ...loneShard(harness.config), now: () => harness.nowMs };
    const administration = new Administration(harness.service, settings);
    const probeNow = () =>
      administration.answer({ type: "probe_now", monitorId: "a/chat" }, () => Promise.resolve(null));
    tick(harness, 0, { "a/chat": failed("service_misconfigured", "down") });
    expect(begin(harness, 1)).toEqual([]);
    expect(await probeNow()).toMatchObject({ ok: true, value: { monitor: "a/chat", notBefore: null } });
    expect(begin(harness, 2)).toHaveLength(1);
    record(harness, 2, { "a/chat": {} });
    await probeNow();
    expect(begin(harness, 3)).toEqual([]);
    expect(harness.service.state.canaries["a/chat"]?.skip?.reason).toBe("cap");
  }));

test("a report tells model, streaming and how to send the request again; of a task, how to ask about it", async () => {
  const streamed = canary({ isStreamed: true, timeoutMs: 45_000 }, { open: 1 });
  const clips = video({}, { open: 1 });
  await inLedger([streamed, clips], async (harness) => {
    tick(harness, 0, {
      "a/chat": failed("stream_dropped", "down"),
      "a/video": { outcome: { diagnosis: PENDING }, task: openTask },
    });
    tick(harness, 61, { "a/video": failed("task_stalled", "down") });
    await harness.publish();
    const reports = (await published()).tail.incidents.flatMap((incident) => incident.reports);
    expect(reports.find(({ id }) => id.startsWith("a.chat"))).toMatchObject({
      endpoint: "$GATEWAY_BASE_URL/v1/chat/completions",
      modelId: "m-1",
      streaming: true,
      retried: false,
      reproduce: `curl -gsSiN --max-time 45 -X POST -H "Authorization: Bearer $GATEWAY_API_KEY" -H 'Content-Type: application/json' --data-raw '{"model":"m-1"}' --url "$GATEWAY_BASE_URL"'/v1/chat/completions'`,
    });
    expect(reports.find(({ id }) => id.startsWith("a.video"))).toMatchObject({
      endpoint: "$GATEWAY_BASE_URL/v1/videos/task-1",
      taskId: "task-1",
      streaming: false,
      reproduce: `curl -gsSi --max-time 30 -H "Authorization: Bearer $GATEWAY_API_KEY" --url "$GATEWAY_BASE_URL"'/v1/videos/task-1'`,
    });
  });
});

test("a canary whose record is damaged has spent what its samples tell, and one request more", () =>
  inLedgerOf({ config: config([gateway("a", { monitors: [canary()] })]) }, async (harness, sql) => {
    tick(harness, 0, { "a/chat": {} });
    const spentOf = () => harness.service.state.canaries["a/chat"]?.days.map(({ requests }) => requests);
    expect(spentOf()).toEqual([1]);
    const damaged = [`"canaries":{"a/chat":{`, `"canaries":{"a/chat":{"days":7,"was":{`] as const;
    sql.exec("UPDATE document SET body = replace(body, ?, ?) || '}' WHERE name = 'members'", ...damaged);
    harness.restart();
    expect(spentOf()).toEqual([2]);
    expect(harness.service.quarantine.list()).toMatchObject([{ why: "lost: members/canaries/a/chat" }]);
  }));
