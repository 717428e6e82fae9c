import { expect, test } from "vitest";
import type { GatewayConfig, MonitorConfig } from "../../src/config/config.ts";
import type { Errand } from "../../src/domain/canary.ts";
import type { ProbeResult } from "../../src/domain/tick.ts";
import type { GatewayDocument, MonitorDocument } from "../../src/history/documents.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import { canary, failed, MINUTE, resultOf, type Told } from "../fixtures/canary-play.ts";
import { type Harness, inLedger as inLedgerOf, published, START } from "./ledger-harness.ts";

const inLedger = (
  monitors: readonly MonitorConfig[],
  run: (harness: Harness) => Promise<void>,
  publish: GatewayConfig["publish"] = "causes",
) => inLedgerOf({ config: config([gateway("a", { publish, monitors })]) }, run);

const at = (minute: number): number => START + minute * MINUTE;

function begin(harness: Harness, minute: number): readonly Errand[] {
  harness.nowMs = Math.max(harness.nowMs, at(minute));
  const request = { tickMs: at(minute), invocation: `i${minute}` };
  const { canaries } = harness.service.order(request, { a: "addr:key" });
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
  harness.service.store({ ...batch, results });
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

const PRICES = {
  currency: "USD",
  requestMicros: 10_000,
  inputMicros: 0,
  outputMicros: 0,
  mostMicros: 10_000,
};

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

test("a canary says when its next check really is: until its incident is open in its own rhythm, then less and less often", () =>
  inLedger([canary()], async (harness) => {
    const told: unknown[] = [];
    for (const minute of [0, 1, 3, 7]) {
      expect(begin(harness, minute)).toHaveLength(1);
      record(harness, minute, { "a/chat": failed("service_misconfigured", "down") });
      const { canary: of } = await shown(harness);
      told.push([of.opensAfter, of.incident === null, of.nextProbeAt?.slice(11, 16)]);
    }
    expect(told).toEqual([
      [1, true, "09:01"],
      [undefined, false, "09:03"],
      [undefined, false, "09:07"],
      [undefined, false, "09:15"],
    ]);
  }));

test("when the list works again, a canary in the same incident is checked at once, and the incident ends with it", () =>
  inLedger([monitor("a"), canary()], async (harness) => {
    const bad = failed("service_misconfigured", "down");
    const asked: number[] = [];
    const play = (minute: number, list: Told, told: Told) => {
      const errands = begin(harness, minute);
      if (errands.length > 0) asked.push(minute);
      record(harness, minute, errands.length > 0 ? { "a/chat": told } : {}, list);
    };
    for (let minute = 0; minute < 8; minute += 1) play(minute, bad, bad);
    expect(Object.keys(harness.service.memory.state.incidents)).toHaveLength(1);
    for (let minute = 8; minute < 12; minute += 1) play(minute, {}, {});
    expect(asked).toEqual([0, 1, 3, 7, 10, 11]);
    expect(harness.service.memory.state.incidents).toEqual({});
  }));
