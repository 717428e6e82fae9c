/**
 * What a kind of channel must be able to do: turn events into one request, and read the answer. Pure, but for signing,
 * which the platform's WebCrypto does.
 */
import type { ChannelConfig } from "../config/channels.ts";
import type { AlertEvent } from "./alert-event.ts";

/** The value of a secret by its name; null: it is not set. */
export type SecretOf = (name: string) => string | null;

export interface Occasion {
  /** Now, for signatures and for what must bear the time of the try. */
  readonly nowMs: number;
  /** The title of the configuration: who speaks. */
  readonly title: string;
  readonly secretOf: SecretOf;
}

/** One HTTP request, ready to be sent. */
export interface Letter {
  readonly type: "http";
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A message for the platform's own mail. */
export interface Mail {
  readonly type: "mail";
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** `problem` names the setting or the secret, never a value. */
export type Rendered = Letter | Mail | { readonly type: "misconfigured"; readonly problem: string };

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most its first 4 kB. */
  readonly body: string;
}

export type Reception =
  | { readonly type: "delivered" }
  /** Tried again after the usual wait, or after what the receiver asked for if that is longer. */
  | { readonly type: "later"; readonly afterMs: number | null }
  /** This very message will never be taken. */
  | { readonly type: "refused" }
  /** The channel is gone: nothing is sent there any more until its configuration changes. */
  | { readonly type: "gone" };

export interface ChannelKind<Config extends ChannelConfig> {
  /** May one message tell of several events of a gateway? Else `events` has exactly one. */
  readonly bundles: boolean;
  /**
   * Present where the receiver forgets what it is not told again: so often all open incidents are, and for five minutes
   * those that ended. Then `events` has all of them.
   */
  readonly resendEveryMs?: number;
  render(events: readonly AlertEvent[], channel: Config, occasion: Occasion): Promise<Rendered>;
  /** `nowMs`: for a Retry-After that is a date. */
  read(answer: Answer, nowMs: number): Reception;
}
