/**
 * A hostile life: ticks whose invocations die before or after they sent, that tell late or twice, gateways whose requests
 * become tasks, configurations with caps, clocks that jump. What was really sent is held against what the Ledger counted.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import type { Errand, OpenTask } from "../../src/domain/canary.ts";
import type { ProbeResult } from "../../src/domain/tick.ts";
import {
  at,
  CanaryPlay,
  failed,
  HOUR,
  MINUTE,
  PENDING,
  resultOf,
  video,
  withCanaries,
} from "../fixtures/canary-play.ts";

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

function tell(world: World, minute: number, errand: Errand, how: Answer): ProbeResult {
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
    const result = tell(world, minute, errand, of.answer);
    offer([result], []);
    const { canaries, monitors } = play.state;
    if (of.twice) offer([result], []);
    expect([play.state.canaries, play.state.monitors]).toEqual([canaries, monitors]);
  }
  if (of.type === "told_late") {
    const result = tell(world, minute, errand, of.answer);
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
