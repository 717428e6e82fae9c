/**
 * Alert channels after their faults were refused. Fields that name secrets end in `Secret` (see `channelSecrets`); the
 * values are read where a message is sent. Pure data.
 */
import type { HappeningType } from "../domain/event-types.ts";
import type { Cause, Owner } from "../protocol/diagnosis.ts";

/** Null: whatever it is. What an event does not have (the monitoring itself has no gateway) no filter holds back. */
export interface ChannelFilter {
  readonly owners: readonly Owner[] | null;
  readonly causes: readonly Cause[] | null;
  readonly gateways: GatewayFilter | null;
  /** A test has no filter to pass: it goes where a person sends it. */
  readonly events: readonly HappeningType[] | null;
}

/** By id; with each gateway go the ids of gateways that are gone and whose monitors it carries on. */
export interface GatewayFilter {
  readonly named: readonly string[];
  /** The other ones of the configuration. Who is in neither has left it: nothing but ends can be told of it. */
  readonly others: readonly string[];
}

interface AnyChannel {
  /** Unique; names the channel in the admin API. Default: the kind. */
  readonly id: string;
  readonly only: ChannelFilter;
}

export interface WebhookChannel extends AnyChannel {
  readonly kind: "webhook";
  readonly urlSecret: string;
  /** Each holds `whsec_…`; several while one is rotated. */
  readonly signingSecrets: readonly string[];
}

/** The secret holds the address of the incoming webhook. */
export interface ChatChannel extends AnyChannel {
  readonly kind: "slack" | "discord" | "teams";
  readonly urlSecret: string;
}

export interface PagerDutyChannel extends AnyChannel {
  readonly kind: "pagerduty";
  readonly routingKeySecret: string;
  /** Without a trailing slash. Default `https://events.pagerduty.com`. */
  readonly endpoint: string;
}

export interface AlertmanagerChannel extends AnyChannel {
  readonly kind: "alertmanager";
  /** The secret holds the base address, to which `/api/v2/alerts` is added. */
  readonly urlSecret: string;
  /** The secret holds a bearer token; null: none is sent. */
  readonly tokenSecret: string | null;
}

export interface TelegramChannel extends AnyChannel {
  readonly kind: "telegram";
  /** The bot's token. */
  readonly tokenSecret: string;
  /** `chat_id`: a number, or `@channel`. */
  readonly chat: string;
  /** Without a trailing slash. Default `https://api.telegram.org`. */
  readonly endpoint: string;
}

export interface NtfyChannel extends AnyChannel {
  readonly kind: "ntfy";
  /** The secret holds the topic's address, `https://ntfy.sh/<topic>`: who knows a topic can read it. */
  readonly urlSecret: string;
  readonly tokenSecret: string | null;
}

export interface EmailChannel extends AnyChannel {
  readonly kind: "email";
  readonly from: string;
  readonly to: readonly string[];
  /** The name of the `send_email` binding. Default `EMAIL`. */
  readonly binding: string;
}

export type ChannelConfig =
  | WebhookChannel
  | ChatChannel
  | PagerDutyChannel
  | AlertmanagerChannel
  | TelegramChannel
  | NtfyChannel
  | EmailChannel;
