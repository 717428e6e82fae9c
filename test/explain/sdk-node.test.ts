/** What the real clients for Node print of the simulated gateway's failures means the same as the answers themselves. */
import Anthropic from "@anthropic-ai/sdk";
import { inspect } from "node:util";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { spread } from "../extent.ts";
import { simulatorOfFile } from "../probe/simulated.ts";

const simulator = await simulatorOfFile();

const EXPLAIN = { nowMs: 0, timeZone: "UTC", redact };
const CLIENTS = ["openai", "anthropic"] as const;

function listsOf(client: (typeof CLIENTS)[number], scenario: string, timeout: number, send = fetch) {
  const base = simulator.baseUrl(scenario);
  const common = { apiKey: SIMULATOR_KEYS.good, maxRetries: 0, timeout, fetch: send };
  return client === "openai"
    ? new OpenAI({ ...common, baseURL: `${base}/v1` }).models
    : new Anthropic({ ...common, baseURL: base }).models;
}

/** What a client threw, and the answer that made it throw. */
async function fail(client: (typeof CLIENTS)[number], scenario: string) {
  const answers: { status: number; headers: Record<string, string>; body: string }[] = [];
  const lists = listsOf(client, scenario, 30_000, async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.clone().text();
    answers.push({ status: response.status, headers: Object.fromEntries(response.headers), body });
    return response;
  });
  const error: unknown = await lists.list().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const answer = answers.at(-1);
  if (!(error instanceof Error) || answer === undefined) throw new Error(`${scenario} did not fail`);
  return { error, answer };
}

function judged(answer: Awaited<ReturnType<typeof fail>>["answer"]): Diagnosis {
  return diagnose({ type: "answer", kind: "models", bodyEnd: "complete", ...answer }, EXPLAIN);
}

/** As programs print it: to a terminal, in a log, with what it happened to, by its message alone. */
function printedWays(error: Error): readonly string[] {
  return [
    inspect(error, { colors: true }),
    `2026-11-20 12:00:00 the call failed: ${inspect(error).replaceAll("\n", "\r\n")}`,
    inspect({ attempt: 3, error }, { depth: 6 }),
    String(error),
    error.message,
  ];
}

const FAILED = SCENARIOS.filter(
  ({ place, kind, expect: { httpStatus } }) =>
    place === "path" && kind === "models" && (httpStatus ?? 0) >= 400,
);

describe.each(CLIENTS)("%s", (client) => {
  test("there are many", () => expect(FAILED.length).toBeGreaterThan(60));

  test.each(spread(FAILED, 20))("$name", async ({ name }) => {
    const { error, answer } = await fail(client, name);
    const { cause, requestId, retry } = judged(answer);
    for (const text of printedWays(error)) {
      const explained = explain(text, { ...EXPLAIN, kind: "models" });
      const found = explained?.diagnosis;
      // Some clients leave out the header that has the id, and keep the body's.
      const bare = /\brequest_id\b/.test(text) ? judged({ ...answer, headers: {} }).requestId : null;
      const id = requestId !== null && text.includes(requestId) ? requestId : bare;
      const told = { text, form: explained?.takenFor.form, cause: found?.cause, requestId: found?.requestId };
      expect.soft({ ...told, allowed: found?.retry.allowed }).toEqual({
        text,
        form: "sdk_error",
        cause,
        requestId: id,
        allowed: retry.allowed,
      });
    }
  });
});

describe("no answer at all", () => {
  test.each([
    ["refused", "connection_failed"],
    ["unresolvable", "dns_failure"],
    ["tls_garbage", "tls_failure"],
    ["tls_untrusted", "tls_failure"],
    ["reset_before_headers", "connection_failed"],
    ["close_before_headers", "connection_failed"],
    ["reset_in_body", "connection_failed"],
    ["not_http", "connection_failed"],
    ["no_answer", "timeout"],
  ])("%s is %s", async (scenario, cause) => {
    const lists = CLIENTS.map((client) => listsOf(client, scenario, 1_000));
    const asked = await Promise.allSettled(lists.map((list) => list.list()));
    for (const settled of asked) {
      const error: unknown = settled.status === "rejected" ? settled.reason : null;
      const explained = explain(inspect(error), { ...EXPLAIN, kind: null });
      expect(explained).toMatchObject({
        takenFor: { form: "sdk_error" },
        diagnosis: { cause, httpStatus: null, retry: { allowed: false } },
      });
      const words = explain(String(error), { ...EXPLAIN, kind: null });
      expect(words?.takenFor.form).toBe("sdk_error");
      expect(words?.diagnosis.cause).toBe(cause === "timeout" ? "timeout" : "network_error");
    }
  });
});

test("an error event inside a stream", async () => {
  const baseURL = `${simulator.baseUrl("stream_error_event")}/v1`;
  const client = new OpenAI({ apiKey: SIMULATOR_KEYS.good, maxRetries: 0, baseURL });
  const messages = [{ role: "user" as const, content: "hi" }];
  const readAll = async (): Promise<void> => {
    const asked = { model: "sim-chat-small", messages, stream: true } as const;
    for await (const chunk of await client.chat.completions.create(asked)) void chunk;
  };
  const error: unknown = await readAll().catch((thrown: unknown) => thrown);
  expect(explain(inspect(error), { ...EXPLAIN, kind: null })).toMatchObject({
    takenFor: { form: "sdk_error", kind: "stream" },
    diagnosis: { cause: "stream_error", layer: "stream", retry: { allowed: false } },
  });
});
