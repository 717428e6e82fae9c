/** Canaries as the configuration means them: their request, and what is usual for their kind. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Evidence, Pointers } from "../protocol/observation.ts";
import type { CanaryOutput } from "./canary-schema.ts";
import type { CanaryConfig, CanaryKind, CanaryRequest, MonitorKind, Prices } from "./config.ts";
import { mergePatch, withHeaders, withModel } from "./request.ts";

export interface UsualCanary {
  /** Null: it must be written. */
  readonly path: string | null;
  readonly evidence: Evidence;
  readonly timeoutMs: number;
  readonly pointers: Pointers;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: a GET without one, unless one is written. */
  readonly body: ((model: string, isStreamed: boolean) => Readonly<Record<string, unknown>>) | null;
  /** Null: it creates no tasks. */
  readonly task: { readonly path: string; readonly deadlineMs: number } | null;
}

export const USUAL_EVERY_MS = 30 * MINUTE_MS;
/** Of what generates. */
const USUAL_PER_DAY = 48;

const GENERATION_MS = 2 * MINUTE_MS;
const LOOK_MS = 30_000;

const PROMPT = [{ role: "user", content: "Reply with the word pong." }];
/** The answer takes 5; the rest is for those that think before they speak. */
const MAX_TOKENS = 256;
const PICTURE = "A grey circle on a white background.";

const nothing = { pointers: {}, headers: {}, task: null } as const;

const USUAL: Readonly<Record<CanaryKind, UsualCanary>> = {
  chat: {
    ...nothing,
    path: "/v1/chat/completions",
    evidence: "text",
    timeoutMs: GENERATION_MS,
    body: (model, isStreamed) => ({
      model,
      messages: PROMPT,
      max_tokens: MAX_TOKENS,
      ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
    }),
  },
  messages: {
    ...nothing,
    path: "/v1/messages",
    evidence: "text",
    timeoutMs: GENERATION_MS,
    headers: { "anthropic-version": "2023-06-01" },
    body: (model, isStreamed) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: PROMPT,
      ...(isStreamed ? { stream: true } : {}),
    }),
  },
  embeddings: {
    ...nothing,
    path: "/v1/embeddings",
    evidence: "vector",
    timeoutMs: GENERATION_MS,
    body: (model) => ({ model, input: "ping" }),
  },
  image: {
    ...nothing,
    path: "/v1/images/generations",
    evidence: "media",
    timeoutMs: GENERATION_MS,
    body: (model) => ({ model, prompt: PICTURE, n: 1, size: "256x256" }),
    task: { path: "/v1/images/generations/{id}", deadlineMs: 10 * MINUTE_MS },
  },
  video: {
    ...nothing,
    path: "/v1/videos",
    evidence: "media",
    timeoutMs: GENERATION_MS,
    body: (model) => ({ model, prompt: PICTURE, seconds: "4" }),
    task: { path: "/v1/videos/{id}", deadlineMs: 30 * MINUTE_MS },
  },
  console: {
    ...nothing,
    path: "/api/user/self",
    evidence: "nothing",
    timeoutMs: LOOK_MS,
    pointers: { balance: "/data/quota" },
    body: null,
  },
  http: {
    ...nothing,
    path: null,
    evidence: "nothing",
    timeoutMs: LOOK_MS,
    body: null,
  },
};

/** What a kind does not have, or what is not written. */
const LEFT_OUT = {
  model: undefined,
  stream: false,
  retry: false,
  method: undefined,
  path: undefined,
  body: undefined,
  pointers: {},
  expect: {},
  taskPath: undefined,
  deadline: undefined,
  prices: undefined,
  warnBelow: undefined,
} as const;

type Canary = ReturnType<typeof completed>;

function completed(output: CanaryOutput) {
  return { ...LEFT_OUT, ...output };
}

/** @param gatewayKey the name of the secret that holds the gateway's key. */
export function canaryConfig(output: CanaryOutput, gatewayKey: string): CanaryConfig {
  const canary = completed(output);
  const usual = USUAL[canary.kind];
  const request = requestOf(canary);
  const apiKey = canary.apiKey ?? gatewayKey;
  const isGeneration = usual.body !== null || request.method === "POST";
  return {
    kind: canary.kind,
    request,
    apiKey,
    hasOwnKey: apiKey !== gatewayKey,
    evidence: usual.evidence,
    isStreamed: canary.stream,
    pointers: { ...usual.pointers, ...canary.pointers },
    expect: Object.entries(canary.expect).map(([pointer, value]) => ({ pointer, value })),
    isGeneration,
    task: usual.task && {
      path: withModel(canary.taskPath ?? usual.task.path, canary.model),
      deadlineMs: canary.deadline ?? usual.task.deadlineMs,
    },
    timeoutMs: canary.timeout ?? usual.timeoutMs,
    retry: canary.retry,
    perDay: canary.perDay ?? (isGeneration ? USUAL_PER_DAY : null),
    prices: pricesOf(canary.prices),
    warnBelow: canary.warnBelow ?? null,
  };
}

function requestOf(canary: Canary): CanaryRequest {
  const usual = USUAL[canary.kind];
  const body = bodyOf(canary);
  const usualHeaders = {
    accept: canary.stream ? "text/event-stream" : "application/json",
    authorization: "Bearer {key}",
    ...(body === null ? {} : { "content-type": "application/json" }),
    ...usual.headers,
  };
  return {
    method: canary.method ?? (body === null ? "GET" : "POST"),
    path: withModel(canary.path ?? usual.path ?? "/", canary.model),
    headers: withHeaders(usualHeaders, canary.headers ?? {}),
    body,
  };
}

function bodyOf({ kind, model = "", stream, body }: Canary): string | null {
  const usual = USUAL[kind].body;
  if (usual === null) return body === undefined ? null : JSON.stringify(body);
  return JSON.stringify(mergePatch(usual(model, stream), body ?? {}));
}

function pricesOf(prices: Canary["prices"]): Prices | null {
  if (prices === undefined) return null;
  const micros = (amount = 0): number => Math.round(amount * 1_000_000);
  return {
    currency: prices.currency,
    requestMicros: micros(prices.request),
    inputMicros: micros(prices.input),
    outputMicros: micros(prices.output),
  };
}

const MAX_ID_LENGTH = 40;

/** The kind, and of what asks a model the model too, as far as an id can hold it: `chat-gpt-4o-mini`. */
export function usualMonitorId(kind: MonitorKind, model: string | null | undefined): string {
  if (kind === "models" || USUAL[kind].body === null || typeof model !== "string") return kind;
  const fit = `${kind}-${model.toLowerCase()}`.replaceAll(/[^a-z0-9]+/g, "-");
  return fit.slice(0, MAX_ID_LENGTH).replace(/-+$/, "");
}
