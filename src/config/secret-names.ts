/** Which secrets a configuration names, for those who must set them. Pure. */
import type { ChannelConfig } from "./channels.ts";
import type { Config, GatewayConfig } from "./config.ts";

/** Each once: of the gateways and their canaries, of the alerts, of the heartbeat. */
export function secretNames({ gateways, alerts, heartbeat }: Config): readonly string[] {
  const names = [
    ...gatewaySecrets(gateways),
    ...alerts.flatMap(channelSecrets),
    ...(heartbeat === null ? [] : [heartbeat]),
  ];
  return [...new Set(names)];
}

/** The keys that gateways are sent, those of their canaries too, each once. */
export function gatewaySecrets(gateways: readonly GatewayConfig[]): readonly string[] {
  const names = gateways.flatMap(({ apiKey, monitors }) => [
    apiKey,
    ...monitors.flatMap(({ canary }) => canary?.apiKey ?? []),
  ]);
  return [...new Set(names)];
}

export function channelSecrets(channel: ChannelConfig): readonly string[] {
  switch (channel.kind) {
    case "webhook":
      return [channel.urlSecret, ...channel.signingSecrets];
    case "slack":
    case "discord":
    case "teams":
      return [channel.urlSecret];
    case "pagerduty":
      return [channel.routingKeySecret];
    case "alertmanager":
    case "ntfy":
      return channel.tokenSecret === null ? [channel.urlSecret] : [channel.urlSecret, channel.tokenSecret];
    case "telegram":
      return [channel.tokenSecret];
    case "email":
      return [];
  }
}
