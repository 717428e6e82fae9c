/** Configurations with channels of alerts. */
import type { ChannelConfig } from "../../src/config/config.ts";
import type { AlertInput } from "../../src/config/define-config.ts";
import { readConfig } from "../../src/config/load.ts";
import { ACME, faultsOf as faults } from "./parsed.ts";

const withAlerts = (alerts: unknown, more: object = {}) => ({
  title: "t",
  gateways: [ACME],
  alerts,
  ...more,
});

/** The type of the argument is what editors show: all that is accepted here can be written there. */
export function channelsOf(...alerts: readonly AlertInput[]): readonly ChannelConfig[] {
  return readConfig(withAlerts(alerts)).alerts;
}

export const faultsOf = (...alerts: readonly unknown[]) => faults(withAlerts(alerts));
export const faultsWith = (alerts: readonly unknown[], more: object) => faults(withAlerts(alerts, more));

/** One of each kind, with the least that it needs. */
export const LEAST = {
  webhook: { kind: "webhook", url: "ALERT_URL", secret: "ALERT_SECRET" },
  slack: { kind: "slack", url: "SLACK_URL" },
  discord: { kind: "discord", url: "DISCORD_URL" },
  teams: { kind: "teams", url: "TEAMS_URL" },
  pagerduty: { kind: "pagerduty", routingKey: "PAGERDUTY_KEY" },
  alertmanager: { kind: "alertmanager", url: "ALERTMANAGER_URL" },
  telegram: { kind: "telegram", token: "TELEGRAM_TOKEN", chat: "@channel" },
  ntfy: { kind: "ntfy", url: "NTFY_URL" },
  email: { kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] },
} as const satisfies Readonly<Record<ChannelConfig["kind"], AlertInput>>;
