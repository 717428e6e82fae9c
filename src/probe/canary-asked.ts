/** What a canary asks for on an errand: the request as it leaves, and what its answer must hold. Pure. */
import { endpointUrl } from "../config/base-url.ts";
import type { CanaryConfig } from "../config/config.ts";
import { sentRequest, withKey } from "../config/sent-request.ts";
import type { Errand } from "../domain/canary.ts";
import type { Asked } from "../protocol/asked.ts";
import type { Kind } from "../protocol/observation.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import type { ExchangeRequest } from "./exchange.ts";
import { streamEndFinder } from "./stream-end.ts";
import { USER_AGENT } from "./version.ts";

/** `apiKey` null: none is set. It goes only where a header names it. */
export function requestOf(
  canary: CanaryConfig,
  { task }: Errand,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | null },
): ExchangeRequest & { readonly needsKey: boolean } {
  const { method, path, headers, body } = sentRequest(canary, task?.id ?? null);
  return {
    kind: kindOf(canary, task !== null),
    method,
    url: endpointUrl(baseUrl, path),
    headers: { "user-agent": USER_AGENT, ...withKey(headers, apiKey ?? "") },
    body,
    timeoutMs: canary.timeoutMs,
    isStreamed: task === null && canary.isStreamed,
    ...(canary.pointers.end === undefined ? { findEnd: streamEndFinder } : {}),
    needsKey: Object.values(headers).some((value) => value.includes("{key}")),
  };
}

export function askedOf(
  { evidence, isStreamed, task, pointers, expect }: CanaryConfig,
  errand: Errand,
): Asked {
  const isQuestion = errand.task !== null;
  const creation = task === null ? null : "creation";
  return {
    evidence,
    isStreamed: isStreamed && !isQuestion,
    task: isQuestion ? "question" : creation,
    pointers,
    expect,
  };
}

/** A question is asked once a tick, and what creates a task is sent once whatever comes of it (spec 3, 7.3). */
export function attemptsOf({ kind, task }: CanaryConfig, errand: Errand): number {
  const mayCreate = task !== null || kind === "image" || kind === "video";
  return errand.task !== null || mayCreate ? 1 : Math.min(errand.attempts, MAX_ATTEMPTS);
}

/** The state of a video's task is evidence by itself; an image must be there. */
function kindOf({ kind, isStreamed }: CanaryConfig, isQuestion: boolean): Kind {
  if (isQuestion) return kind === "image" ? "image" : "task";
  if (isStreamed) return "stream";
  switch (kind) {
    case "chat":
    case "messages":
    case "embeddings":
    case "image":
    case "console":
      return kind;
    case "video":
      return "task";
    case "http":
      return "console";
  }
}
