/** One configured channel of each kind, and secrets that fit them all. */
import { channelKind } from "../../src/alert/channels.ts";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Answer, Reception, Rendered } from "../../src/alert/channel.ts";
import type { ChannelConfig } from "../../src/config/channels.ts";
import { ALL, NOW_MS, occasion } from "./telling.ts";

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
  webhook: {
    kind: "webhook",
    id: "webhook",
    only: ALL,
    urlSecret: "HOOK_URL",
    signingSecrets: ["HOOK_SECRET"],
  },
  slack: { kind: "slack", id: "slack", only: ALL, urlSecret: "HOOK_URL" },
  discord: { kind: "discord", id: "discord", only: ALL, urlSecret: "HOOK_URL" },
  teams: { kind: "teams", id: "teams", only: ALL, urlSecret: "HOOK_URL" },
  pagerduty: {
    kind: "pagerduty",
    id: "pagerduty",
    only: ALL,
    routingKeySecret: "PAGERDUTY_KEY",
    endpoint: "https://events.pagerduty.com",
  },
  alertmanager: {
    kind: "alertmanager",
    id: "alertmanager",
    only: ALL,
    urlSecret: "ALERTMANAGER_URL",
    tokenSecret: "BEARER",
  },
  telegram: {
    kind: "telegram",
    id: "telegram",
    only: ALL,
    tokenSecret: "BOT_TOKEN",
    chat: "-1001234567890",
    endpoint: "https://api.telegram.org",
  },
  ntfy: { kind: "ntfy", id: "ntfy", only: ALL, urlSecret: "TOPIC_URL", tokenSecret: "BEARER" },
  email: {
    kind: "email",
    id: "email",
    only: ALL,
    from: "gatepulse@acme.example",
    to: ["oncall@acme.example"],
    binding: "EMAIL",
  },
} as const satisfies Readonly<Record<ChannelConfig["kind"], ChannelConfig>>;

export const KINDS = Object.keys(CHANNELS) as (keyof typeof CHANNELS)[];

export function render(
  channel: ChannelConfig,
  events: readonly AlertEvent[],
  secrets: Readonly<Record<string, string>> = SECRETS,
): Promise<Rendered> {
  return channelKind(channel).render(events, channel, occasion(secrets));
}

export function read(channel: ChannelConfig, answer: Partial<Answer>): Reception {
  return channelKind(channel).read({ status: 200, headers: {}, body: "", ...answer }, NOW_MS);
}
