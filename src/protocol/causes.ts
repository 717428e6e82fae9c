/** The row of each cause, fitted to where the evidence was found; what is added to it for its reader. Pure. */
import {
  type Cause,
  CAUSE_ADVICE,
  CAUSE_TABLE,
  type CauseFacts,
  type Diagnosis,
  type KeptDiagnosis,
  type Layer,
  type Operator,
  type Owner,
  type Turn,
} from "./diagnosis.ts";
import { clip } from "./error-facts.ts";
import type { Relay } from "./gateway-marks.ts";

export interface CauseRow extends CauseFacts {
  readonly cause: Cause;
  readonly advice: string;
}

export function rowOf(cause: Cause): CauseRow {
  const { ok, owner, health, rule } = CAUSE_TABLE[cause];
  return { ok, cause, owner, health, advice: CAUSE_ADVICE[cause], rule };
}

export interface CauseCircumstance {
  readonly layer: Layer | null;
  readonly httpStatus: number | null;
  readonly businessCode: number | null;
  readonly retryAllowed: boolean;
  readonly key: "jwt" | null;
  /** Who speaks in the gateway's place: a provider behind it, or a proxy in front of it. Null: the gateway itself. */
  readonly via: Relay | "proxy" | null;
}

export function causeRow(cause: Cause, circumstance: CauseCircumstance): CauseRow {
  const row = rowOf(cause);
  const status = circumstance.httpStatus ?? 0;
  // Beyond 4xx, also where no final status may be (1xx, 0, 600 and more), the server does what it must not.
  if (cause === "http_error" && status >= 400 && status < 500) {
    return { ...row, owner: "caller", health: "blocked" };
  }
  if (cause === "business_error" && circumstance.businessCode === KEY_NOT_KEPT) {
    return {
      ...row,
      owner: "caller",
      health: "blocked",
      advice: "The full key was not kept and cannot be recovered. Create the key again.",
    };
  }
  const fitted = {
    ...row,
    rule: ruleOf(cause, row, circumstance),
    advice: adviceOf(cause, row, circumstance),
  };
  return circumstance.via ? { ...fitted, owner: "operator", health: "down" } : fitted;
}

/** The full key was not stored when it was created (spec 7.2). */
const KEY_NOT_KEPT = 5002;

/** Statuses and errors that the specification does not list keep their cause and lose its section. */
function ruleOf(cause: Cause, row: CauseRow, circumstance: CauseCircumstance): string | null {
  if (circumstance.layer === "business") return "7.2";
  if (circumstance.layer === "api") return "7.4";
  const status = circumstance.httpStatus ?? 0;
  if (circumstance.layer === "http" && status >= 520) return null;
  if (circumstance.layer === "http" && cause === "malformed_request" && status !== 400) return null;
  return row.rule;
}

function adviceOf(cause: Cause, row: CauseRow, circumstance: CauseCircumstance): string {
  const { via } = circumstance;
  if (via === "proxy") {
    return "The proxy in front cannot reach the gateway: it is stopped, starting, or too slow. Check that it runs.";
  }
  if (via) {
    return `${via.provider === null ? "The provider" : written(via.provider)} refused the gateway's own key, not the caller's. Check that key, its quota and its balance at the provider.`;
  }
  if (cause === "authentication" && circumstance.key === "jwt") {
    return "The key looks like a login token, and a login token is no API key. Use an API key.";
  }
  if (cause === "upstream_unavailable" && !circumstance.retryAllowed) {
    return "The provider behind the gateway failed or is overloaded. Do not repeat it right away; look up the request in the logs.";
  }
  if (cause === "rate_limited" && !circumstance.retryAllowed) {
    return "Send fewer requests, and fewer at once. Under this status, do not repeat the request automatically.";
  }
  return row.advice;
}

const PROVIDERS =
  "OpenAI Anthropic DeepSeek Groq xAI Moonshot Mistral SiliconFlow OpenRouter Perplexity Google Gemini Azure Bedrock Cohere".split(
    " ",
  );

function written(provider: string): string {
  return PROVIDERS.find((name) => name.toLowerCase() === provider) ?? provider;
}

export const PROJECT = "https://github.com/gatepulse/gatepulse";
export const DOCUMENTS = `${PROJECT}/blob/main/docs`;
export const CAUSES_DOCUMENT = `${DOCUMENTS}/causes.md`;

export function causeDocs(cause: Cause): string {
  return `${CAUSES_DOCUMENT}#${cause}`;
}

/** The key is the reader's own, and so is a gateway that the reader runs. */
export function turnOf(owner: Owner, operator: Operator): Turn {
  if (owner === "caller") return "us";
  return owner === "operator" && operator === "us" ? "us" : owner;
}

/** As its reader gets it. @param operator who runs the gateway; null: not known, and the advice stays the owner's. */
export function completed(diagnosis: KeptDiagnosis, operator: Operator | null): Diagnosis {
  const { cause, owner } = diagnosis;
  return {
    ...diagnosis,
    advice: operator === null ? diagnosis.advice : advise(diagnosis, operator),
    turn: turnOf(owner, operator ?? "them"),
    docs: causeDocs(cause),
  };
}

type Advised = Pick<KeptDiagnosis, "cause" | "owner" | "advice"> &
  Partial<Pick<KeptDiagnosis, "requestId" | "errorType" | "message">>;

/** What the reader can do: the same on pages, in alerts, in the feed and in the API. `advice`: the owner's. */
export function advise(of: Advised, operator: Operator): string {
  const { cause, owner, advice, requestId = null } = of;
  if (owner === "upstream" && operator === "us")
    return `Switch the channel, or wait.${CUT_ADVICE.exec(advice)?.[0] ?? ""}${hintOf(of)}`;
  if (owner !== "operator") return advice;
  // What is said of this very case says more than what holds for its cause. What its operator should do is for nobody else.
  const own = advice === CAUSE_ADVICE[cause] ? "" : advice.replace(/\b(?:Check|Look) .*/s, "").trim();
  if (operator === "them") return `${own} ${ASKED[cause] ?? ASK}`.trim();
  const request = requestId === null ? "" : ` Find request ${requestId} in its log.`;
  return `${advice}${request}${hintOf(of)}`;
}

/** Of a stream: the same for anyone. */
const CUT_ADVICE = / It was cut after .*/s;

function hintOf({ errorType = null, message = null }: Advised): string {
  const hint = HINTS.find(([seen]) => seen.test(`${errorType} ${message}`))?.[1];
  return hint === undefined ? "" : ` ${hint}`;
}

/** For those who run the gateway, which its answers show. */
const HINTS: readonly (readonly [seen: RegExp, hint: string])[] = [
  // songquanpeng/one-api, relay/controller/error.go
  [/^one_api_error /, "In one-api, test the channel on the page Channels."],
  // QuantumNous/new-api, middleware/utils.go
  [/^new_api_error /, "In new-api, test the channel on the page Channels."],
  // BerriAI/litellm, litellm/exceptions.py and router.py; docs.litellm.ai/docs/proxy/health
  [/\blitellm\.|No deployments available/, "In LiteLLM, ask /health which deployment fails."],
  // Portkey-AI/gateway, src/middlewares/requestValidator/index.ts
  [/\bportkey\b/i, "In Portkey, find the request in the logs and check its config."],
  // vllm-project/vllm, vllm/v1/engine/exceptions.py
  [/EngineCore|EngineDead/, "In vLLM, the engine has died: read the stack trace in its log and restart it."],
  // ollama/ollama, llm/server.go
  [/llama runner|more system memory/, "In Ollama, the model did not fit or crashed: check memory and disk."],
  // sgl-project/sglang, python/sglang/srt/managers/scheduler.py, _abort_on_queued_limit
  [/request queue is full/, "In SGLang, too many requests wait: add a server."],
  // Kong/kong, kong/runloop/balancer/init.lua
  [/ring-balancer/, "In Kong, no target is healthy: check the upstream’s health."],
  // apache/apisix, apisix/upstream.lua and init.lua
  [/no valid upstream node|Route Not Found/, "In APISIX, check the route and the nodes of its upstream."],
];

const ASK = "Send the report to the gateway's support and check its status page.";

const ASKED: Readonly<Partial<Record<Cause, string>>> = {
  slow: "Tell the gateway's support how slow it is, or change the limit.",
  model_missing: "Ask the gateway's support for the model, or remove it from expect.",
  model_substituted: "Ask the gateway's support which model answers, or add the name to accept.",
  tls_failure: "Ask the gateway's support to fix its certificate or TLS settings.",
};

export interface Expectations {
  /** The ids of the list; null where the answer was no list, and then no model is missing. */
  readonly modelIds: readonly string[] | null;
  readonly expect: readonly string[];
  readonly latencyMs: number;
  readonly slowerThanMs: number | null;
}

/** Turns an `ok` into `model_missing` or `slow`, the first before the second; leaves every other diagnosis alone. */
export function judgeExpectations(
  diagnosis: KeptDiagnosis,
  { modelIds, expect, latencyMs, slowerThanMs }: Expectations,
): { readonly diagnosis: KeptDiagnosis; readonly missingModels: readonly string[] } {
  const listed = new Set(modelIds);
  const missingModels =
    diagnosis.cause !== "ok" || modelIds === null ? [] : expect.filter((model) => !listed.has(model));
  if (missingModels.length > 0) {
    const message = clip(`Missing from the list: ${missingModels.join(", ")}`);
    return { diagnosis: { ...diagnosis, ...rowOf("model_missing"), layer: null, message }, missingModels };
  }
  return { diagnosis: judgePace(diagnosis, { answerMs: [latencyMs, slowerThanMs] }), missingModels };
}

/** Null: not measured, or no limit. */
type Pace = readonly [measured: number | null, limit: number | null];

/** Turns an `ok` into `slow`, and says what was: the part that explains the most first. */
export function judgePace(
  diagnosis: KeptDiagnosis,
  paces: Readonly<Partial<Record<keyof typeof SLOW_WORDS, Pace>>>,
): KeptDiagnosis {
  if (diagnosis.cause !== "ok") return diagnosis;
  for (const name of ["firstTokenMs", "tokensPerSecond", "answerMs"] as const) {
    const [measured, limit] = paces[name] ?? [null, null];
    if (measured === null || limit === null) continue;
    const isSlow = name === "tokensPerSecond" ? measured < limit : measured > limit;
    if (isSlow)
      return { ...diagnosis, ...rowOf("slow"), layer: null, message: SLOW_WORDS[name](measured, limit) };
  }
  return diagnosis;
}

/** Turns an `ok` into `answers_differ`. @param found null: there is no evidence of a difference. */
export function judgeDifference(
  diagnosis: KeptDiagnosis,
  found: { readonly from: "reference" | "past"; readonly p: number; readonly sinceMs: number } | null,
): KeptDiagnosis {
  if (found === null || diagnosis.cause !== "ok") return diagnosis;
  const than = found.from === "past" ? "before" : "at the reference";
  const since = new Date(found.sinceMs).toISOString().slice(0, 16).replace("T", " ");
  const message = `Fewer answers are right than ${than} since ${since} UTC, p = ${found.p.toPrecision(2)}.`;
  return { ...diagnosis, ...rowOf("answers_differ"), layer: null, message };
}

const SLOW_WORDS = {
  firstTokenMs: (ms: number, limitMs: number) =>
    `The first token came after ${inSeconds(ms)}, later than ${inSeconds(limitMs)}.`,
  tokensPerSecond: (speed: number, limit: number) =>
    `The speed was ${speed} tokens per second, below ${limit}.`,
  answerMs: (ms: number, limitMs: number) =>
    `The answer took ${inSeconds(ms)}, longer than ${inSeconds(limitMs)}.`,
};

function inSeconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}
