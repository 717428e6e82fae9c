/** One configured channel of each kind, and secrets that fit them all. */
import { reception, type Answer, type Reception, type Rendered } from "../../src/alert/channel.ts";
import { channelKind } from "../../src/alert/channels.ts";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { ChannelConfig, ChannelOf } from "../../src/config/config.ts";
import type { Body, ChannelEntry, Kind } from "./kinds/entry.ts";
import { BOTS } from "./kinds/bots.ts";
import { PEOPLE } from "./kinds/people.ts";
import { PROGRAMS } from "./kinds/programs.ts";
import { ALL, bodyOf, NOW_MS, occasion, SPEAKER } from "./telling.ts";

export const ENTRIES = { ...PROGRAMS, ...PEOPLE, ...BOTS } satisfies {
  readonly [Of in Kind]: ChannelEntry<Of>;
};
export const KINDS = Object.keys(ENTRIES) as Kind[];

/** The entry of any kind. */
export function entryOf(kind: Kind): ChannelEntry<Kind> {
  return ENTRIES[kind];
}

export const CHANNELS = Object.fromEntries(
  KINDS.map((kind) => [kind, { kind, id: kind, only: ALL, ...entryOf(kind).config }]),
) as { readonly [Of in Kind]: ChannelOf<Of> };

/** One of each kind, with the least that it needs. */
export const LEAST = Object.fromEntries(KINDS.map((kind) => [kind, entryOf(kind).least])) as {
  readonly [Of in Kind]: ChannelEntry<Of>["least"];
};

export const SECRETS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...KINDS.map((kind) => entryOf(kind).secrets),
);

/** What the client of the Ledger needs; requests go out. */
export const PORTS = {
  ...SPEAKER,
  secretOf: (name: string) => SECRETS[name] ?? null,
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  timeoutSignal: (ms: number) => AbortSignal.timeout(ms),
  sendMail: () => Promise.reject(new Error("no mail")),
  now: () => Date.now(),
  warn: () => undefined,
};

export async function render(
  channel: ChannelConfig,
  events: readonly AlertEvent[],
  secrets: Readonly<Record<string, string>> = SECRETS,
): Promise<Rendered> {
  return channelKind(channel).render(events, channel, occasion(secrets));
}

export function read(channel: ChannelConfig, answer: Partial<Answer>): Reception {
  return reception(channelKind(channel), { status: 200, headers: {}, body: "", ...answer }, NOW_MS);
}

/** A part of a message's body, or of a mail. */
export async function shown(
  kind: Kind,
  events: readonly AlertEvent[],
  place: (body: Body) => string,
): Promise<string> {
  const rendered = await render(CHANNELS[kind], events);
  return place(rendered.type === "mail" ? rendered : bodyOf(rendered));
}
