import { expect, test } from "vitest";
import { type RunTaskOptions, runTask } from "../../../src/library/fetch/index.ts";
import { serveInTurn, status } from "../../probe/small-server.ts";
import { client, failureOf, gatewayOfFile, HEADERS, KEY, post } from "./asking.ts";

const { simulator, seen } = await gatewayOfFile();

const VIDEO = JSON.stringify({ model: "sim-video", prompt: "a ping" });
const QUEUED = '{"id":"v1","status":"queued"}';
const AWAY = status(503, "{}", { "retry-after": "120" });

/** A video from its creation on; every 5 s, for a minute. */
function video(base: string, options: Partial<RunTaskOptions> = {}, clientOptions = {}) {
  const { fetch, clock } = client(clientOptions);
  const done = runTask(fetch, {
    create: [`${base}/v1/videos`, post(VIDEO)],
    query: (id) => [`${base}/v1/videos/${id}`, { headers: HEADERS }],
    deadlineMs: 60_000,
    clock,
    ...options,
  });
  return { done, clock };
}

const creations = () => seen().filter((request) => request.startsWith("POST")).length;

test("a task is created once and asked about until it is over", async () => {
  const states: (string | null)[] = [];
  const ids: string[] = [];
  const { done, clock } = video(simulator.baseUrl("video_upper"), {
    onCreated: (id) => ids.push(id),
    onState: (state) => states.push(state),
  });
  const { taskId, record, questions } = await done;
  expect(ids).toEqual([taskId]);
  expect(states).toEqual(["PENDING", "RUNNING", "SUCCEEDED"]);
  expect(record).toMatchObject({ id: taskId, status: "SUCCEEDED" });
  expect(questions).toBe(3);
  expect(clock.waits).toEqual([5000, 5000, 5000]);
  expect(creations()).toBe(1);
});

test.each([
  ["video_failed", "task_failed", 200, 4],
  ["video_expired", "not_found", 404, 4],
  ["video_question_410", "not_found", 410, 2],
  ["video_task_envelope_4004", "not_found", 200, 2],
  ["video_question_401", "authentication", 401, 2],
  ["video_question_402", "insufficient_balance", 402, 2],
  ["video_envelope_5000", "business_error", 200, 1],
  ["video_config_error", "service_misconfigured", 500, 1],
])("%s ends with %s", async (scenario, cause, httpStatus, requests) => {
  const error = await failureOf(video(simulator.baseUrl(scenario)).done);
  expect(error).toMatchObject({ status: httpStatus, diagnosis: { cause } });
  expect(seen()).toHaveLength(requests);
  expect(creations()).toBe(1);
  if (cause === "not_found") expect(error.diagnosis.owner).toBe("operator");
  // The caller learns the id of the task, however the questions ended.
  if (requests > 1) expect(seen().at(-1)).toContain(`/${error.diagnosis.taskId}`);
});

test.each(["video_stuck", "video_stuck_queued", "video_question_lost"])(
  "%s is stalled in the end",
  async (scenario) => {
    const { diagnosis } = await failureOf(video(simulator.baseUrl(scenario)).done);
    expect(diagnosis).toMatchObject({ cause: "task_stalled", layer: "task", retry: { allowed: false } });
    expect(diagnosis.taskId).toMatch(/^\S+$/);
    // After 5, 10, … 55 s; at 60 s nobody asks any more.
    expect(seen()).toHaveLength(1 + 11);
    expect(creations()).toBe(1);
  },
);

test.each(["video_creation_lost", "video_without_id", "video_id_is_key"])(
  "%s: the task may exist, and nobody creates it again",
  async (scenario) => {
    const { done } = video(simulator.baseUrl(scenario), {}, { idempotent: true });
    const error = await failureOf(done);
    expect(error).toMatchObject({ mayHaveBeenAccepted: true });
    expect(error.message).toContain("do not create it again");
    expect(error.message).not.toContain(KEY);
    expect(seen()).toHaveLength(1);
  },
);

test("a state that is the key is not told", async () => {
  const states = new Set<string | null>();
  const { done } = video(simulator.baseUrl("video_state_is_key"), { onState: (state) => states.add(state) });
  expect((await failureOf(done)).message).not.toContain(KEY);
  expect([...states]).toEqual(["[redacted]"]);
});

test.each([
  ["503, by a client whose requests are idempotent", 503, { idempotent: true }, true],
  ["503, where statuses are not thrown", 503, { throwHttpErrors: false }, true],
  ["401, where statuses are not thrown", 401, { throwHttpErrors: false }, false],
])("a creation that is answered with %s, is sent once", async (_what, code, options, mayHaveBeenAccepted) => {
  const server = await serveInTurn(status(code), status(200, QUEUED));
  const error = await failureOf(video(server.url, {}, options).done);
  const cause = code === 503 ? "upstream_unavailable" : "authentication";
  expect(error).toMatchObject({ requests: 1, mayHaveBeenAccepted, diagnosis: { cause } });
  if (mayHaveBeenAccepted) expect(error.diagnosis.advice).toContain("do not create it again");
  expect(server.seen).toHaveLength(1);
});

test("a creation that was refused for its rate is sent again", async () => {
  const made = '{"id":"v1","status":"completed","url":"https://h.example/v.mp4"}';
  const limited = status(429, "{}", { "retry-after": "7" });
  const server = await serveInTurn(limited, status(200, QUEUED), status(200, made));
  const { done, clock } = video(server.url);
  expect(await done).toEqual({ taskId: "v1", record: JSON.parse(made), questions: 1 });
  expect(clock.waits).toEqual([7000, 5000]);
  const expected = ["POST /v1/videos", "POST /v1/videos", "GET /v1/videos/v1"];
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(expected);
});

test("a task is resumed from its id alone, whatever letters that has", async () => {
  const record = (state: string) => status(200, `{"task_id":"a/b ?","status":"${state}"}`);
  const server = await serveInTurn(record("IN_A_STATE_NOBODY_KNOWS"), record("SUCCESS"));
  const { done, clock } = video(server.url, { create: { taskId: "a/b ?" } });
  expect(await done).toMatchObject({ taskId: "a/b ?", questions: 2 });
  const question = "GET /v1/videos/a%2Fb%20%3F";
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([question, question]);
  expect(clock.waits).toEqual([5000]);
});

test("an upstream that is away for a while is asked again at the next time", async () => {
  const over = status(200, '{"id":"v1","status":"done"}');
  const server = await serveInTurn(status(200, QUEUED), AWAY, over);
  const { done, clock } = video(server.url, { deadlineMs: 600_000 });
  expect(await done).toMatchObject({ taskId: "v1", questions: 2 });
  expect(clock.waits).toEqual([5000, 120_000]);
});

test.each([
  ["in a browser", new TypeError("Failed to fetch")],
  ["in Safari", new TypeError("Load failed")],
  ["by a resolver that is busy", Object.assign(new Error("getaddrinfo EAI_AGAIN"), { code: "EAI_AGAIN" })],
])("a question that was lost %s is asked again", async (_name, thrown) => {
  const answers = [
    () => Promise.resolve(Response.json({ id: "v1", status: "queued" })),
    () => Promise.reject(thrown),
    () => Promise.resolve(Response.json({ id: "v1", status: "completed" })),
  ];
  const fetch = () => answers.shift()?.() ?? Promise.reject(new Error("asked too often"));
  const { done, clock } = video("https://h.example", {}, { fetch });
  expect(await done).toMatchObject({ taskId: "v1", questions: 2 });
  expect(clock.waits).toEqual([5000, 5000]);
});

test("a Retry-After beyond the deadline is not waited for", async () => {
  const { done, clock } = video((await serveInTurn(status(200, QUEUED), AWAY)).url);
  expect(await failureOf(done)).toMatchObject({ diagnosis: { cause: "task_stalled", taskId: "v1" } });
  expect(clock.waits).toEqual([5000]);
});

test("a question that is not answered by the deadline is given up there", async () => {
  const asked = Promise.withResolvers<void>();
  const { done, clock } = video((await serveInTurn(status(200, QUEUED), () => asked.resolve())).url);
  const failing = failureOf(done);
  await asked.promise;
  clock.endLimits();
  expect(await failing).toMatchObject({ diagnosis: { cause: "task_stalled", taskState: "queued" } });
});

test("what is made at once needs no task", async () => {
  const made = '{"data":[{"url":"https://h.example/i.png"}]}';
  const { done } = video((await serveInTurn(status(200, made))).url);
  expect(await done).toEqual({ taskId: null, record: JSON.parse(made), questions: 0 });
});

test("a signal ends it with its own reason, and the task goes on at the gateway", async () => {
  const reason = new Error("enough");
  const control = new AbortController();
  const { done } = video(simulator.baseUrl("video_stuck"), {
    signal: control.signal,
    onState: () => control.abort(reason),
  });
  await expect(done).rejects.toBe(reason);
  expect(seen()).toHaveLength(2);
});
