/**
 * What scenarios expect of a prober, without the prober's code: lists as the wire shows them, and who must act by the cause.
 */
import { expect, test } from "vitest";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { simulatorOfFile } from "../probe/simulated.ts";

const simulator = await simulatorOfFile();

interface Seen {
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly modelCount: number | null;
}

const LIMIT_BYTES = 8 * 1024 * 1024;

/** Spec 7.4 without its waits, nearly word for word; a body over 8 MiB or a broken connection ends it. */
async function diagnoseByTheSpec(baseUrl: string): Promise<Seen> {
  for (let attempts = 1; ; attempts += 1) {
    const seen = await exchange(baseUrl);
    const { httpStatus, retryAfter, body } = seen;
    const parsed = parse(body);
    const code = parsed?.error?.code;
    const modelCount = httpStatus === 200 && Array.isArray(parsed?.data) ? parsed.data.length : null;
    const isQuota = code === "quota_exceeded" || code === "insufficient_balance";
    const isRetried = [429, 502, 503, 504].includes(httpStatus ?? 0) && !isQuota;
    const isTooLong = /^\d+$/.test(retryAfter ?? "") && Number(retryAfter) > 30;
    if (seen.broken || !isRetried || isTooLong || attempts === 4) return { attempts, httpStatus, modelCount };
  }
}

async function exchange(baseUrl: string) {
  let httpStatus: number | null = null;
  let retryAfter: string | null = null;
  const parts: Uint8Array[] = [];
  try {
    const answer = await fetch(`${baseUrl}/v1/models`, {
      headers: { authorization: "Bearer sim-key-good" },
      redirect: "manual",
    });
    httpStatus = answer.status;
    retryAfter = answer.headers.get("retry-after");
    let size = 0;
    for await (const part of answer.body ?? []) {
      size += part.length;
      if (size > LIMIT_BYTES) return { httpStatus, retryAfter, body: "", broken: true };
      parts.push(part);
    }
  } catch {
    return { httpStatus, retryAfter, body: "", broken: true };
  }
  return { httpStatus, retryAfter, body: decoded(Buffer.concat(parts)), broken: false };
}

function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

function parse(body: string) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const playable = SCENARIOS.filter((known) => known.kind === "models" && !known.expect.hangs);
const ofCause = (cause: string) => SCENARIOS.filter((known) => known.expect.cause === cause);

test.each(playable.map((known) => [known.name, known] as const))(
  "the wire shows what is expected of a monitor: %s",
  async (name, { expect: { cause, attempts, httpStatus, modelCount } }) => {
    const seen = await diagnoseByTheSpec(simulator.baseUrl(name));
    const count = cause === "ok" ? modelCount : seen.modelCount;
    expect(seen).toEqual({ attempts, httpStatus, modelCount: count });
  },
);

test.each([
  ["ok", "nobody", "up"],
  ["dns_failure", "network", "down"],
  ["connection_failed", "operator", "down"],
  ["tls_failure", "operator", "down"],
  ["timeout", "operator", "down"],
  ["edge_blocked", "caller", "blocked"],
  ["wrong_url", "caller", "blocked"],
  ["malformed_request", "caller", "blocked"],
  ["authentication", "caller", "blocked"],
  ["insufficient_balance", "caller", "blocked"],
  ["quota_exceeded", "caller", "blocked"],
  ["permission_denied", "caller", "blocked"],
  ["not_found", "caller", "blocked"],
  ["rate_limited", "nobody", "degraded"],
  ["service_misconfigured", "operator", "down"],
  ["upstream_unavailable", "upstream", "down"],
  ["api_error", "operator", "down"],
  ["unexpected_response", "operator", "down"],
  ["balance_low", "caller", "degraded"],
  ["task_pending", "nobody", "unknown"],
  ["stream_error", "upstream", "down"],
  ["stream_dropped", "upstream", "down"],
])("%s is for %s, and %s", (cause, owner, health) => {
  expect(ofCause(cause).length).toBeGreaterThan(0);
  for (const { name, expect: expected } of ofCause(cause))
    expect([name, expected.owner, expected.health]).toEqual([name, owner, health]);
});

test("a task that was accepted has an outcome, and nothing else has", () => {
  const accepted = SCENARIOS.filter((known) => known.outcome !== null);
  expect(accepted).toEqual(ofCause("task_pending"));
  expect(accepted.map(({ name, outcome }) => [name, outcome?.cause, outcome?.health])).toEqual([
    ["video_failed", "task_failed", "down"],
    ["video_upper", "ok", "up"],
    ["video_failed_upper", "task_failed", "down"],
    ["image_made", "ok", "up"],
    ["image_failed", "task_failed", "down"],
    ["video_job_made", "ok", "up"],
    ["video_job_failed", "task_failed", "down"],
    ["video_stuck", "task_stalled", "down"],
    ["video_stuck_queued", "task_stalled", "down"],
    ["video_unknown_state", "ok", "up"],
    ["video_expired", "not_found", "down"],
    ["video_question_401", "authentication", "blocked"],
    ["video_question_402", "insufficient_balance", "blocked"],
    ["video_question_503", "upstream_unavailable", "down"],
    ["video_question_410", "not_found", "down"],
    ["video_question_lost", "connection_failed", "down"],
    ["video_task_envelope_4004", "not_found", "down"],
    ["video_state_is_key", "task_stalled", "down"],
  ]);
});

test("a business error is the operator's but for 5002, and an HTTP error his from 500 on", () => {
  const business = ofCause("business_error").filter(({ expect: { owner } }) => owner !== "operator");
  const found = [...business, ...ofCause("http_error")];
  expect(found.map(({ name, expect: { owner, health } }) => [name, owner, health])).toEqual([
    ["envelope_5002", "caller", "blocked"],
    ["timeout_408", "caller", "blocked"],
    ["status_418", "caller", "blocked"],
    ["status_501", "operator", "down"],
  ]);
});
