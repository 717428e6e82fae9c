/**
 * The library `gatepulse`: the judgement of the monitor for any program that speaks with a model gateway. It sends nothing,
 * stores nothing, and runs in Node, browsers, Deno and Workers. Rules are named by their section (docs/rules.md).
 */
import { createRedactor, redact as redactShapes } from "../protocol/redaction/redact.ts";

export {
  type Cause,
  CAUSES,
  type Diagnosis,
  type Health,
  HEALTHS,
  type Layer,
  LAYERS,
  type Owner,
  OWNERS,
  type Retry,
} from "../protocol/diagnosis.ts";
export { type Kind, KINDS } from "../protocol/observation.ts";
export { createRedactor, type Redact, REDACTED } from "../protocol/redaction/redact.ts";
export type { BodyStream } from "../probe/body-text.ts";
export {
  diagnose,
  type DiagnoseOptions,
  diagnoseResponse,
  type DiagnoseResponseOptions,
  type GatewayAnswer,
  type GatewayFailure,
  type ResponseLike,
} from "./diagnose.ts";
export type { BodyLike, HeadersLike } from "./given-answer.ts";
export { decideRetry, type RetryDecision, retryDelay, type RetryOptions } from "./retry.ts";

/**
 * The text without its secrets: `[redacted]` stands in their place. API keys, bearer tokens, cookies and their like go by
 * their shape; `secrets`, whole values that you know, go in any encoding and in part. Request ids, model ids, codes and
 * times stay. JSON stays JSON. Linear in the text. With the same secrets again and again `createRedactor` is quicker.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  return secrets.length === 0 ? redactShapes(text) : createRedactor(secrets)(text);
}
