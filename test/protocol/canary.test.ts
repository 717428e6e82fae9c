/** What a canary finds in an answer, most of it in `canaries.jsonl`; streams that broke are in `canary-stream.test.ts`. */
import { describe, expect, it } from "vitest";
import { examineCanary, NOTHING_TOLD, stalledTask } from "../../src/protocol/examine-canary.ts";
import type { Answer, Asked } from "../../src/protocol/observation.ts";
import { phaseOfWord } from "../../src/protocol/task-state.ts";
import { readVectors } from "../vectors/read-vectors.ts";
import { answer, CONTEXT, diagnosedAs } from "./answers.ts";
import { choice, CREATION, examined, PLAIN } from "./canary.ts";

interface Examined {
  /** Beside what every canary asks. */
  readonly asked?: Partial<Asked>;
  readonly answer: Omit<Answer, "body"> & { readonly body: unknown };
  readonly said: object;
}

it.each(readVectors<Examined>("canaries"))("$what", ({ asked, answer: { body, ...more }, said }) => {
  expect(examined({ ...PLAIN, ...asked }, body, more)).toMatchObject(said);
});

it("a task whose id holds a secret cannot be asked about", () => {
  const secret = "sk-planted0123456789";
  const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
  const given = answer(200, { id: `task-${secret}`, status: "queued" }, { kind: "task" });
  const examination = examineCanary(given, CREATION, { ...CONTEXT, redact });
  const message = "The task was accepted, but the answer has no id to query it with.";
  const diagnosis = {
    cause: "unexpected_response",
    layer: "task",
    owner: "operator",
    health: "down",
    message,
  };
  expect(examination).toMatchObject({ diagnosis, told: { taskId: null } });
  expect(JSON.stringify(examination)).not.toContain(secret);
});

const PENDING = diagnosedAs("task", 200, { id: "t-1", status: "running", request_id: "r-1" });

describe("a task that is pending at its deadline", () => {
  it("has stalled, behind the gateway", () => {
    const stalled = { ok: false, cause: "task_stalled", layer: "task", owner: "upstream", health: "down" };
    const kept = { httpStatus: 200, requestId: "r-1", taskId: "t-1", taskState: "running" };
    const message = "last known state: running";
    const expected = { ...stalled, ...kept, message, rule: "3", retry: { allowed: false } };
    expect(stalledTask(PENDING)).toMatchObject(expected);
  });

  it("keeps the name of a state that nobody knows, and says nothing of one that was never told", () => {
    const unknown = diagnosedAs("task", 200, { id: "t-1", status: "SIMMERING" });
    expect(stalledTask(unknown).message).toBe("unknown task state: SIMMERING");
    expect(stalledTask(diagnosedAs("task", 200, { id: "t-1" })).message).toBeNull();
  });
});

it.each([
  ["pending", "PENDING|pending|queued|QUEUED|running|IN_PROGRESS|in-progress|TASK_STATUS_QUEUED|NOT_START"],
  ["failed", "FAILED|failed|Fail|FAILURE|GENERATE_AUDIO_FAILED|Request Moderated|canceled|CANCELLED|expired"],
  ["succeeded", "SUCCEEDED|success|completed|JOB_STATE_SUCCEEDED|Ready|已完成"],
  [null, "SIMMERING|"],
])("a task is %s by the words %s", (phase, words) => {
  for (const word of words.split("|")) expect(phaseOfWord(word), word).toBe(phase);
});

it.each([
  ["free", "pro"],
  ["1", 1],
  [undefined, null],
  [null, undefined],
  [{ a: 1, b: 2 }, { a: 1 }],
  [[1, 2], [1]],
  [{}, []],
  [{}, { toString: undefined }],
])("where a value is asked for, %j is not %j, and neither is told", (plan, value) => {
  const asked: Asked = { ...PLAIN, evidence: "nothing", expect: [{ pointer: "/data/plan", value }] };
  const message = "Unexpected value at /data/plan.";
  const unexpected = { cause: "unexpected_response", owner: "operator", message };
  const found = examined(asked, { code: 0, data: { plan } }, { kind: "console" });
  expect(found.diagnosis).toMatchObject(unexpected);
});

it.each([undefined, null, "", " ", "much", "1,000", "0x10", "1e3", "Infinity", 2e15, true, [1]])(
  "a balance that is %j is none, and the answer may be good without it",
  (balance) => {
    const asked: Asked = { ...PLAIN, evidence: "nothing", pointers: { balance: "/data/balance" } };
    const { diagnosis, told } = examined(asked, { code: 0, data: { balance } }, { kind: "console" });
    expect(diagnosis.cause).toBe("ok");
    expect(told.balance).toBeNull();
  },
);

it("figures are none where they are the digits of a secret", () => {
  const redact = (text: string): string => text.replaceAll("4711", "[redacted]");
  const body = { ...choice({ content: "pong" }), usage: { prompt_tokens: 4711, completion_tokens: 2 } };
  const found = examineCanary(answer(200, body, { kind: "chat" }), PLAIN, { ...CONTEXT, redact });
  expect(found.told).toMatchObject({ inputTokens: null, outputTokens: 2 });
});

it("what is no answer is diagnosed as ever, and tells nothing", () => {
  const notSent = { type: "not_sent", kind: "chat", reason: "secret_missing", secretName: "KEY" } as const;
  const expected = { diagnosis: { cause: "authentication", health: "blocked" }, told: NOTHING_TOLD };
  expect(examineCanary(notSent, PLAIN, CONTEXT)).toMatchObject(expected);
});
