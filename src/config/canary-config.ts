/** Canaries as the configuration means them: their request, and what is usual for their kind. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Evidence, PointerName, Pointers } from "../protocol/observation.ts";
import type { WrittenCanary } from "./canary-schema.ts";
import type { CanaryConfig, CanaryKind, CanaryRequest, CanaryTask, Prices } from "./config.ts";
import { mergePatch, withHeaders, withModel } from "./request.ts";

export interface UsualCanary {
  /** Null: it must be written. */
  readonly path: string | null;
  readonly evidence: Evidence;
  readonly timeoutMs: number;
  readonly pointers: Pointers;
  /** Those that may be written. */
  readonly pointerNames: readonly PointerName[];
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

export const USUAL: Readonly<Record<CanaryKind, UsualCanary>> = {
  chat: {
    ...nothing,
    path: "/v1/chat/completions",
    evidence: "text",
    timeoutMs: GENERATION_MS,
    pointerNames: ["text", "end", "inputTokens", "outputTokens"],
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
    pointerNames: ["text", "end", "inputTokens", "outputTokens"],
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
    pointerNames: ["vector", "inputTokens", "outputTokens"],
    body: (model) => ({ model, input: "ping" }),
  },
  image: {
    ...nothing,
    path: "/v1/images/generations",
    evidence: "media",
    timeoutMs: GENERATION_MS,
    pointerNames: ["result", "id", "status", "inputTokens", "outputTokens"],
    body: (model) => ({ model, prompt: PICTURE, n: 1, size: "256x256" }),
    task: { path: "/v1/images/generations/{id}", deadlineMs: 10 * MINUTE_MS },
  },
  video: {
    ...nothing,
    path: "/v1/videos",
    evidence: "media",
    timeoutMs: GENERATION_MS,
    pointerNames: ["result", "id", "status", "inputTokens", "outputTokens"],
    body: (model) => ({ model, prompt: PICTURE, seconds: "4" }),
    task: { path: "/v1/videos/{id}", deadlineMs: 30 * MINUTE_MS },
  },
  console: {
    ...nothing,
    path: "/api/user/self",
    evidence: "nothing",
    timeoutMs: LOOK_MS,
    pointers: { balance: "/data/quota" },
    pointerNames: ["balance"],
    body: null,
  },
  http: {
    ...nothing,
    path: null,
    evidence: "nothing",
    timeoutMs: LOOK_MS,
    pointerNames: ["inputTokens", "outputTokens"],
    body: null,
  },
};

/** @param gatewayKey the name of the secret that holds the gateway's key. */
export function canaryConfig(written: WrittenCanary, gatewayKey: string): CanaryConfig {
  const usual = USUAL[written.kind];
  const request = requestOf(written);
  const apiKey = written.apiKey ?? gatewayKey;
  const isGeneration = usual.body !== null || request.method === "POST";
  return {
    kind: written.kind,
    request,
    apiKey,
    hasOwnKey: apiKey !== gatewayKey,
    evidence: usual.evidence,
    isStreamed: written.stream ?? false,
    pointers: { ...usual.pointers, ...written.pointers },
    expect: Object.entries(written.expect ?? {}).map(([pointer, value]) => ({ pointer, value })),
    isGeneration,
    task: taskOf(written),
    timeoutMs: written.timeout ?? usual.timeoutMs,
    retry: written.retry ?? false,
    perDay: written.perDay ?? (isGeneration ? USUAL_PER_DAY : null),
    prices: pricesOf(written.prices),
    warnBelow: written.warnBelow ?? null,
  };
}

function requestOf(written: WrittenCanary): CanaryRequest {
  const body = bodyOf(written);
  const isStreamed = written.stream ?? false;
  const usualHeaders = {
    accept: isStreamed ? "text/event-stream" : "application/json",
    authorization: "Bearer {key}",
    ...(body === null ? {} : { "content-type": "application/json" }),
    ...USUAL[written.kind].headers,
  };
  return {
    method: written.method ?? (body === null ? "GET" : "POST"),
    path: withModel(written.path ?? USUAL[written.kind].path ?? "/", written.model ?? null),
    headers: withHeaders(usualHeaders, written.headers ?? {}),
    body,
  };
}

function bodyOf({ kind, model = "", stream = false, body }: WrittenCanary): string | null {
  const usual = USUAL[kind].body;
  if (usual === null) return body === undefined ? null : JSON.stringify(body);
  return JSON.stringify(mergePatch(usual(model, stream), body ?? {}));
}

function taskOf({ kind, taskPath, deadline, model }: WrittenCanary): CanaryTask | null {
  const usual = USUAL[kind].task;
  if (usual === null) return null;
  return {
    path: withModel(taskPath ?? usual.path, model ?? null),
    deadlineMs: deadline ?? usual.deadlineMs,
  };
}

function pricesOf(written: WrittenCanary["prices"]): Prices | null {
  if (written === undefined) return null;
  const { currency, request, input, output } = written;
  return {
    currency,
    requestMicros: micros(request),
    inputMicros: micros(input),
    outputMicros: micros(output),
  };
}

function micros(amount = 0): number {
  return Math.round(amount * 1_000_000);
}
