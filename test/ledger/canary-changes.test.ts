/** Another request under the id of a canary. */
import { expect, test } from "vitest";
import {
  at,
  canary,
  CanaryPlay,
  failed,
  HOUR,
  MINUTE,
  PENDING,
  resultOf,
  video,
  withCanaries,
} from "../fixtures/canary-play.ts";

const GOOD = () => ({});
const ACCEPTED = {
  outcome: { diagnosis: PENDING },
  task: { id: "task-1", createdAtMs: at(0) + 10, deadlineMs: at(0) + 10 + HOUR },
};

/** A canary asked every 10 minutes whose request of minute 0 became a task. */
function withTask(): CanaryPlay {
  const play = new CanaryPlay(withCanaries([video({}, { everyMs: 10 * MINUTE })]));
  play.begin(0);
  play.record(0, { "a/video": ACCEPTED });
  return play;
}

test("another request ends back-off: whoever mended it sees soon whether it is well", () => {
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

test("what a console told is not told of another kind under its id", () => {
  const look = canary({ kind: "console", isGeneration: false }, { kind: "console", model: null });
  const play = new CanaryPlay(withCanaries([look]));
  play.asked(0, 0, () => ({ balance: 5 }));
  play.settings = withCanaries([canary()]);
  play.asked(1, 1, GOOD);
  expect(play.canary().balance).toBeNull();
  expect(play.requests(0)).toBe(2);
});

test("another kind under the same id knows nothing of the task, and of none that was created before", () => {
  const play = withTask();
  const image = { kind: "image", task: { path: "/v1/images/{id}", deadlineMs: HOUR } } as const;
  play.settings = withCanaries([video(image, { kind: "image" })]);
  expect(play.errands(1)).toMatchObject([{ task: null }]);
  expect([play.requests(1, "a/video"), play.canary("a/video").task]).toEqual([2, null]);
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
  second.record(0, { "a/video": ACCEPTED }, { nowMs: at(1) + 20 });
  expect(second.errands(2)).toMatchObject([{ task: { id: "task-1" } }]);
  expect(second.requests(0, "a/video")).toBe(1);
});

test("a task that was created at the old address after the change is not asked about at the new one", () => {
  const play = new CanaryPlay(withCanaries([video({}, { everyMs: HOUR })]));
  play.begin(0);
  play.identity = "other:key";
  expect(play.errands(1)).toMatchObject([{ task: null }]);
  const created = { ...ACCEPTED, task: { id: "old", createdAtMs: at(1) + 500, deadlineMs: at(61) } };
  const results = [resultOf("a/video", created, at(1) + 500)];
  play.offer({ minute: 0, results, nowMs: at(1) + 1000, invocation: "i0", returned: [] });
  expect(play.canary("a/video")).toMatchObject({ task: null, run: { invocation: "i1" } });
});
