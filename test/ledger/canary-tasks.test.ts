import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import type { OpenTask, Errand } from "../../src/domain/canary.ts";
import { pauseMonitor } from "../../src/domain/incident-rules.ts";
import { resumeMonitor } from "../../src/domain/monitor-state.ts";
import { monitor } from "../fixtures/config.ts";
import {
  at,
  canary,
  CanaryPlay,
  failed,
  HOUR,
  MINUTE,
  PENDING,
  type Told,
  video,
  withCanaries,
  resultOf,
} from "../fixtures/canary-play.ts";
import type { MonitorConfig } from "../../src/config/config.ts";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { rounds } from "../extent.ts";
import type { ProbeResult } from "../../src/domain/tick.ts";

const task = (minute: number, id = "task-1"): OpenTask => ({
  id,
  createdAtMs: at(minute) + 10,
  deadlineMs: at(minute) + 10 + HOUR,
});

/** What an answer says that leaves the task open. */
const pending = (open: OpenTask): Told => ({ outcome: { diagnosis: PENDING }, task: open });
const failing = (...of: Parameters<typeof failed>): Told => ({ ...failed(...of), task: task(0) });

const GOOD = () => ({});
const VIDEO = "a/video";
const TASK = pending(task(0));

/** A tick in which the answer is known at once. */
function tell(play: CanaryPlay, minute: number, told: Told): void {
  play.begin(minute);
  play.record(minute, { [VIDEO]: told });
}

/** A canary asked every 10 minutes whose request of minute 0 became a task. */
function withTask(over: Parameters<typeof video>[0] = {}): CanaryPlay {
  const play = new CanaryPlay(withCanaries([video(over, { everyMs: 10 * MINUTE })]));
  tell(play, 0, TASK);
  return play;
}

test("a creation that was accepted is no sample and no verdict, and is asked about with the next tick", () => {
  const play = withTask();
  expect(play.recorded?.samples).toEqual([]);
  expect(play.monitor(VIDEO)).toMatchObject({
    health: "unknown",
    lastVerdict: null,
    goodInARow: 0,
    failedInARow: 0,
    diagnosis: { cause: "task_pending" },
    nextDueMs: at(1),
  });
  expect(play.canary(VIDEO)).toMatchObject({ run: null, task: task(0), lastTaskMs: at(0) + 10 });
  expect(play.errands(1)).toMatchObject([{ monitorId: VIDEO, task: task(0), attempts: 1 }]);
});

test("a question is no request of the day, and none is created while the task is open", () => {
  const play = withTask({ perDay: 1 });
  for (let minute = 1; minute < 60; minute += 1) {
    expect(play.errands(minute)).toMatchObject([{ task: { id: "task-1" } }]);
    play.record(minute, { [VIDEO]: TASK });
  }
  expect(play.requests(0, VIDEO)).toBe(1);
});

test("the final state is the verdict, with its figures, and the next creation comes in its own time", () => {
  const play = withTask();
  play.begin(3);
  const done = play.record(3, { [VIDEO]: { figures: { taskMs: 180_000, costMicros: 50_000 } } });
  expect(done.samples).toMatchObject([
    { sample: { health: "up", generation: { taskMs: 180_000, costMicros: 50_000 } } },
  ]);
  expect(play.canary(VIDEO)).toMatchObject({
    task: null,
    failures: 0,
    figures: { taskMs: 180_000 },
    days: [{ requests: 1, costMicros: 50_000 }],
  });
  const next = play.asked(4, 30, () => ({}), VIDEO)[0] ?? 0;
  expect(next).toBeGreaterThan(4);
  expect(next).toBeLessThanOrEqual(13);
});

test("a question that fails leaves the task open, whatever it met", () => {
  const play = withTask();
  tell(play, 1, failing("timeout", "down", { layer: "network", httpStatus: null }));
  expect(play.recorded?.samples).toEqual([]);
  expect(play.monitor(VIDEO)).toMatchObject({
    health: "unknown",
    failedInARow: 0,
    diagnosis: { cause: "timeout", taskId: "task-1" },
    nextDueMs: at(2),
  });
});

test("refused questions are asked after 2, 4, 8 and then each 15 minutes; another answer ends that", () => {
  const play = withTask();
  const minutes: number[] = [];
  for (let minute = 1; minute < 50; minute += 1) {
    if (play.errands(minute).length === 0) continue;
    minutes.push(minute);
    play.record(minute, { [VIDEO]: failing("authentication", "blocked") });
  }
  expect(minutes).toEqual([1, 3, 7, 15, 30, 45]);
  tell(play, 60, TASK);
  expect([play.canary(VIDEO).refusedQuestions, play.monitor(VIDEO).nextDueMs]).toEqual([0, at(61)]);
});

test("Retry-After of a pending task is for the questions about it: neither the list nor another canary waits", () => {
  const play = new CanaryPlay(withCanaries([monitor("a", { everyMs: MINUTE }), canary(), video()]));
  const retry = { allowed: false, afterSeconds: 300, hint: null };
  const busy = { outcome: { diagnosis: { ...PENDING, retry } }, task: task(0) };
  const questions: number[] = [];
  for (let minute = 0; minute <= 12; minute += 1) {
    const { assignments, canaries } = play.begin(minute);
    expect(assignments).toHaveLength(1);
    play.list(minute);
    const asked = canaries.flatMap(({ errands }) => errands.map(({ monitorId }) => monitorId));
    expect(asked).toContain("a/chat");
    play.record(minute, { "a/chat": {} });
    if (!asked.includes(VIDEO)) continue;
    questions.push(minute);
    play.record(minute, { [VIDEO]: busy });
  }
  expect(questions).toEqual([0, 6, 12]);
});

test("another key asks about the same task, at once", () => {
  const play = withTask();
  tell(play, 1, failing("authentication", "blocked"));
  play.identity = "addr:new";
  expect(play.errands(2)).toMatchObject([{ task: { id: "task-1" } }]);
  expect(play.canary(VIDEO).refusedQuestions).toBe(0);
});

test("another address knows nothing of the task, and of none that was created before", () => {
  const play = withTask();
  play.identity = "elsewhere:key";
  expect(play.errands(1)).toMatchObject([{ task: null }]);
  play.begin(7);
  expect(play.canary(VIDEO).run).toBeNull();
  play.record(0, { [VIDEO]: pending(task(0, "old")) }, { nowMs: at(7) });
  expect(play.canary(VIDEO).task).toBeNull();
});

test("a task whose creation was told too late is taken up, asked about, and never created again", () => {
  const play = new CanaryPlay(withCanaries([video({}, { everyMs: HOUR })]));
  play.begin(0);
  play.begin(6);
  expect(play.monitor(VIDEO).diagnosis?.cause).toBe("timeout");
  const late = play.record(0, { [VIDEO]: TASK }, { nowMs: at(7) });
  expect(late.samples).toEqual([]);
  expect(play.canary(VIDEO).task).toEqual(task(0));
  expect(play.errands(8)).toMatchObject([{ monitorId: VIDEO, task: task(0), attempts: 1 }]);
  play.record(8, { [VIDEO]: {} });
  play.record(0, { [VIDEO]: TASK }, { nowMs: at(9) });
  expect(play.canary(VIDEO).task).toBeNull();
  expect(play.requests(0, VIDEO)).toBe(1);
});

test("a question whose invocation died is asked again, and says nothing of its own", () => {
  const play = withTask();
  play.begin(1);
  for (const minute of [2, 3, 4, 5]) expect(play.errands(minute)).toEqual([]);
  expect(play.errands(6)).toMatchObject([{ task: { id: "task-1" } }]);
  expect(play.monitor(VIDEO).diagnosis?.cause).toBe("task_pending");
});

test("an open task outlives a pause, and a rename", () => {
  const play = withTask();
  const paused = pauseMonitor(play.state, VIDEO, { untilMs: null, by: null }, at(1));
  play.state = { ...play.state, monitors: { [VIDEO]: paused!.monitor } };
  expect(play.errands(1)).toEqual([]);
  play.state = { ...play.state, monitors: { [VIDEO]: resumeMonitor(play.monitor(VIDEO)) } };
  play.settings = withCanaries([video({}, { id: "a/clips", formerly: ["a/video"] })]);
  expect(play.errands(2)).toMatchObject([{ monitorId: "a/clips", task: { id: "task-1" } }]);
  expect(Object.keys(play.state.canaries)).toEqual(["a/clips"]);
});

test("a canary that is renamed while it is asked is still under way, and its answer is the verdict", () => {
  const play = new CanaryPlay(withCanaries([canary({}, { everyMs: MINUTE })]));
  play.begin(0);
  play.settings = withCanaries([canary({}, { id: "a/talk", formerly: ["a/chat"], everyMs: MINUTE })]);
  expect([play.errands(1), play.errands(2)]).toEqual([[], []]);
  play.record(0, { "a/chat": {} }, { nowMs: at(2) + 20 });
  expect(play.canary("a/talk").run).toBeNull();
  expect(play.monitor("a/talk").health).toBe("up");
});

test("a canary that leaves the configuration leaves nothing behind; one that is no task's any more forgets it", () => {
  const play = withTask();
  play.settings = withCanaries([canary({}, { id: "a/video" })]);
  expect(play.errands(1)).toMatchObject([{ task: null }]);
  play.settings = withCanaries([]);
  play.begin(2);
  expect(play.state.canaries).toEqual({});
});

test("a deadline that a clock set which ran ahead is no further away than any", () => {
  const play = new CanaryPlay(withCanaries([video()]));
  tell(play, 2880, pending(task(2880)));
  expect(play.errands(0)).toMatchObject([{ task: { createdAtMs: at(0), deadlineMs: at(0) + HOUR } }]);
});

describe("another request under the id of a canary", () => {
  test("another request ends back-off: after a fix you soon see whether it works", () => {
    const play = new CanaryPlay(withCanaries([canary({}, { everyMs: HOUR })]));
    play.asked(0, 0, () => failed("malformed_request", "blocked"));
    expect(play.errands(1)).toEqual([]);
    const request = { method: "POST", path: "/v1/chat/completions", headers: {}, body: '{"n":1}' } as const;
    play.settings = withCanaries([canary({ request, perDay: 9 }, { everyMs: HOUR })]);
    expect(play.errands(2)).toHaveLength(1);
    play.record(2, { "a/chat": {} });
    play.settings = withCanaries([canary({ request: { ...request }, perDay: 8 }, { everyMs: HOUR })]);
    expect(play.errands(3)).toEqual([]);
  });

  test("an address that was good for another request is no evidence for this one", () => {
    const play = new CanaryPlay(withCanaries([canary()]));
    play.asked(0, 0, GOOD);
    const request = { method: "POST", path: "/v1/chat", headers: {}, body: "{}" } as const;
    play.settings = withCanaries([canary({ request })]);
    play.asked(1, 1, () => failed("wrong_url", "blocked", { owner: "caller" }));
    expect(play.monitor()).toMatchObject({ health: "blocked", diagnosis: { owner: "caller" } });
  });

  test("another kind under the same id knows nothing of the task, and of none that was created before", () => {
    const play = withTask();
    const image = { kind: "image", task: { path: "/v1/images/{id}", deadlineMs: HOUR } } as const;
    play.settings = withCanaries([video(image, { kind: "image" })]);
    expect(play.errands(1)).toMatchObject([{ task: null }]);
    expect([play.requests(1, VIDEO), play.canary(VIDEO).task]).toEqual([2, null]);
  });

  test("another prompt asks about the same task; a creation under way is not repeated, and its task is taken up", () => {
    const play = withTask();
    const other = { method: "POST", path: "/v1/videos", headers: {}, body: '{"prompt":"a cat"}' } as const;
    play.settings = withCanaries([video({ request: other }, { everyMs: 10 * MINUTE })]);
    expect(play.errands(1)).toMatchObject([{ task: { id: "task-1" } }]);
    const second = new CanaryPlay(withCanaries([video()]));
    second.begin(0);
    second.settings = withCanaries([video({ request: other })]);
    expect(second.errands(1)).toEqual([]);
    second.record(0, { [VIDEO]: TASK }, { nowMs: at(1) + 20 });
    expect(second.errands(2)).toMatchObject([{ task: { id: "task-1" } }]);
    expect(second.requests(0, VIDEO)).toBe(1);
  });
});

const DAY = 1440;
const NAMES = EXERCISES.map(({ name }) => name);

const audit = (id: string, reference: string | null): MonitorConfig =>
  canary(
    { kind: "audit", evidence: "nothing", audit: { reference }, perDay: NAMES.length },
    { id, kind: "audit", everyMs: 2 * HOUR },
  );

/** Plays whole days, with a tick every half hour. @returns what was asked, with what was found by then. */
function days(
  play: CanaryPlay,
  from: number,
  to: number,
  isRight: (count: number) => boolean,
  id = "a/audit",
) {
  let count = 0;
  const asked: { readonly exercise: string; readonly differs: unknown }[] = [];
  for (let minute = from * DAY; minute < to * DAY; minute += 30) {
    const errand = play.errands(minute).find(({ monitorId }) => monitorId === id);
    if (errand?.audit === undefined) continue;
    asked.push(errand.audit);
    play.record(minute, { [id]: { isRight: isRight((count += 1)) } });
  }
  return asked;
}

test("a day asks the whole set once, in its order, and the next day begins again", () => {
  const play = new CanaryPlay(withCanaries([audit("a/audit", null)]));
  const asked = days(play, 0, 2, () => true);
  expect(asked.map(({ exercise }) => exercise)).toEqual([...NAMES, ...NAMES]);
  expect(play.canary("a/audit").audit).toMatchObject({
    days: [
      { right: NAMES.length, asked: NAMES.length },
      { right: NAMES.length, asked: NAMES.length },
    ],
    differs: null,
  });
});

test("when fewer answers are right than before, the next request knows it, until they are right again", () => {
  const play = new CanaryPlay(withCanaries([audit("a/audit", null)]));
  days(play, 0, 20, () => true);
  const worse = days(play, 20, 25, (count) => count % 2 === 0);
  expect(worse.at(-1)?.differs).toMatchObject({ from: "past", sinceMs: expect.any(Number) });
  expect(days(play, 25, 33, () => true).at(-1)?.differs).toBeNull();
});

test("answers to another request, such as of another model, are not compared", () => {
  const play = new CanaryPlay(withCanaries([audit("a/audit", null)]));
  days(play, 0, 10, () => true);
  const { canary: rules, ...before } = audit("a/audit", null);
  const request = { ...rules!.request, body: '{"model":"m-2"}' };
  play.settings = withCanaries([{ ...before, model: "m-2", canary: { ...rules!, request } }]);
  const [first] = days(play, 10, 11, () => false);
  expect(first).toEqual({ exercise: NAMES[0], differs: null });
  expect(play.canary("a/audit").audit).toMatchObject({
    days: [{ right: 0, asked: NAMES.length }],
    differs: null,
  });
});

test("an answer that is none of the audit's changes nothing", () => {
  const play = new CanaryPlay(withCanaries([audit("a/audit", null)]));
  play.asked(0, 5, () => ({}), "a/audit");
  expect(play.canary("a/audit").audit).toBeNull();
});

// A hostile life: ticks whose invocations die before or after they sent, that tell late or twice, gateways
// whose requests become tasks, configurations with caps, clocks that jump. What was really sent is held
// against what the Ledger counted.

type Fate =
  | { readonly type: "told"; readonly answer: Answer; readonly twice: boolean }
  | { readonly type: "told_late"; readonly answer: Answer; readonly afterMinutes: number }
  | { readonly type: "sent_and_died" | "died_before" | "given_back" };
type Answer = "task" | "good" | "failed" | "refused";

interface Step {
  readonly minutes: number;
  readonly fate: Fate;
  readonly repeatsBegin: boolean;
  readonly newKey: boolean;
}

const answer = fc.constantFrom<Answer>("task", "good", "failed", "refused");
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("told" as const), answer, twice: fc.boolean() }) },
  fc.record({
    type: fc.constant("told_late" as const),
    answer,
    afterMinutes: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ type: fc.constantFrom("sent_and_died", "died_before", "given_back") }),
);
const step: fc.Arbitrary<Step> = fc.record({
  minutes: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 7 }) },
    fc.constantFrom(600, 2880, -2880, -600),
  ),
  fate,
  repeatsBegin: fc.boolean(),
  newKey: fc.integer({ min: 0, max: 15 }).map((n) => n === 0),
});

interface World {
  readonly play: CanaryPlay;
  /** Creations that left, by day. */
  readonly sent: Map<string, number>;
  readonly late: { dueMinute: number; minute: number; result: ProbeResult; invocation: string }[];
  tasks: number;
}

function resultFor(world: World, minute: number, errand: Errand, how: Answer): ProbeResult {
  const creates = errand.task === null;
  if (creates && how === "task") world.tasks += 1;
  const fresh: OpenTask = {
    id: `t${world.tasks}`,
    createdAtMs: at(minute) + 10,
    deadlineMs: at(minute) + HOUR,
  };
  const isOver = errand.task !== null && at(minute) >= errand.task.deadlineMs;
  const open = creates ? fresh : isOver ? null : errand.task;
  const failure = failed("service_misconfigured", "down");
  const refusal = failed("authentication", "blocked");
  const told = {
    task: { outcome: { diagnosis: PENDING }, task: open },
    good: { figures: { outputTokens: 1 } },
    failed: creates ? failure : { ...failure, task: open },
    refused: creates ? refusal : { ...refusal, task: open },
  }[how];
  return resultOf("a/video", told, at(minute) + 10);
}

function live(world: World, minute: number, invocation: string, { fate: of, repeatsBegin }: Step): void {
  const { play } = world;
  const before = play.state.canaries["a/video"];
  const first = play.begin(minute, { invocation });
  if (repeatsBegin) expect(play.begin(minute, { invocation })).toEqual(first);
  const errands = first.canaries.flatMap((assigned) => assigned.errands);
  expect(errands.length).toBeLessThanOrEqual(1);
  const [errand] = errands;
  if (!errand) return;
  // A task that is open is asked about, and nothing is created beside it.
  expect(errand.task?.id).toBe(before?.task?.id);
  const leaves = of.type !== "died_before" && of.type !== "given_back";
  const day = new Date(at(minute)).toISOString().slice(0, 10);
  if (errand.task === null && leaves) world.sent.set(day, (world.sent.get(day) ?? 0) + 1);
  const offer = (results: readonly ProbeResult[], returned: readonly string[]): void => {
    play.offer({ minute, results, nowMs: at(minute) + 1000, invocation, returned });
  };
  if (of.type === "given_back") offer([], ["a/video"]);
  if (of.type === "told") {
    const result = resultFor(world, minute, errand, of.answer);
    offer([result], []);
    const { canaries, monitors } = play.state;
    if (of.twice) offer([result], []);
    expect([play.state.canaries, play.state.monitors]).toEqual([canaries, monitors]);
  }
  if (of.type === "told_late") {
    const result = resultFor(world, minute, errand, of.answer);
    world.late.push({ dueMinute: minute + of.afterMinutes, minute, result, invocation });
  }
}

test("never are fewer requests counted than were sent, nor more sent than a day's cap, nor a task created beside one", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (steps, perDay) => {
      const play = new CanaryPlay(withCanaries([video({ perDay }, { everyMs: 2 * MINUTE })]));
      const world: World = { play, sent: new Map(), late: [], tasks: 0 };
      let minute = 0;
      for (const [index, of] of steps.entries()) {
        minute += of.minutes;
        if (of.newKey) play.identity = `addr:${index}`;
        for (const late of world.late.splice(0)) {
          if (late.dueMinute > minute) world.late.push(late);
          else play.offer({ ...late, results: [late.result], nowMs: at(minute) - 1, returned: [] });
        }
        live(world, minute, `i${index}`, of);
        for (const [day, sent] of world.sent) {
          const counted = play.canary("a/video").days.find((spent) => spent.day === day)?.requests ?? 0;
          expect(counted).toBeGreaterThanOrEqual(sent);
          expect(sent).toBeLessThanOrEqual(perDay);
        }
      }
    }),
    { numRuns: rounds(37, 300) },
  );
});
