/** Canaries as the configuration means them: their request, and what is usual for their kind. Pure. */
import { HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import { longestExercise, EXERCISES } from "../protocol/audit.ts";
import { asObject, readJson } from "../protocol/json.ts";
import type { Evidence, Pointers } from "../protocol/observation.ts";
import type { CanaryOutput } from "./canary-schema.ts";
import type { CanaryKind, MonitorKind } from "./config.ts";
import { type HeaderPatch, mergePatch, withHeaders, withModel } from "./request.ts";

interface UsualCanary {
  /** Null: it must be written. */
  readonly path: string | null;
  /** Null: the body asks for a stream. */
  readonly streamPath: string | null;
  readonly evidence: Evidence;
  readonly timeoutMs: number;
  readonly pointers: Pointers;
  /** Null takes one away that all kinds have. */
  readonly headers: HeaderPatch;
  /** Null: a GET without one, unless one is written. */
  readonly body: ((model: string, isStreamed: boolean) => Readonly<Record<string, unknown>>) | null;
  /** Null: it creates no tasks. */
  readonly task: { readonly path: string; readonly deadlineMs: number } | null;
}

export const USUAL_EVERY_MS = 30 * MINUTE_MS;
export const USUAL_PER_DAY = 48;
/** So often, that the whole set takes a day. */
export const AUDIT_EVERY_MS = (24 * HOUR_MS) / EXERCISES.length;
const MAX_AUDIT_TOKENS = 1024;

const WORDS = "Reply with the word pong.";
const PROMPT = [{ role: "user", content: WORDS }];
/** The answer takes 5; the rest is for those that think before they speak. */
export const MAX_TOKENS = 256;
const PICTURE = "A grey circle on a white background.";

function generation(path: string, evidence: Evidence, body: UsualCanary["body"]): UsualCanary {
  const timeoutMs = 2 * MINUTE_MS;
  return { path, streamPath: null, evidence, timeoutMs, pointers: {}, headers: {}, body, task: null };
}

function look(path: string | null, pointers: Pointers): UsualCanary {
  return { ...generation("", "nothing", null), path, timeoutMs: 30_000, pointers };
}

const USUAL: Readonly<Record<CanaryKind, UsualCanary>> = {
  chat: generation("/v1/chat/completions", "text", (model, isStreamed) => ({
    model,
    messages: PROMPT,
    max_tokens: MAX_TOKENS,
    ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
  })),
  messages: {
    ...generation("/v1/messages", "text", (model, isStreamed) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: PROMPT,
      ...(isStreamed && { stream: true }),
    })),
    headers: { "anthropic-version": "2023-06-01" },
  },
  responses: generation("/v1/responses", "text", (model, isStreamed) => ({
    model,
    input: WORDS,
    max_output_tokens: MAX_TOKENS,
    ...(isStreamed && { stream: true }),
  })),
  gemini: {
    ...generation("/v1beta/models/{model}:generateContent", "text", () => ({
      contents: [{ role: "user", parts: [{ text: WORDS }] }],
      generationConfig: { maxOutputTokens: MAX_TOKENS },
    })),
    streamPath: "/v1beta/models/{model}:streamGenerateContent?alt=sse",
    headers: { authorization: null, "x-goog-api-key": "{key}" },
  },
  embeddings: generation("/v1/embeddings", "vector", (model) => ({ model, input: "ping" })),
  image: {
    ...generation("/v1/images/generations", "media", (model) => ({
      model,
      prompt: PICTURE,
      n: 1,
      size: "256x256",
    })),
    task: { path: "/v1/images/generations/{id}", deadlineMs: 10 * MINUTE_MS },
  },
  video: {
    ...generation("/v1/videos", "media", (model) => ({ model, prompt: PICTURE, seconds: "4" })),
    task: { path: "/v1/videos/{id}", deadlineMs: 30 * MINUTE_MS },
  },
  console: look("/api/user/self", { balance: "/data/quota" }),
  http: look(null, {}),
  audit: generation("/v1/chat/completions", "nothing", (model) => ({ model, max_tokens: MAX_AUDIT_TOKENS })),
};

/** What a kind does not have, or what is not written. */
const LEFT_OUT = {
  model: undefined,
  stream: false,
  firstTokenSlowerThan: undefined,
  tokensPerSecondBelow: undefined,
  retry: false,
  method: undefined,
  path: undefined,
  body: undefined,
  pointers: {},
  expect: {},
  taskPath: undefined,
  deadline: undefined,
  prices: undefined,
  maxCost: undefined,
  accept: undefined,
  warnBelow: undefined,
  reference: undefined,
} as const;

type Canary = ReturnType<typeof completed>;

function completed(output: CanaryOutput) {
  return { ...LEFT_OUT, ...output };
}

/** @param gatewayKey the name of the secret that holds the gateway's key. */
export function canaryConfig(output: CanaryOutput, gatewayKey: string) {
  const canary = completed(output);
  const usual = USUAL[canary.kind];
  const request = requestOf(canary);
  const apiKey = canary.apiKey ?? gatewayKey;
  const isGeneration = usual.body !== null || request.method === "POST";
  const isAudit = canary.kind === "audit";
  const prices = pricesOf(canary.prices, request.body, isAudit ? longestExercise() : 0);
  const pointers: Pointers = { ...usual.pointers, ...canary.pointers };
  return {
    kind: canary.kind,
    request,
    /** The name of the secret that holds the key that is sent. */
    apiKey,
    /** Its key is not the gateway's: if that one is refused, this says nothing about the canary. */
    hasOwnKey: apiKey !== gatewayKey,
    /** Whose calls its own key is for; null: as the gateway's. */
    usedBy: canary.usedBy ?? null,
    evidence: usual.evidence,
    isStreamed: canary.stream,
    pointers,
    /** With the id of the gateway to compare with; null: with none. Null: it is no audit. */
    audit: isAudit ? { reference: canary.reference ?? null } : null,
    expect: Object.entries(canary.expect).map(([pointer, value]) => ({ pointer, value })),
    /** It costs money, or may: it is sent once, counted, and not asked for nothing. */
    isGeneration,
    /** How a task that the request may create is asked about; `{id}` in the path stands for its id. Null: it creates none. */
    task: usual.task && {
      path: withModel(canary.taskPath ?? usual.task.path, canary.model),
      deadlineMs: canary.deadline ?? usual.task.deadlineMs,
    },
    /** For headers and body together, of one request. */
    timeoutMs: canary.timeout ?? usual.timeoutMs,
    /** Whether an answer of 429, 502, 503 or 504 that allows it is followed by another try. */
    retry: canary.retry,
    /** Requests that may leave on a day of the configured zone; null: no limit. */
    perDay: canary.perDay ?? (isGeneration ? (isAudit ? EXERCISES.length : USUAL_PER_DAY) : null),
    prices,
    /** The most that a day may cost, in millionths of the currency of `prices`; null: no limit. */
    maxCostMicros: canary.maxCost === undefined ? null : inMicros(canary.maxCost.day),
    /** A balance below it is `balance_low`; null: no limit. */
    warnBelow: canary.warnBelow ?? null,
    /** Globs of names that an answer may have for the model. */
    accept: canary.accept ?? [],
    /** Slower than either is `slow`; null: no limit. */
    firstTokenSlowerThanMs: canary.firstTokenSlowerThan ?? null,
    tokensPerSecondBelow: canary.tokensPerSecondBelow ?? null,
  };
}

function requestOf(canary: Canary) {
  const usual = USUAL[canary.kind];
  const body = bodyOf(canary);
  const common = {
    accept: canary.stream ? "text/event-stream" : "application/json",
    ...(body === null ? {} : { "content-type": "application/json" }),
  };
  const usualPath = (canary.stream ? usual.streamPath : null) ?? usual.path ?? "/";
  return {
    method: canary.method ?? (body === null ? "GET" : "POST"),
    /** Begins with a slash; `{model}` is filled in already. */
    path: withModel(canary.path ?? usualPath, canary.model),
    /** Names in lower case; in values `{key}` stands for the API key. */
    headers: withHeaders({ ...common, ...usualHeaders(canary.kind) }, canary.headers ?? {}),
    /** JSON text; null: none. */
    body,
  };
}

/** Those of the kind itself. */
export function usualHeaders(kind: CanaryKind): Readonly<Record<string, string>> {
  return withHeaders({ authorization: "Bearer {key}" }, USUAL[kind].headers);
}

function bodyOf({ kind, model = "", stream, body }: Canary): string | null {
  const usual = USUAL[kind].body;
  if (usual === null) return body === undefined ? null : JSON.stringify(body);
  return JSON.stringify(mergePatch(usual(model, stream), body ?? {}));
}

function inMicros(amount = 0): number {
  return Math.round(amount * 1_000_000);
}

/** In millionths of the currency. @param more characters that the body has when it is sent. */
function pricesOf(prices: Canary["prices"], body: string | null, more: number) {
  if (prices === undefined) return null;
  const requestMicros = inMicros(prices.request);
  const inputMicros = inMicros(prices.input);
  const outputMicros = inMicros(prices.output);
  // No token is shorter than a character.
  const tokensMicros = inputMicros * ((body ?? "").length + more) + outputMicros * mostOutput(body);
  return {
    /** As people write it, like `USD`. */
    currency: prices.currency,
    requestMicros,
    /** Of a million tokens each. */
    inputMicros,
    outputMicros,
    /** The most that one request costs, as far as its body limits its tokens. */
    mostMicros: requestMicros + Math.ceil(tokensMicros / 1_000_000),
  };
}

function mostOutput(body: string | null): number {
  const sent = asObject(readJson(body ?? "")) ?? {};
  const { maxOutputTokens } = asObject(sent["generationConfig"]) ?? {};
  const most =
    sent["max_completion_tokens"] ?? sent["max_tokens"] ?? sent["max_output_tokens"] ?? maxOutputTokens;
  return typeof most === "number" && most > 0 ? most : MAX_TOKENS;
}

const MAX_ID_LENGTH = 40;

/** The kind, and of what asks a model the model too, as far as an id can hold it: `chat-gpt-4o-mini`. */
export function usualMonitorId(kind: MonitorKind, model: string | null | undefined): string {
  if (kind === "models" || USUAL[kind].body === null || typeof model !== "string") return kind;
  const fit = `${kind}-${model.toLowerCase()}`.replaceAll(/[^a-z0-9]+/g, "-");
  return fit.slice(0, MAX_ID_LENGTH).replace(/-+$/, "");
}
