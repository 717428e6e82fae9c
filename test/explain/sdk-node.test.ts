/** What the real clients for Node print of the simulated gateway's failures means the same as the answers themselves. */
import Anthropic from "@anthropic-ai/sdk";
import { inspect } from "node:util";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { spread } from "../extent.ts";
import { simulatorOfFile } from "../probe/simulated.ts";

const simulator = await simulatorOfFile();

const EXPLAIN = { nowMs: 0, timeZone: "UTC", redact };
const MODEL = "sim-chat-small";
const HELLO = [{ role: "user" as const, content: "hi" }];
const CLIENTS = ["openai", "anthropic"] as const;
type Client = (typeof CLIENTS)[number];

/** Asks as the scenario wants to be asked, and keeps what was answered. */
async function fail(client: Client, scenario: string, kind: Kind): Promise<Failed> {
  const answers: Answered[] = [];
  const keeping: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.clone().text();
    answers.push({ status: response.status, headers: Object.fromEntries(response.headers), body });
    return response;
  };
  const base = simulator.baseUrl(scenario);
  const common = { apiKey: SIMULATOR_KEYS.good, maxRetries: 0, timeout: 30_000, fetch: keeping };
  const openai = new OpenAI({ ...common, baseURL: `${base}/v1` });
  const anthropic = new Anthropic({ ...common, baseURL: base });
  const error = await (client === "openai" ? askOpenai(openai, kind) : askAnthropic(anthropic, kind)).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const answer = answers.at(-1);
  if (!(error instanceof Error) || answer === undefined) throw new Error(`${scenario} did not fail`);
  const direct = diagnose({ type: "answer", kind, bodyEnd: "complete", ...answer }, EXPLAIN);
  return { error, answer, direct };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Failed {
  readonly error: Error;
  readonly answer: Answered;
  /** The diagnosis of the answer itself. */
  readonly direct: Diagnosis;
}

async function askOpenai(client: OpenAI, kind: Kind): Promise<unknown> {
  switch (kind) {
    case "embeddings":
      return client.embeddings.create({ model: MODEL, input: "hi" });
    case "image":
      return client.images.generate({ model: MODEL, prompt: "hi" });
    case "models":
      return client.models.list();
    case "messages":
    case "task":
    case "console":
    case "chat":
    case "stream":
      return client.chat.completions.create({ model: MODEL, messages: HELLO });
  }
}

async function askAnthropic(client: Anthropic, kind: Kind): Promise<unknown> {
  return kind === "models"
    ? client.models.list()
    : client.messages.create({ model: MODEL, messages: HELLO, max_tokens: 1 });
}

const FAILED = SCENARIOS.filter(
  ({ place, expect: expected }) => place === "path" && (expected.httpStatus ?? 0) >= 400,
);
const OF_OPENAI = FAILED.filter(({ kind }) => ["models", "chat", "embeddings", "image"].includes(kind)).map(
  pick,
);
const OF_ANTHROPIC = FAILED.filter(({ kind }) => kind === "models" || kind === "messages").map(pick);

function pick({ name, kind }: { readonly name: string; readonly kind: Kind }): [string, Kind] {
  return [name, kind];
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

/** The answer's id where the text holds it; some clients leave out the header that has it, and keep the body's. */
function idIn(text: string, { answer, direct }: Failed): string | null {
  if (direct.requestId !== null && text.includes(direct.requestId)) return direct.requestId;
  if (!/\brequest_id\b/.test(text)) return null;
  const bare = { ...answer, headers: {} };
  return diagnose({ type: "answer", kind: "chat", bodyEnd: "complete", ...bare }, EXPLAIN).requestId;
}

describe.each([
  ["openai", OF_OPENAI],
  ["anthropic", OF_ANTHROPIC],
] as const)("%s", (client, scenarios) => {
  test("there are many", () => expect(scenarios.length).toBeGreaterThan(60));

  test.each(spread(scenarios, 20))("%s, asked for %s", async (scenario, kind) => {
    const failed = await fail(client, scenario, kind);
    const { error, direct } = failed;
    for (const text of printedWays(error)) {
      const explained = explain(text, { ...EXPLAIN, kind });
      const { cause, requestId, retry } = explained?.diagnosis ?? direct;
      const told = { text, form: explained?.takenFor.form, cause, requestId, allowed: retry.allowed };
      const expected = { text, form: "sdk_error", cause: direct.cause, requestId: idIn(text, failed) };
      expect.soft(told).toEqual({ ...expected, allowed: direct.retry.allowed });
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
    const base = simulator.baseUrl(scenario);
    const common = { apiKey: SIMULATOR_KEYS.good, maxRetries: 0, timeout: 1_000 };
    const lists = [
      new OpenAI({ ...common, baseURL: `${base}/v1` }).models,
      new Anthropic({ ...common, baseURL: base }).models,
    ];
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
  const error: unknown = await readAll(client).catch((thrown: unknown) => thrown);
  expect(explain(inspect(error), { ...EXPLAIN, kind: null })).toMatchObject({
    takenFor: { form: "sdk_error", kind: "stream" },
    diagnosis: { cause: "stream_error", layer: "stream", retry: { allowed: false } },
  });
});

async function readAll(client: OpenAI): Promise<void> {
  const stream = await client.chat.completions.create({ model: MODEL, messages: HELLO, stream: true });
  for await (const chunk of stream) void chunk;
}
