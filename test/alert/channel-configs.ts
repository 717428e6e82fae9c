/** One configured channel of each kind, and secrets that fit them all. */
import { reception, type Answer, type Reception, type Rendered } from "../../src/alert/channel.ts";
import { channelKind } from "../../src/alert/channels.ts";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { ChannelConfig } from "../../src/config/config.ts";
import { ALL, bodyOf, NOW_MS, occasion } from "./telling.ts";

export const SECRETS = {
  HOOK_URL: "https://hooks.example/services/T00/B00/x1y2z3",
  HOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  OLD_HOOK_SECRET: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
  PAGERDUTY_KEY: "0123456789abcdef0123456789ABCDEF",
  ALERTMANAGER_URL: "https://alerts.acme.example/am/",
  BEARER: "token-of-the-proxy",
  BOT_TOKEN: "123456:ABC-DEF_ghi",
  TOPIC_URL: "https://ntfy.example/acme-4f9a",
} as const;

export const CHANNELS = {
  webhook: { ...common("webhook"), urlSecret: "HOOK_URL", signingSecrets: ["HOOK_SECRET"] },
  slack: { ...common("slack"), urlSecret: "HOOK_URL" },
  discord: { ...common("discord"), urlSecret: "HOOK_URL" },
  teams: { ...common("teams"), urlSecret: "HOOK_URL" },
  pagerduty: {
    ...common("pagerduty"),
    routingKeySecret: "PAGERDUTY_KEY",
    endpoint: "https://events.pagerduty.com",
  },
  alertmanager: { ...common("alertmanager"), urlSecret: "ALERTMANAGER_URL", tokenSecret: "BEARER" },
  telegram: {
    ...common("telegram"),
    tokenSecret: "BOT_TOKEN",
    chat: "-1001234567890",
    endpoint: "https://api.telegram.org",
  },
  ntfy: { ...common("ntfy"), urlSecret: "TOPIC_URL", tokenSecret: "BEARER" },
  email: {
    ...common("email"),
    from: "gatepulse@acme.example",
    to: ["oncall@acme.example"],
    binding: "EMAIL",
  },
} as const satisfies Readonly<Record<ChannelConfig["kind"], ChannelConfig>>;

export const KINDS = Object.keys(CHANNELS) as (keyof typeof CHANNELS)[];

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

/** Its members are as the service names them. */
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are of every shape
export type Body = any;

/** A part of a message's body, or of a mail. */
export async function shown(
  kind: keyof typeof CHANNELS,
  events: readonly AlertEvent[],
  place: (body: Body) => string,
): Promise<string> {
  const rendered = await render(CHANNELS[kind], events);
  return place(rendered.type === "mail" ? rendered : bodyOf(rendered));
}

function common<Kind extends ChannelConfig["kind"]>(kind: Kind) {
  return { kind, id: kind, only: ALL };
}
