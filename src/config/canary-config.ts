/** What a canary is, from what a person wrote of it over what is usual. Pure. */
import { USUAL, USUAL_PER_DAY } from "./canary-defaults.ts";
import type { WrittenCanary } from "./canary-schema.ts";
import type { CanaryConfig, CanaryRequest, CanaryTask, Prices } from "./config.ts";
import { mergePatch } from "./merge-patch.ts";
import { withHeaders } from "./request-headers.ts";
import { withModel } from "./request-path.ts";

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
