import { expect, test } from "vitest";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import {
  bug,
  excused,
  gateway,
  gateways,
  lost,
  mostAtOnce,
  notSent,
  play,
  probedAs,
  type Scene,
  taken,
} from "./tick-play.ts";
import type { CanaryAssignment, OpenTask } from "../../src/domain/canary.ts";
import { NO_FIGURES, type Probed } from "../../src/domain/probe-outcome.ts";

const idsOf = (batch: { results: readonly { monitorId: string }[] } | undefined) =>
  batch?.results.map(({ monitorId }) => monitorId).sort();

test("a gateway that begins to hang keeps nobody's result back more than five seconds", async () => {
  const takesMs = (id: string) => (id === "g1/m0" ? 30_000 : 100);
  const { batches } = await play({ assignments: gateways(4), takesMs });
  expect(batches[0]?.at).toBe(5000);
  expect(idsOf(batches[0])).toEqual(["g0/m0", "g2/m0", "g3/m0"]);
  expect(idsOf(batches.at(-1))).toEqual(["g1/m0"]);
});

test("after the fast wave its results are recorded at once, whatever hangs behind it", async () => {
  const takesMs = (id: string) => (id.startsWith("h") ? 30_000 : 100);
  const { batches } = await play({ assignments: [...gateways(1, true), ...gateways(3)], takesMs });
  expect(batches[0]?.at).toBe(100);
  expect(batches[0]?.results).toHaveLength(3);
});

test("a tick that another invocation began probes nothing and records nothing", async () => {
  const scene = { assignments: gateways(2), duplicate: true, lanes: 3 };
  const { summary, log, batches, started } = await play(scene);
  expect(summary).toEqual({ duplicate: true, unfinished: false, probed: 0, shards: 1 });
  expect([log, batches, started]).toEqual([[], [], []]);
});

const UNSET = diagnosis("authentication", "blocked", { layer: null, httpStatus: null });
const AT_EDGE = diagnosis("connection_failed", "down", { httpStatus: 521 });
const atEdge = () => probedAs({ diagnosis: AT_EDGE });
const one = excused("x");
const two = gateways(2);

/** Whether each result is the monitoring's own trouble. */
test.each<readonly [string, Scene, readonly boolean[]]>([
  ["all that fail by network are", { assignments: gateways(3), probed: lost }, [true, true, true]],
  [
    "where one answers, however late, the others' failures are theirs",
    {
      assignments: gateways(3),
      takesMs: (id) => (id === "g2/m0" ? 8000 : 10),
      probed: (id) => (id === "g2/m0" ? probedAs() : lost()),
    },
    [false, false, false],
  ],
  ["those of one host are not", { assignments: two, hostOf: () => "a", probed: lost }, [false, false]],
  ["one beside an excused one is not", { assignments: [one, gateway("g")], probed: lost }, [false, false]],
  ["two beside it are, and it with them", { assignments: [one, ...two], probed: lost }, [true, true, true]],
  [
    "one beside it is not where the other was not asked after all",
    { assignments: [one, ...gateways(2)], probed: (id) => (id === "g1/m0" ? notSent : lost()) },
    [false, false],
  ],
  [
    "a missing secret is no evidence about the network",
    {
      assignments: gateways(2),
      probed: (id) => (id === "g0/m0" ? probedAs({ diagnosis: UNSET, attempts: [] }) : lost()),
    },
    [false, false],
  ],
  ["edges that reach nobody prove nothing", { assignments: two, probed: atEdge }, [true, true]],
])("own trouble: %s", async (_what, scene, expected) => {
  const { batches } = await play(scene);
  const own = batches.flatMap(({ results, ownNetworkFailed }) => results.map(() => ownNetworkFailed));
  expect(own).toEqual(expected);
  expect(batches.some(({ ownNetworkFailed }) => ownNetworkFailed)).toBe(expected.includes(true));
});

test("where one that is excused stands beside one, that one's failure waits for nobody", async () => {
  const takesMs = (id: string) => (id === "x/m0" ? 30_000 : 10);
  const { batches } = await play({ assignments: [one, ...gateways(1)], takesMs, probed: lost });
  const expected = ["5000,g0/m0", "30000,x/m0"];
  expect(batches.map((batch) => [batch.at, ...(idsOf(batch) ?? [])].join())).toEqual(expected);
});

test("a probe that breaks off costs its own result alone, and is reported", async () => {
  const probed = (id: string) => (id === "g1/m0" ? bug() : probedAs());
  const { recorded, returned, warnings } = await play({ assignments: gateways(3), probed });
  expect(recorded.sort()).toEqual(["g0/m0", "g2/m0"]);
  expect(returned).toEqual(["g1/m0"]);
  expect(warnings).toEqual(["the probe of g1/m0 broke off"]);
});

test("gateways whose last invocation died go after all quick ones, one by one, with the results before them recorded", async () => {
  const suspects = ["s0", "s1"].map((id) => gateway(id, false, 1, true));
  const { log, batches } = await play({ assignments: [...suspects, ...gateways(3), ...gateways(1, true)] });
  const starts = log.filter(({ event }) => event === "start").map(({ monitorId }) => monitorId);
  expect(starts.slice(-2)).toEqual(["s1/m0", "s0/m0"]);
  expect(mostAtOnce(log, (id) => id.startsWith("s"))).toBe(1);
  const recordedBefore = (id: string) => {
    const startedAt = log.find(({ monitorId }) => monitorId === id)?.at ?? 0;
    return batches.filter(({ at }) => at + 60_000 <= startedAt).flatMap(({ results }) => results).length;
  };
  expect([recordedBefore("s1/m0"), recordedBefore("s0/m0")]).toEqual([3, 5]);
});

test.each([
  [2, 6],
  [3, 6],
  [5, 5],
])("of %i suspect gateways each begins once, though they return every %i minutes", async (count, minutes) => {
  const assignments = Array.from({ length: count }, (_, index) => gateway(`s${index}`, false, 1, true));
  const firsts = new Set<string | undefined>();
  for (let turn = 0; turn < 40; turn += 1) {
    const { log } = await play({ assignments, tickMs: turn * minutes * 60_000 });
    firsts.add(log[0]?.monitorId);
  }
  expect(firsts.size).toBe(count);
});

test("Retry-After binds the gateway's other monitors within the tick too", async () => {
  const retry = { allowed: true, afterSeconds: 60, hint: null };
  const limited = diagnosis("rate_limited", "degraded", { retry });
  const probed = (id: string) => probedAs(id === "g0/m1" ? { diagnosis: limited } : {});
  const { recorded, returned } = await play({ assignments: [gateway("g0", false, 3)], probed });
  expect(recorded).toEqual(["g0/m0", "g0/m1"]);
  expect(returned).toEqual(["g0/m2"]);
});

test("a Ledger that does not answer a batch keeps no result of the tick", async () => {
  let calls = 0;
  const record = () => {
    calls += 1;
    return calls === 1 ? new Promise<void>(() => undefined) : Promise.resolve();
  };
  const { recorded } = await play({ assignments: gateways(3), record });
  expect(recorded.sort()).toEqual(["g0/m0", "g1/m0", "g2/m0"]);
});

const DOWN = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });
const good = () => probedAs();
const three = gateways(3);

test.each<readonly [string, Scene, number, number]>([
  ["of gateways that are down", { assignments: three, probed: () => probedAs({ diagnosis: DOWN }) }, 3, 1],
  ["that another invocation began", { assignments: two, duplicate: true }, 0, 0],
  ["whose batch the Ledger took in the end", { assignments: two, refusals: 2 }, 2, 1],
  ["that reaches no gateway", { assignments: three, probed: lost }, 3, 0],
  ["that reaches one", { assignments: three, probed: (id) => (id === "g1/m0" ? probedAs() : lost()) }, 3, 1],
  ["whose every probe breaks off", { assignments: two, probed: bug }, 0, 0],
  ["of which one breaks off", { assignments: two, probed: (id) => (id === "g0/m0" ? bug() : good()) }, 1, 1],
])("a tick %s: the heartbeats", async (_what, scene, results, count) => {
  const { beats, recorded } = await play({ ...scene, heartbeat: taken });
  expect([recorded.length, beats.length]).toEqual([results, count]);
});

test("a tick whose results the Ledger has sends one heartbeat, after the last of them", async () => {
  const assignments = [...three, ...gateways(1, true)];
  const takesMs = (id: string) => (id === "h0/m0" ? 7000 : 10);
  const { beats, batches } = await play({ assignments, takesMs, heartbeat: taken });
  expect(beats).toEqual([7010]);
  expect(batches.at(-1)).toMatchObject({ at: 7010, results: [{ monitorId: "h0/m0" }] });
  const idle = await play({ assignments: [], heartbeat: taken });
  expect(idle).toMatchObject({ beats: [0], batches: [{ results: [], returned: [] }] });
});

test("a Ledger that takes nothing ends the tick with its error, after several offers, and without a heartbeat", async () => {
  const gone = new Error("the object is gone");
  let offers = 0;
  const record = () => {
    offers += 1;
    return Promise.reject(gone);
  };
  const expected = { summary: gone, beats: [] };
  expect(await play({ assignments: two, record, heartbeat: taken })).toMatchObject(expected);
  expect(offers).toBe(5);
});

test("a heartbeat that comes to nothing is warned about once, and fails nothing", async () => {
  const { beats, warnings, summary } = await play({ assignments: two, heartbeat: async () => "HTTP 503" });
  expect(beats).toHaveLength(1);
  expect(warnings).toEqual(["the heartbeat failed: HTTP 503"]);
  expect(summary).toEqual({ duplicate: false, unfinished: false, probed: 2, shards: 1 });
});

test("six probes are in flight at most, one a gateway", async () => {
  const { log, recorded } = await play({ assignments: [...gateways(9), gateway("many", false, 3)] });
  expect(mostAtOnce(log, () => true)).toBe(6);
  expect(mostAtOnce(log, (id) => id.startsWith("many/"))).toBe(1);
  expect(new Set(recorded).size).toBe(12);
});

test("gateways that hung last time go last and hold two connections at most", async () => {
  const { log } = await play({
    assignments: [...gateways(5, true), ...gateways(8)],
    takesMs: (id) => (id.startsWith("h") ? 30_000 : 100),
  });
  expect(mostAtOnce(log, (id) => id.startsWith("h"))).toBe(2);
  const firstHanging = log.findIndex(({ monitorId }) => monitorId.startsWith("h"));
  const lastFast = log.findLastIndex(
    ({ monitorId, event }) => monitorId.startsWith("g") && event === "start",
  );
  expect(firstHanging).toBeGreaterThan(lastFast);
});

test("gateways that wait before they repeat hold up none of the others", async () => {
  const { log } = await play({
    assignments: [...gateways(8), gateway("good")],
    attempts: (id) => (id.startsWith("good") ? 1 : 4),
  });
  expect(log.find(({ monitorId }) => monitorId === "good/m0")?.at).toBe(60_010);
  expect(mostAtOnce(log, () => true)).toBe(6);
});

test("a repetition that could outlive the lease is not sent", async () => {
  const { log } = await play({ assignments: gateways(1), attempts: () => 4, takesMs: () => 80_000 });
  const starts = log.filter(({ event }) => event === "start").map(({ at }) => at - 60_000);
  expect(starts).toEqual([0, 110_000, 220_000]);
});

test("every monitor has its first attempt before any has a second", async () => {
  const allowed: boolean[] = [];
  const attempt = { httpStatus: 503, error: null, durationMs: 1, retryAfter: null, waitedMs: 0 };
  await play({
    // The second list of each is asked when the first was.
    assignments: Array.from({ length: 5 }, (_, n) => gateway(`g${n}`, false, 2)),
    requestLimit: 12,
    probed: (_, leave) => {
      allowed.push(leave.mayRepeat());
      return {
        type: "probed",
        outcome: outcome({ attempts: allowed.at(-1) ? [attempt, attempt] : [attempt] }),
      };
    },
  });
  expect(allowed.filter(Boolean)).toHaveLength(2);
});

test("no probe starts that could outlive its lease: the rest is given back for the next tick", async () => {
  const { log, batches, recorded } = await play({ assignments: gateways(10, true), takesMs: () => 30_000 });
  const started = log.filter(({ event }) => event === "start");
  expect(started.map(({ at }) => at - 60_000)).toEqual([0, 0, 30_000, 30_000, 60_000, 60_000]);
  expect(recorded).toHaveLength(6);
  expect(batches.flatMap(({ returned }) => returned).sort()).toEqual(["h6/m0", "h7/m0", "h8/m0", "h9/m0"]);
});

test("status pages are read one after the other once all quick gateways were asked, and no probe waits for them", async () => {
  const read: { page: string; at: number }[] = [];
  const reported = { readAt: "", indicator: "none", description: "", incidents: [] } as const;
  const { log, batches, beats, warnings } = await play({
    assignments: gateways(10),
    takesMs: () => 1000,
    pages: ["https://a.example", "https://b.example"],
    heartbeat: taken,
    readPage: async (page, leave, clock) => {
      if (!(await leave.begin(10_000))) return null;
      read.push({ page, at: clock.now() - 60_000 });
      await clock.sleep(10_000);
      leave.end();
      return { page, reported };
    },
  });
  expect(Math.max(...log.map(({ at }) => at - 60_000))).toBe(2000);
  expect(read).toEqual([
    { page: "https://a.example", at: 2000 },
    { page: "https://b.example", at: 12_000 },
  ]);
  const told = batches.flatMap(({ pages = [], at }) => pages.map(({ page }) => [page, at]));
  expect(told.map(([page]) => page)).toEqual(["https://a.example", "https://b.example"]);
  expect([batches[0]?.at, beats, warnings]).toEqual([2000, [2000], []]);
});

test("a status page has its request, whatever is repeated, and no repetition has it", async () => {
  const pages = ["https://a.example"];
  const allowed: boolean[] = [];
  const asked: boolean[] = [];
  await play({
    assignments: gateways(3),
    requestLimit: 4,
    pages,
    probed: (_, leave) => {
      allowed.push(leave.mayRepeat());
      return probedAs();
    },
    readPage: async (_, leave) => {
      asked.push(await leave.begin(10_000));
      return null;
    },
  });
  expect([allowed, asked]).toEqual([[false, false, false], [true]]);
});

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
