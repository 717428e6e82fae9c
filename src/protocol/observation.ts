/**
 * What was seen of one exchange with a gateway, before anybody judges it. Pure data.
 */
import type { Arrival } from "./asked.ts";

/** What was asked of the gateway; it decides which shape a success must have. */
export const KINDS = [
  "models",
  "chat",
  "messages",
  "embeddings",
  "image",
  "task",
  "console",
  "stream",
] as const;
export type Kind = (typeof KINDS)[number];

/** A complete HTTP answer, or one whose body passed the size limit and was cut. */
export interface Answer {
  readonly type: "answer";
  readonly kind: Kind;
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded text, without a byte order mark; what was read of it when `bodyEnd` is not `complete`. */
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
  /** When its pieces came, in their order; absent: that was not measured. */
  readonly arrivals?: readonly Arrival[];
}

/** Where an exchange broke before a complete answer was there. */
export type NetworkStage = "dns" | "connect" | "tls" | "timeout" | "unknown";

export interface NetworkFailure {
  readonly type: "network_failure";
  readonly kind: Kind;
  readonly stage: NetworkStage;
  /** The status, when the headers had already come. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The transport's own words or code, for the message; not yet redacted. */
  readonly detail: string | null;
  /** What had come of the body when it broke; absent: nothing is known of it. */
  readonly received?: { readonly body: string; readonly arrivals: readonly Arrival[] };
}

/** Nothing was sent: the secret named in the configuration is not set, or cannot be a header's value. */
export interface NotSent {
  readonly type: "not_sent";
  readonly kind: Kind;
  readonly reason: "secret_missing" | "secret_malformed";
  /** The name of the secret, never its value. */
  readonly secretName: string;
}

export type Observation = Answer | NetworkFailure | NotSent;
