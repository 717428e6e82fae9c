import { describe, expect, test } from "vitest";
import { LEASE_MS } from "../../src/domain/tick.ts";
import { monitor } from "../fixtures/config.ts";
import { at, canary, CanaryPlay, failed, HOUR, MINUTE, withCanaries } from "../fixtures/canary-play.ts";

const GOOD = () => ({});
const rest = (afterSeconds: number) => ({ retry: { allowed: true, afterSeconds, hint: null } });

describe("a canary that is due", () => {
  test("is asked once, and its request is noted and counted before it is sent", () => {
    const play = new CanaryPlay(withCanaries([canary()]));
    expect(play.begin(0)).toEqual({
      duplicate: false,
      unfinished: false,
      assignments: [],
      canaries: [
        { gatewayId: "a", errands: [{ monitorId: "a/chat", task: null, attempts: 1, differing: 0 }] },
      ],
      lanes: 0,
      pages: [],
    });
    expect(play.canary()).toMatchObject({
      run: { tickMs: at(0), invocation: "i0", sentAtMs: at(0), attempts: 1, day: "2026-11-20" },
      days: [{ day: "2026-11-20", requests: 1, inputTokens: 0, outputTokens: 0, costMicros: 0 }],
      askedAtMs: at(0),
    });
    expect(play.state.journal.gateways["a"]?.canaries.lease).toEqual({
      tickMs: at(0),
      invocation: "i0",
      run: null,
      untilMs: at(0) + LEASE_MS,
      owed: ["a/chat"],
    });
  });

  test("is named again where the same invocation asks again, and not where another one does", () => {
    const play = new CanaryPlay(withCanaries([canary()]));
    const first = play.begin(0);
    expect(play.begin(0)).toEqual(first);
    expect(play.requests(0)).toBe(1);
    expect(play.begin(0, { invocation: "another" })).toMatchObject({ duplicate: true, canaries: [] });
    expect(play.requests(0)).toBe(1);
  });

  test("may be repeated where `retry` says so, up to 4 requests and no more than are left", () => {
    const play = new CanaryPlay(withCanaries([canary({ retry: true, perDay: 6 })]));
    expect(play.errands(0)).toMatchObject([{ attempts: 4 }]);
    const attempt = { httpStatus: 503, error: null, durationMs: 1, retryAfter: null, waitedMs: 0 };
    play.record(0, { "a/chat": { outcome: { attempts: [attempt, attempt, attempt] } } });
    expect(play.requests(0)).toBe(3);
    expect(play.errands(1)).toMatchObject([{ attempts: 3 }]);
  });
});

describe("lanes", () => {
  test("a list is asked while its gateway's canaries are, and the other way round", () => {
    const play = new CanaryPlay(withCanaries([monitor("a"), canary()]));
    expect(play.begin(0)).toMatchObject({ assignments: [{}], canaries: [{}] });
    play.list(0);
    expect(play.begin(1)).toMatchObject({ assignments: [{}], canaries: [] });
  });

  test("lists and canaries share what a tick may do; of equal lateness the lists come first", () => {
    const monitors = [canary({}, { id: "a/aaa" }), canary({}, { id: "a/bbb" }), monitor("a")];
    const play = new CanaryPlay(withCanaries(monitors, { maxProbesPerTick: 2 }));
    expect(play.begin(0)).toMatchObject({
      assignments: [{ monitorIds: ["a/models"] }],
      canaries: [{ errands: [{ monitorId: "a/aaa" }] }],
    });
    expect(play.state.journal.ticks[0]?.putOff).toBe(1);
    expect(play.canary("a/bbb").run).toBeNull();
  });

  test("the most overdue come first, whichever they are", () => {
    const monitors = [canary({}, { everyMs: HOUR }), monitor("a")];
    const play = new CanaryPlay(withCanaries(monitors, { maxProbesPerTick: 1 }));
    expect(play.begin(0)).toMatchObject({ assignments: [{}], canaries: [] });
    play.list(0);
    expect(play.begin(1)).toMatchObject({ assignments: [], canaries: [{}] });
  });

  test("one that was skipped has its turn again, though every tick is full", () => {
    const monitors = [monitor("a", { everyMs: MINUTE }), canary({}, { everyMs: 10 * MINUTE })];
    const play = new CanaryPlay(withCanaries(monitors, { maxProbesPerTick: 1 }));
    const asked: number[] = [];
    for (let minute = 0; minute <= 60; minute += 1) {
      const { assignments, canaries } = play.begin(minute);
      if (canaries.length > 0) {
        asked.push(minute);
        play.record(minute, { "a/chat": {} });
      }
      const isDown = minute > 15 && minute < 35;
      if (assignments.length > 0) play.list(minute, isDown ? failed("timeout", "down") : {});
    }
    expect(asked).toEqual([1, 10, 37, 40, 50, 60]);
  });

  test("the first tick asks each canary, however many a gateway has; the lease is that of one", () => {
    const ids = ["a/1", "a/2", "a/3", "a/4", "a/5"];
    const play = new CanaryPlay(withCanaries(ids.map((id) => canary({ timeoutMs: 120_000 }, { id }))));
    expect(play.errands(0)).toMatchObject(ids.map((monitorId) => ({ monitorId })));
    expect(play.state.journal.ticks[0]?.putOff).toBe(0);
    expect(play.state.journal.gateways["a"]?.canaries.lease?.untilMs).toBe(at(0) + LEASE_MS);
  });

  test("the lease outlasts a canary that may take longer than any list", () => {
    const play = new CanaryPlay(withCanaries([canary({ timeoutMs: 240_000 })]));
    play.begin(0);
    expect(play.state.journal.gateways["a"]?.canaries.lease?.untilMs).toBe(at(0) + 390_000);
  });

  test("a list's Retry-After holds the canaries too", () => {
    const play = new CanaryPlay(withCanaries([monitor("a"), canary({}, { everyMs: MINUTE })]));
    play.begin(0);
    play.record(0, { "a/chat": {} });
    play.list(0, failed("upstream_unavailable", "down", rest(600)));
    expect(play.errands(9)).toEqual([]);
  });

  test("a canary's Retry-After holds the canaries for as long, and the list for 15 minutes at most", () => {
    const play = new CanaryPlay(withCanaries([monitor("a"), canary()]));
    play.begin(0);
    play.list(0);
    play.record(0, { "a/chat": failed("rate_limited", "degraded", rest(36_000)) });
    const { heldUntilMs, canaries } = play.state.journal.gateways["a"]!;
    expect([heldUntilMs, canaries.heldUntilMs]).toEqual([at(15) + 110, at(600) + 110]);
  });

  test("a canary that takes its time makes the gateway no slow one for the lists", () => {
    const play = new CanaryPlay(withCanaries([monitor("a"), canary()]));
    play.begin(0);
    play.record(0, { "a/chat": { outcome: { latencyMs: 29_000, durationMs: 29_000 } } });
    expect(play.state.journal.gateways["a"]).toMatchObject({ quickOwed: 0, suspect: false });
  });
});

describe("a request of which nobody told", () => {
  test("is said to be of unknown fate, stays counted, and is not repeated before its next time", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: HOUR })]));
    const [first] = play.asked(0, 60, GOOD).slice(1);
    const slot = first ?? 0;
    expect(slot).toBeGreaterThan(0);
    expect(play.errands(slot + 60)).toHaveLength(1);
    for (let minute = slot + 61; minute < slot + 65; minute += 1) expect(play.errands(minute)).toEqual([]);
    expect(play.canary().run).not.toBeNull();
    const asked: number[] = [];
    for (let minute = slot + 65; minute <= slot + 120; minute += 1) {
      if (play.errands(minute).length > 0) asked.push(minute);
      if (minute > slot + 65) continue;
      expect(play.canary().run).toBeNull();
      expect(play.monitor()).toMatchObject({ health: "unknown", lastVerdict: "up", goodInARow: 2 });
      expect(play.monitor().diagnosis).toMatchObject({ cause: "timeout", owner: "nobody", layer: null });
    }
    expect(asked).toEqual([slot + 120]);
    expect(play.requests(slot)).toBe(4);
  });

  test("ends as soon as another run of the monitor is known to have begun", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: HOUR })]));
    play.run = "first";
    expect(play.errands(0)).toHaveLength(1);
    play.run = "second";
    expect(play.errands(1)).toEqual([]);
    expect(play.canary().run).toBeNull();
    expect(play.requests(0)).toBe(1);
  });

  test("leaves no sample, and a late answer leaves one and moves nothing", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: HOUR })]));
    play.begin(0);
    play.begin(6);
    const told = { "a/chat": { figures: { inputTokens: 5, outputTokens: 3 } } };
    const late = play.record(0, told, { nowMs: at(7) });
    expect(late.samples).toHaveLength(1);
    expect(play.monitor().health).toBe("unknown");
    expect(play.canary().days).toEqual([
      { day: "2026-11-20", requests: 1, inputTokens: 5, outputTokens: 3, costMicros: 0 },
    ]);
    const again = play.record(0, told, { nowMs: at(7) });
    expect([again.samples, play.canary().days[0]?.inputTokens]).toEqual([[], 5]);
  });

  test("whose answer comes before it was given up counts, though its lease is over", () => {
    const play = new CanaryPlay(withCanaries([canary()]));
    play.begin(0);
    play.record(0, { "a/chat": {} }, { nowMs: at(6) });
    expect([play.canary().run, play.monitor().health]).toEqual([null, "up"]);
  });
});
