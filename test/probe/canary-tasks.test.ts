import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import type { OpenTask } from "../../src/domain/canary.ts";
import { askCanary, errand } from "./canary-play.ts";
import { handClock } from "./hand-clock.ts";
import { RESET, serveInTurn, status } from "./serve-in-turn.ts";

const VIDEO = { kind: "video", model: "sora-2" } as const;

test("a creation that is accepted opens a task, from the instant in which it was sent", async () => {
  const clock = handClock();
  const { url } = await serveInTurn((_request, response) => {
    clock.advance(4_000);
    response.end('{"id":"video_1","status":"queued"}');
  });
  const { diagnosis, findings } = await askCanary(VIDEO, url, { deps: { clock } });
  expect(diagnosis).toMatchObject({ ok: false, cause: "task_pending", health: "unknown", taskId: "video_1" });
  expect(findings.task).toEqual({ id: "video_1", createdAtMs: 1_000_000, deadlineMs: 2_800_000 });
});

test("what an accepted creation says of waiting is told", async () => {
  const { url } = await serveInTurn(
    status(202, '{"id":"video_1","status":"queued"}', { "retry-after": "900" }),
  );
  const expected = { cause: "task_pending", retry: { allowed: false, afterSeconds: 900 } };
  expect((await askCanary(VIDEO, url)).diagnosis).toMatchObject(expected);
});

test("a creation without an id opens no task, and says so", async () => {
  const { url } = await serveInTurn(status(200, '{"status":"queued"}'));
  const diagnosis = { cause: "unexpected_response", layer: "task" };
  expect(await askCanary(VIDEO, url)).toMatchObject({ diagnosis, findings: { task: null } });
});

const TASK: OpenTask = { id: "video/1", createdAtMs: 940_000, deadlineMs: 1_060_000 };

/** A question that is sent so long after 1,000,000. */
async function question(answer: RequestListener, laterMs = 0, written: object = VIDEO) {
  const clock = handClock();
  clock.advance(laterMs);
  const { url, seen } = await serveInTurn(answer);
  const asked = await askCanary({ ...written }, url, { errand: errand(TASK, 4), deps: { clock } });
  return { ...asked, seen };
}

const RUNNING = status(200, '{"id":"video/1","status":"running"}');
const GONE = { cause: "not_found", owner: "operator", health: "down" };

test("a question is a GET of the task alone, without a body", async () => {
  const { seen, findings, diagnosis } = await question(RUNNING);
  expect(seen).toMatchObject([{ method: "GET", url: "/v1/videos/video%2F1", body: "" }]);
  expect(diagnosis).toMatchObject({ cause: "task_pending", health: "unknown" });
  expect(findings.task).toEqual(TASK);
});

test("a task that is pending before its deadline is pending, and has stalled at it", async () => {
  expect((await question(RUNNING, 59_999)).diagnosis.cause).toBe("task_pending");
  const diagnosis = { cause: "task_stalled", owner: "upstream", health: "down" };
  expect(await question(RUNNING, 60_000)).toMatchObject({ diagnosis, findings: { task: null } });
});

test.each([
  [status(503), "upstream_unavailable"],
  [status(429), "rate_limited"],
  [status(401), "authentication"],
  [status(402), "insufficient_balance"],
  [status(403), "permission_denied"],
  [status(200, "<!doctype html><title>x</title>"), "wrong_url"],
  [RESET, "connection_failed"],
])(
  "a question that fails (%#) leaves the task open, and is its verdict at the deadline",
  async (answer, cause) => {
    const early = await question(answer, 59_999);
    expect(early.diagnosis).toMatchObject({ cause, health: "unknown" });
    expect(early.findings.task).toEqual(TASK);
    expect(early.seen).toHaveLength(1);
    const late = await question(answer, 60_000);
    expect(late.diagnosis.cause).toBe(cause);
    expect(late.diagnosis.health).not.toBe("unknown");
    expect(late.findings.task).toBeNull();
  },
);

test.each([
  [status(200, '{"id":"video/1","status":"SUCCEEDED"}'), { cause: "ok", health: "up" }],
  [status(200, '{"id":"video/1","status":"failed"}'), { cause: "task_failed", health: "down" }],
  [status(404, '{"error":{"code":"task_not_found"}}'), GONE],
  [status(410, "{}"), GONE],
])("a final state (%#) ends the task before its deadline", async (answer, verdict) => {
  const { diagnosis, findings } = await question(answer);
  expect(diagnosis).toMatchObject(verdict);
  expect(findings.task).toBeNull();
});

test("an image task that succeeded without an image is over, and no success", async () => {
  const image = { kind: "image", model: "gpt-image-1" };
  const diagnosis = { cause: "unexpected_response", health: "down" };
  const over = await question(status(200, '{"id":"video/1","status":"succeeded"}'), 0, image);
  expect(over).toMatchObject({ diagnosis, findings: { task: null } });
});
