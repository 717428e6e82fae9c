/** What tests know of a kind of channel: what it takes, sends and understands, written by hand from its service's documents. */
import { expect } from "vitest";
import type { AlertEvent } from "../../../src/alert/alert-event.ts";
import type { Letter, Reception, Rendered } from "../../../src/alert/channel.ts";
import type { ChannelConfig, ChannelOf } from "../../../src/config/config.ts";
import type { AlertInput } from "../../../src/config/define-config.ts";
import { letterOf } from "../telling.ts";

/** Its members are as the service names them. */
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are of every shape
export type Body = any;
/** The others are no kinds that a channel is given. */
export type Kind = Exclude<ChannelConfig["kind"], "otlp" | "push">;
type Input<Of extends Kind> = Extract<AlertInput, { readonly kind: Of }>;

type Own<Channel> = Omit<Channel, "kind" | "id" | "only">;

export interface ChannelEntry<Of extends Kind> {
  /** The least that a configuration needs; the secrets are those of `secrets`. */
  readonly least: Input<Of>;
  /** All that has a value of its own; by default `least`. */
  readonly full?: Input<Of>;
  /** What `full` becomes, apart from its kind, id and filter. */
  readonly config: Own<ChannelOf<Of>>;
  /** What differs from it for `least`. */
  readonly usual?: Partial<Own<ChannelOf<Of>>>;
  /** For each setting that names a secret, the name that a fault proposes. */
  readonly examples: Readonly<Record<string, string>>;
  /** Values that fit, by the names in `full`, in the order of `examples`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Values that do not fit, apart from malformed addresses. */
  readonly badSecrets?: readonly (readonly [name: string, value: string, problem: string])[];
  /** Besides those in test/vectors/alerts/. Parts of the letter that are left out may be anything. */
  readonly messages?: readonly (readonly [
    of: string,
    events: readonly AlertEvent[],
    letter: { readonly [Part in keyof Letter]?: unknown },
    otherSecrets?: Readonly<Record<string, string>>,
  ])[];
  /** Where people read what a gateway said. Channels with it bundle events; the others are read by programs, one event at a time. */
  readonly said?: {
    readonly at: (body: Body) => string;
    readonly quoted: readonly (readonly [message: string, told: string])[];
    /** What `LINKED` is shown as, where the service turns addresses into links. */
    readonly unlinked?: string;
  };
  /** Fails where a message is beyond the limits of the service, or is not what it can read. */
  readonly judge: (rendered: Rendered) => void;
  /** What answers mean, besides those that mean the same for every kind. */
  readonly answers?: readonly (readonly [statuses: readonly number[], body: string, meaning: Reception])[];
}

/** What a gateway says, and what is left of its links. */
export const LINKED = "Sign in at https://evil.example/login or www.evil.example, or ask help@evil.example";
export const UNLINKED =
  "Sign in at https:\u200b//evil.\u200bexample/login or www.\u200bevil.\u200bexample, or ask help\u200b@\u200bevil.example";

export const some = (part: object): unknown => expect.objectContaining(part);

export const REFUSED = { type: "refused" } as const;
export const GONE = { type: "gone" } as const;
export const LATER = { type: "later", afterMs: null } as const;

/** It cannot read these; and what it forbids may be allowed later. */
export const FORBIDS_FOR_NOW = [
  [[400, 413], "", REFUSED],
  [[401, 403, 404, 507], "", LATER],
] as const;

export const NO_TOKEN = "is not a token of visible ASCII";

export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Line ends are only ours. */
// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;

export function parsed(rendered: Rendered): Body {
  const { body } = letterOf(rendered);
  expect(body.isWellFormed()).toBe(true);
  return JSON.parse(body);
}

export function isWithin(length: number, most: number, least = 0): void {
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
}

export function isPlain(text: string, most = Number.POSITIVE_INFINITY, least = 0): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(CONTROL);
  isWithin(text.length, most, least);
}
