/** What the gateways of a play answer, and what the probe makes of it: the real classifier's diagnoses. Pure. */
import type { ProbeOutcome } from "../../../src/domain/probe-outcome.ts";
import { stableHash } from "../../../src/domain/schedule.ts";
import { examine } from "../../../src/protocol/diagnose.ts";
import type { KeptDiagnosis } from "../../../src/protocol/diagnosis.ts";
import type { Observation } from "../../../src/protocol/observation.ts";
import { redact } from "../../../src/protocol/redaction/redact.ts";
import type { Weather } from "../play.ts";

const DAY_MS = 86_400_000;
/** The same days come again after so many: what is measured 640 days apart is measured in the same weather. */
const SEASON_DAYS = 128;
const MODELS = 50;

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Observation {
  return {
    type: "answer",
    kind: "models",
    status,
    headers: { "content-type": "application/json", "x-request-id": "req_01hf7qk3m2v9", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    bodyEnd: "complete",
  };
}

function errorBody(type: string, code: string, message: string): unknown {
  return { error: { type, code, message } };
}

const GOOD = answer(200, {
  object: "list",
  data: Array.from({ length: MODELS }, (_, index) => ({ id: `model-${index}` })),
});
const BROKEN = answer(500, errorBody("server_error", "video_config_error", "The channel is not configured."));
const UNAVAILABLE = answer(503, errorBody("server_error", "upstream_error", "No upstream is available now."));
const HANGING: Observation = {
  type: "network_failure",
  kind: "models",
  stage: "timeout",
  status: null,
  headers: {},
  detail: null,
};

const TROUBLES: readonly Observation[] = [
  answer(402, errorBody("insufficient_quota", "insufficient_balance", "账户余额不足，请充值后重试。")),
  answer(429, errorBody("rate_limit_error", "rate_limited", "Too many requests."), { "retry-after": "20" }),
  UNAVAILABLE,
  answer(401, errorBody("authentication_error", "invalid_api_key", "The API key is not valid.")),
  answer(200, { code: 5000, message: "internal error", request_id: "20261120120000" }),
  answer(502, "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>", {
    "content-type": "text/html",
  }),
  HANGING,
];

/** No word of it looks like a secret, and each is cut to 300 characters. */
const LONG_WORDS = "余额不足，请联系管理员充值或更换密钥后重试".repeat(20);
const LONGEST = answer(
  402,
  { error: { type: LONG_WORDS, code: "insufficient_balance", message: LONG_WORDS, request_id: LONG_WORDS } },
  { "x-request-id": "" },
);

/** `index`: the monitor's place in the configuration. */
export function outcomeOf(weather: Weather, index: number, atMs: number): ProbeOutcome {
  return outcome(observed(weather, index, atMs), index, atMs);
}

function observed(weather: Weather, index: number, atMs: number): Observation {
  switch (weather) {
    case "calm":
      return GOOD;
    case "broken":
      return BROKEN;
    case "unavailable":
      return UNAVAILABLE;
    case "longest":
      return LONGEST;
    case "restless":
      return Math.floor(atMs / 300_000) % 2 === 0 ? GOOD : BROKEN;
    case "mixed":
      return mixed(index, atMs);
    case "outages":
      return isOut(index, atMs) ? BROKEN : GOOD;
    case "tenth":
      return index % 10 === 9 ? (troubleOf(index) ?? GOOD) : GOOD;
  }
}

/** Three monitors in ten have days of trouble, of some hours or the whole day. */
function mixed(index: number, atMs: number): Observation {
  const trouble = troubleOf(index);
  if (index % 10 < 7 || trouble === undefined) return GOOD;
  const day = Math.floor(atMs / DAY_MS) % SEASON_DAYS;
  const badHours = stableHash(`${index} ${day}`) % 40;
  return Math.floor((atMs % DAY_MS) / 3_600_000) >= 24 - badHours ? trouble : GOOD;
}

/** Never across midnight. */
function isOut(index: number, atMs: number): boolean {
  const minute = Math.floor((atMs % DAY_MS) / 60_000);
  const first = 30 + (stableHash(`out ${index}`) % 1380);
  return minute >= first && minute < first + 15;
}

function troubleOf(index: number): Observation | undefined {
  return TROUBLES[stableHash(`${index}`) % TROUBLES.length];
}

const diagnoses = new Map<Observation, KeptDiagnosis>();

function diagnosisOf(observation: Observation): KeptDiagnosis {
  const known = diagnoses.get(observation);
  if (known) return known;
  const { diagnosis } = examine(observation, { nowMs: 0, redact });
  diagnoses.set(observation, diagnosis);
  return diagnosis;
}

function outcome(observation: Observation, index: number, atMs: number): ProbeOutcome {
  const diagnosis = diagnosisOf(observation);
  const latencyMs = diagnosis.cause === "timeout" ? 30_000 : 150 + (stableHash(`${index} ${atMs}`) % 1800);
  const waits = diagnosis.retry.allowed ? [0, 1250, 2250, 4250] : [0];
  const { httpStatus } = diagnosis;
  const attempts = waits.map((waitedMs) => ({
    httpStatus,
    error: null,
    durationMs: latencyMs,
    retryAfter: null,
    waitedMs,
  }));
  const waitedMs = waits.reduce((sum, wait) => sum + wait, 0);
  return {
    startedAtMs: atMs,
    durationMs: waitedMs + latencyMs * attempts.length,
    latencyMs,
    waitedMs,
    attempts,
    modelCount: diagnosis.ok ? MODELS : null,
    missingModels: [],
    failingFrom: [],
    diagnosis,
  };
}
