import { describe, expect, test } from "vitest";
import { LEASE_MS } from "../../src/domain/tick.ts";
import { monitor } from "../fixtures/config.ts";
import {
  at,
  canary,
  CanaryPlay,
  failed,
  HOUR,
  MINUTE,
  withCanaries,
  type Told,
} from "../fixtures/canary-play.ts";
import { probeSoon } from "../../src/ledger/admin/admin.ts";
import type { MonitorConfig } from "../../src/config/config.ts";
import type { Findings } from "../../src/domain/canary.ts";

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

describe("a cap", () => {
  test("is a number of requests a day; then the canary is skipped, says so, and goes on with the next day", () => {
    const play = new CanaryPlay(withCanaries([canary({ perDay: 3 }, { everyMs: 10 * MINUTE })]));
    const asked = play.asked(0, 2 * 1440 - 1, GOOD);
    expect(asked.filter((minute) => minute < 1440)).toHaveLength(3);
    expect(asked.filter((minute) => minute >= 1440)).toHaveLength(3);
    expect(asked[3]).toBe(1440);
    expect(play.canary().skip).toMatchObject({ reason: "cap", cause: null });
    expect(play.monitor()).toMatchObject({ health: "unknown", diagnosis: null, lastVerdict: "up" });
  });

  test("in money ends the day before a request could exceed it, in the day of the zone", () => {
    const prices = { currency: "USD", requestMicros: 0, inputMicros: 0, outputMicros: 1, mostMicros: 100 };
    const capped = canary({ prices, maxCostMicros: 1000 }, { everyMs: 10 * MINUTE });
    const play = new CanaryPlay(withCanaries([capped], { timeZone: "Asia/Shanghai" }));
    // 16:00 UTC is midnight in Shanghai.
    const asked = play.asked(0, 1439, () => ({ figures: { costMicros: 90 }, estimatedMicros: 40 }));
    expect(asked.filter((minute) => minute < 960)).toHaveLength(11);
    expect(asked[11]).toBe(960);
    const [today] = play.canary().days;
    expect(today).toMatchObject({ day: "2026-11-21", requests: 11, costMicros: 990, estimatedMicros: 440 });
    expect(play.canary().skip).toMatchObject({ reason: "cap" });
  });

  test("counts what was lost, and what was given back not", () => {
    const play = new CanaryPlay(withCanaries([canary({ perDay: 2 })]));
    expect(play.errands(0)).toHaveLength(1);
    play.record(0, {}, { returned: ["a/chat"] });
    expect([play.requests(0), play.canary().run, play.canary().askedAtMs]).toEqual([0, null, null]);
    expect(play.errands(1)).toHaveLength(1);
    expect(play.errands(7)).toEqual([]);
    expect(play.errands(8)).toHaveLength(1);
    play.record(8, { "a/chat": {} });
    expect(play.errands(9)).toEqual([]);
    expect(play.requests(0)).toBe(2);
  });
});

describe("back-off", () => {
  test("a generation that fails is asked in its next slot until its incident is open, then after twice its interval, up to 4 hours", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: 30 * MINUTE })]));
    const asked = play.asked(0, 1200, () => failed("service_misconfigured", "down"));
    expect(asked.map((minute, index) => minute - (asked[index - 1] ?? 0)).slice(1)).toEqual([
      19, 60, 120, 240, 240, 240, 240,
    ]);
  });

  test("success ends it, and so does a good answer that is slow", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: MINUTE })]));
    play.asked(0, 1, () => failed("service_misconfigured", "down"));
    expect(play.canary().failures).toBe(2);
    expect(play.asked(2, 3, () => failed("slow", "degraded", { ok: true }))).toEqual([3]);
    expect(play.asked(4, 5, GOOD)).toEqual([4, 5]);
  });

  test("what costs nothing keeps its rhythm, but for refusals", () => {
    const look = canary({ kind: "console", isGeneration: false }, { kind: "console", model: null });
    const play = new CanaryPlay(withCanaries([look]));
    expect(play.asked(0, 4, () => failed("service_misconfigured", "down"))).toEqual([0, 1, 2, 3, 4]);
    expect(play.asked(5, 12, () => failed("authentication", "blocked"))).toEqual([5, 7, 11]);
  });

  test("what is laid to the monitoring's own network is no failure of the canary", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: HOUR })]));
    play.begin(0);
    const { journal } = play.state;
    const ownNetwork = { ...journal.ownNetwork, failedInARow: 1 };
    play.state = { ...play.state, journal: { ...journal, ownNetwork } };
    play.record(0, { "a/chat": failed("timeout", "down", { layer: "network", httpStatus: null }) });
    expect([play.monitor().health, play.canary().failures]).toEqual(["unknown", 0]);
  });

  test.each([
    ["another key", false, { identity: "addr:new" }, "old"],
    ["another key of its own", true, { ownKeys: { "a/chat": "new" } }, "new"],
  ] as const)("%s ends it at once", (_, hasOwnKey, key, keyIdentity) => {
    const play = new CanaryPlay(withCanaries([canary({ hasOwnKey }, { everyMs: HOUR })]));
    play.ownKeys = { "a/chat": "old" };
    play.asked(0, 0, () => failed("authentication", "blocked"));
    expect(play.errands(1)).toEqual([]);
    Object.assign(play, key);
    expect(play.errands(2)).toHaveLength(1);
    expect(play.canary()).toMatchObject({ keyIdentity, failures: 0 });
  });
});

describe("skips for the gateway's sake", () => {
  const listed = { type: "list", listed: ["m-1"], unlisted: [] } as const;
  const unlisted = { type: "list", listed: [], unlisted: ["m-1"] } as const;

  const headers = { accept: "application/json" };
  const request = { method: "GET", path: "/health", headers, body: null } as const;
  const keyless = canary({ kind: "http", request, isGeneration: false }, { kind: "http", model: null });
  const REFUSED = failed("insufficient_balance", "blocked");
  const UNREACHED = failed("timeout", "down");

  /** Its first request was good, and then the list tells this. */
  function afterList(of: MonitorConfig, ...told: [of: Told, findings?: Findings]): CanaryPlay {
    const play = new CanaryPlay(withCanaries([monitor("a"), of]));
    play.asked(0, 0, GOOD);
    play.list(0, ...told);
    return play;
  }

  test("without a key it is asked whatever the key is refused, but not where the gateway does not answer", () => {
    expect(afterList(keyless, REFUSED).errands(2)).toHaveLength(1);
    expect(afterList(keyless, UNREACHED).errands(2)).toEqual([]);
  });

  test("with a key of its own it is asked, whatever the gateway's key is refused or shown", () => {
    const own = canary({ hasOwnKey: true });
    expect(afterList(own, failed("authentication", "blocked"), unlisted).errands(1)).toHaveLength(1);
  });

  test("a list of which nothing has been heard for long is no reason", () => {
    const play = afterList(canary(), UNREACHED);
    expect(play.errands(8)).toEqual([]);
    expect(play.errands(9)).toHaveLength(1);
  });

  test("a canary is skipped while the list shows a cause that would fail it too", () => {
    const play = afterList(canary(), REFUSED);
    expect(play.errands(2)).toEqual([]);
    expect(play.canary().skip).toEqual({ reason: "gateway", cause: "insufficient_balance", sinceMs: at(2) });
    expect(play.recorded?.samples).toHaveLength(1);
    play.list(2);
    expect(play.errands(3)).toHaveLength(1);
    expect(play.canary().skip).toBeNull();
  });

  const MISSING = failed("not_found", "blocked", { owner: "caller" });

  /** The minutes in which a canary of every 30 minutes is asked for a model that no list has. @param told in each minute. */
  function askedUnlisted(minutes: number, told: (minute: number) => Told): readonly [CanaryPlay, number[]] {
    const monitors = [monitor("a", { everyMs: MINUTE }), canary({}, { everyMs: 30 * MINUTE })];
    const play = new CanaryPlay(withCanaries(monitors));
    const asked: number[] = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      if (play.begin(minute).canaries.length > 0) {
        asked.push(minute);
        play.record(minute, { "a/chat": told(minute) });
      }
      play.list(minute, {}, unlisted);
    }
    return [play, asked];
  }

  test("a canary whose model is not listed keeps its interval while it is answered", () => {
    const [play, asked] = askedUnlisted(200, GOOD);
    const slot = asked[1] ?? 0;
    expect(slot).toBeLessThanOrEqual(30);
    expect(asked.slice(0, 6)).toEqual([0, slot, slot + 30, slot + 60, slot + 90, slot + 120]);
    expect(play.canary().skip).toBeNull();
  });

  test("once it is answered that the model does not exist, it is asked once a day, until it is answered again", () => {
    const [play, [first, nextDay, ...later]] = askedUnlisted(1500, (minute) =>
      minute < 1000 ? MISSING : {},
    );
    expect([first, nextDay]).toEqual([0, 1440]);
    expect(later).not.toEqual([]);
    expect(play.canary().skip).toBeNull();
  });

  test("another failure of a model that is not listed is no reason to skip it", () => {
    const [play, asked] = askedUnlisted(120, () => failed("service_misconfigured", "down"));
    expect(asked.length).toBeGreaterThan(1);
    expect(play.canary().skip).toBeNull();
  });

  test("a listed model that is not found is the operator's matter", () => {
    const play = new CanaryPlay(withCanaries([monitor("a"), canary()]));
    play.begin(0);
    play.list(0, {}, listed);
    play.record(0, { "a/chat": failed("not_found", "blocked", { owner: "caller" }) });
    expect(play.monitor()).toMatchObject({
      health: "down",
      diagnosis: { cause: "not_found", owner: "operator" },
    });
    expect(play.monitor().diagnosis?.advice).toContain("in the gateway's list");
  });

  test("an address that was good within a day is the operator's matter; what a request says of itself is not", () => {
    const play = new CanaryPlay(withCanaries([canary()]));
    play.asked(0, 0, GOOD);
    play.asked(1, 1, () => failed("malformed_request", "blocked", { owner: "caller" }));
    expect(play.monitor()).toMatchObject({ health: "blocked", diagnosis: { owner: "caller" } });
    play.asked(2, 3, () => failed("wrong_url", "blocked", { owner: "caller" }));
    expect(play.monitor()).toMatchObject({ health: "down", diagnosis: { owner: "operator" } });
  });
});

describe("probe now", () => {
  const EMPTY = failed("insufficient_balance", "blocked");

  /** A list and a canary of every minute, whose account was empty from minute 1 to 9. */
  function withEmptyAccount(): CanaryPlay {
    const monitors = [monitor("a", { everyMs: MINUTE }), canary({}, { everyMs: MINUTE })];
    const play = new CanaryPlay(withCanaries(monitors));
    live(play, 0, 0, {});
    live(play, 1, 9, EMPTY);
    return play;
  }

  /** The minutes in which the canary was asked. */
  function live(play: CanaryPlay, from: number, to: number, told: Told): number[] {
    const asked: number[] = [];
    for (let minute = from; minute <= to; minute += 1) {
      const { assignments, canaries } = play.begin(minute);
      if (assignments.length > 0) play.list(minute, told);
      if (canaries.length === 0) continue;
      asked.push(minute);
      play.record(minute, { "a/chat": told });
    }
    return asked;
  }

  test("a canary that its gateway's list holds back is asked once the list was probed, and that is at once", () => {
    const play = withEmptyAccount();
    expect(play.canary().skip?.cause).toBe("insufficient_balance");
    expect(play.monitor("a/models").nextDueMs).toBe(at(15));
    play.state = probeSoon(play.state, play.settings, "a/chat");
    expect(live(play, 10, 12, {})).toEqual([11, 12]);
  });

  test("a list that is probed now sends no canary out before it has told how it is", () => {
    const play = withEmptyAccount();
    play.state = probeSoon(play.state, play.settings, "a/models");
    expect(live(play, 10, 10, EMPTY)).toEqual([]);
    expect(live(play, 11, 12, {})).toEqual([]);
    expect(live(play, 13, 14, {})).toEqual([13, 14]);
  });
});
