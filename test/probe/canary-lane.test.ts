import { expect, test } from "vitest";
import type { CanaryAssignment, OpenTask } from "../../src/domain/canary.ts";
import { NO_FIGURES, type Probed } from "../../src/domain/probe-outcome.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { bug, gateway, gateways, lost, mostAtOnce, play, probedAs, type Scene, taken } from "./tick-play.ts";

const canaries = (gatewayId: string, count = 1, task: OpenTask | null = null): CanaryAssignment => ({
  gatewayId,
  errands: Array.from({ length: count }, (_, n) => ({
    monitorId: `${gatewayId}/c${n}`,
    task,
    attempts: 1,
    differing: 0,
  })),
});
const of = (kind: "c" | "m") => (monitorId: string) => monitorId.split("/")[1]?.startsWith(kind) ?? false;
const isCanary = of("c");
const TASK = { id: "video_1", createdAtMs: 0, deadlineMs: 1 };
const LIMITED = diagnosis("rate_limited", "degraded", {
  retry: { allowed: true, afterSeconds: 60, hint: null },
});

/** A tick of canaries alone. */
const alone = (lane: readonly CanaryAssignment[], scene: Partial<Scene> = {}) =>
  play({ assignments: [], canaries: lane, ...scene });

/** When canaries' requests began, in the tick. */
const startsOf = (log: Awaited<ReturnType<typeof play>>["log"]): number[] =>
  log.filter(({ event, monitorId }) => event === "start" && isCanary(monitorId)).map(({ at }) => at - 60_000);

function withTask(): Probed {
  const pending = outcome({ diagnosis: diagnosis("task_pending", "unknown", { layer: "task" }) });
  const findings = { type: "canary", figures: NO_FIGURES, balance: null, task: TASK } as const;
  return { type: "probed", outcome: pending, findings };
}

test("canaries begin when the quick lists have asked, three gateways at once, one request each", async () => {
  const { log, recorded } = await play({
    assignments: gateways(8),
    canaries: [canaries("a", 2), ...["b", "c", "d", "e"].map((id) => canaries(id))],
    takesMs: (id) => (isCanary(id) ? 20_000 : 100),
  });
  const firstCanary = log.findIndex(({ monitorId }) => isCanary(monitorId));
  const lastList = log.findLastIndex(({ monitorId, event }) => !isCanary(monitorId) && event === "end");
  expect(firstCanary).toBeGreaterThan(lastList);
  expect(mostAtOnce(log, isCanary)).toBe(3);
  expect(mostAtOnce(log, (id) => id.startsWith("a/"))).toBe(1);
  expect(recorded.filter(isCanary)).toHaveLength(6);
});

test("six requests are in flight at most, canaries and lists together", async () => {
  const { log } = await play({
    assignments: [...gateways(6), ...gateways(6, true)],
    canaries: ["a", "b", "c", "d"].map((id) => canaries(id, 2)),
    takesMs: (id) => (isCanary(id) || id.startsWith("h") ? 20_000 : 100),
  });
  expect(mostAtOnce(log, () => true)).toBeLessThanOrEqual(6);
  expect(mostAtOnce(log, (id) => id.startsWith("h"))).toBe(2);
});

test("the lists are recorded and the heartbeat is sent while canaries take two minutes", async () => {
  const takesMs = (id: string) => (isCanary(id) ? 120_000 : 100);
  const limit = { canaryLimitMs: 120_000, heartbeat: taken };
  const given = { assignments: gateways(3), canaries: [canaries("a")], takesMs, ...limit };
  const { batches, beats } = await play(given);
  expect(batches[0]).toMatchObject({ at: 100 });
  expect(batches[0]?.results).toHaveLength(3);
  expect(beats).toEqual([100]);
  expect(batches.at(-1)).toMatchObject({ at: 120_100, results: [{ monitorId: "a/c0" }] });
});

test("a task that was created is recorded at once, whatever follows it", async () => {
  const { batches } = await alone([canaries("a", 2)], {
    takesMs: (id) => (id === "a/c0" ? 100 : 60_000),
    canaried: (errand) => (errand.monitorId === "a/c0" ? withTask() : probedAs()),
  });
  const told = batches.find(({ results }) => results.length > 0);
  expect(told).toMatchObject({ at: 100, results: [{ monitorId: "a/c0", findings: { task: TASK } }] });
});

test("Retry-After of one canary holds the rest of its gateway's, and nobody else", async () => {
  const { recorded, returned } = await alone([canaries("a", 3), canaries("b", 2)], {
    canaried: ({ monitorId }) => probedAs(monitorId === "a/c0" ? { diagnosis: LIMITED } : {}),
  });
  expect(recorded.toSorted()).toEqual(["a/c0", "b/c0", "b/c1"]);
  expect(returned).toEqual(["a/c1", "a/c2"]);
});

test("Retry-After of a list holds its gateway's canaries", async () => {
  const { log, returned } = await play({
    assignments: gateways(2),
    canaries: [canaries("g0"), canaries("g1")],
    probed: (id) => probedAs(id === "g0/m0" ? { diagnosis: LIMITED } : {}),
  });
  expect(log.map(({ monitorId }) => monitorId)).not.toContain("g0/c0");
  expect(returned).toEqual(["g0/c0"]);
});

test("every list has its first attempt before any canary, and what is left over is given back", async () => {
  const assignments = [...gateways(4), ...gateways(2, true)];
  const { log, returned } = await play({ assignments, canaries: [canaries("a", 5)], requestLimit: 8 });
  const started = log.filter(({ event }) => event === "start").map(({ monitorId }) => monitorId);
  expect(started.filter(of("m"))).toHaveLength(6);
  expect(started.filter(isCanary)).toEqual(["a/c0", "a/c1"]);
  expect(returned).toEqual(["a/c2", "a/c3", "a/c4"]);
});

test("no request of a canary is sent that could outlive the lease, or end in the very instant with it", async () => {
  const each = (count: number, ms: number) =>
    alone([canaries("a", count)], { canaryLimitMs: 120_000, takesMs: () => ms });
  const { log, returned } = await each(4, 89_999);
  expect(startsOf(log)).toEqual([0, 89_999, 179_998]);
  expect(returned).toEqual(["a/c3"]);
  expect(startsOf((await each(3, 90_000)).log)).toEqual([0, 90_000]);
});

test("one that may take four minutes is sent within two, however many lists come before it", async () => {
  const starts = async (ms: number): Promise<number[]> => {
    const takesMs = (id: string) => (isCanary(id) ? ms : 2000);
    const limits = { canaryLimitMs: 240_000, requestLimit: 10_000 };
    const given = { assignments: gateways(200), canaries: [canaries("a", 2)], takesMs, ...limits };
    const { log } = await play(given);
    return startsOf(log);
  };
  expect(await starts(51_999)).toEqual([68_000, 119_999]);
  expect(await starts(52_000)).toEqual([68_000]);
});

test("a canary that breaks off stays the Ledger's to judge, and a question that does is given back", async () => {
  const both = [canaries("a"), canaries("b", 1, TASK)];
  const { recorded, returned, warnings } = await alone(both, { canaried: bug });
  expect([recorded, returned]).toEqual([[], ["b/c0"]]);
  expect(warnings).toEqual(["the canary a/c0 broke off", "the canary b/c0 broke off"]);
});

test("a canary that cannot reach its gateway is told of with the lists' own trouble", async () => {
  const takesMs = (id: string) => (id === "g1/c0" ? 20_000 : 10);
  const failing = { probed: lost, canaried: lost, takesMs, heartbeat: taken };
  const both = [canaries("g0"), canaries("g1")];
  const { batches, beats } = await play({ assignments: gateways(2), canaries: both, ...failing });
  const withResults = batches.filter(({ results }) => results.length > 0);
  expect(withResults.map(({ ownNetworkFailed }) => ownNetworkFailed)).not.toContain(false);
  expect(withResults.flatMap(({ results }) => results)).toHaveLength(4);
  expect(beats).toEqual([]);
});

test("a canary's failure alone says nothing of the network of the monitoring", async () => {
  const both = [canaries("a"), canaries("b")];
  const failing = { canaried: lost, heartbeat: taken };
  const { batches, beats } = await play({ assignments: gateways(2), canaries: both, ...failing });
  expect(batches.map(({ ownNetworkFailed }) => ownNetworkFailed)).not.toContain(true);
  expect(beats).toHaveLength(1);
});

test("a Ledger that took no list takes them with the canaries, and then the heartbeat is sent", async () => {
  const takesMs = (id: string) => (isCanary(id) ? 60_000 : 10);
  const late = { takesMs, refusals: 5, heartbeat: taken };
  const given = { assignments: [gateway("g0")], canaries: [canaries("a")], ...late };
  const { beats, recorded, summary } = await play(given);
  expect(recorded.toSorted()).toEqual(["a/c0", "g0/m0"]);
  expect(summary).toMatchObject({ probed: 2 });
  expect(beats).toHaveLength(1);
});

test("a canary's result is recorded within seconds of the end of its gateway's errands", async () => {
  const takesMs = (id: string) => (id === "a/c0" ? 100 : 60_000);
  const { batches } = await alone([canaries("a"), canaries("b")], { takesMs });
  const first = batches.find(({ results }) => results.length > 0);
  expect(first).toMatchObject({ at: 100, results: [{ monitorId: "a/c0" }] });
});
