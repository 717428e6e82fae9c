/** What clients print, in Python and elsewhere, as real texts. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readSdkError } from "../../src/explain/sdk-error.ts";
import { spread } from "../extent.ts";
import { explained } from "./pasted-text.ts";

const vectorSchema = z.strictObject({
  client: z.nullable(z.string()),
  way: z.string(),
  text: z.string(),
  cause: z.string(),
  requestId: z.nullable(z.string()),
  retry: z.boolean(),
  httpStatus: z.nullable(z.int()),
  kind: z.nullable(z.string()),
  url: z.nullable(z.string()),
  notes: z.array(z.string()),
  afterSeconds: z.nullable(z.int()),
});

const VECTORS = readFileSync(new URL("../vectors/sdk-errors.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => vectorSchema.parse(JSON.parse(line)));

describe("vectors", () => {
  test.each(VECTORS.map((vector) => [vector.client ?? "unknown", vector.way, vector.cause, vector] as const))(
    "%s, %s: %s",
    (_client, _way, _cause, vector) => {
      const { text, cause, requestId, retry, httpStatus, kind, notes, afterSeconds } = vector;
      const found = explained(text);
      expect(found).toMatchObject({
        takenFor: { form: "sdk_error" },
        diagnosis: { cause, requestId, retry: { allowed: retry, afterSeconds }, httpStatus },
      });
      for (const note of notes) expect(found.takenFor.notes).toContain(note);
      if (kind !== null) expect(found.takenFor.kind).toBe(kind);
      if (vector.client !== null) expect(namesClient(vector)).toBe(true);
      expect(readSdkError(text, null)?.request?.url ?? "").toBe(vector.url ?? "");
    },
  );
});

/** A message alone does not say who printed it. */
function namesClient({ text, client }: (typeof VECTORS)[number]): boolean {
  const { detail = null } = readSdkError(text, null) ?? {};
  return detail === client || (detail === null && !text.includes("\n"));
}

test.each([
  "HTTP/1.1 429 Too Many Requests\r\n\r\nError code: 429 - {'error': {}}",
  '{"error":{"message":"Error code: 429 - {}"}}',
  '[{"error":{"message":"RateLimitError: 429 slow down"}}]',
  "<!doctype html><p>Error code: 429</p>",
  'data: {"error":{"message":"APIError: 500 failed"}}\n\n',
  "$ curl -i https://api.acme.example/v1/models\nHTTP/2 500\n\nlitellm.APIConnectionError: Connection error.",
  "> GET /v1/models HTTP/2\n< HTTP/2 429\n",
  "It works!",
  "",
])("%j is no client's error", (text) => expect(readSdkError(text, null)).toBeNull());

test("what was asked is not guessed where somebody said it", () => {
  const text =
    "openai.NotFoundError: Error code: 404 - {'error': {'message': 'gone', 'code': 'model_not_found'}}";
  expect(readSdkError(text, "embeddings")).toMatchObject({ observation: { kind: "embeddings" }, notes: [] });
});

test("a text that is cut at any of many places is still read, and never throws", () => {
  for (const { text } of spread(VECTORS, 30)) {
    for (let end = 1; end < text.length; end += Math.max(7, text.length >> 5)) {
      expect(explained(text.slice(0, end)).diagnosis.ok).toBe(false);
    }
  }
});

test("an echoed key is gone from everything", () => {
  const key = "sk-0123456789abcdef0123456789abcdef";
  const text = `openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: ${key}', 'code': 'invalid_api_key', 'request_id': '${key}'}}`;
  expect(JSON.stringify(explained(text))).not.toContain(key.slice(0, 12));
});

test("a client is told by its classes, whatever the host is called", () => {
  const text =
    "INFO HTTP Request: POST https://litellm.acme.example/v1/chat/completions\nopenai.AuthenticationError: Error code: 401 - {'error': {'message': 'Invalid token'}}";
  expect(readSdkError(text, null)?.detail).toBe("openai for Python");
});
