import { expect, test } from "vitest";
import type { MonitorConfig } from "../../src/config/config.ts";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { canary, CanaryPlay, HOUR, withCanaries } from "../fixtures/canary-play.ts";

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
  const { canary: rules, ...monitor } = audit("a/audit", null);
  const request = { ...rules!.request, body: '{"model":"m-2"}' };
  play.settings = withCanaries([{ ...monitor, model: "m-2", canary: { ...rules!, request } }]);
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
