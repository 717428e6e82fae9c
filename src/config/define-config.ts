/**
 * What you write in gatepulse.config.ts (or in a .json of the same shape): types and their explanations for editors. Those of
 * monitors are in monitor-input.ts; the rules are in schema.ts, canary-schema.ts, channel-schema.ts and relations.ts.
 */
import type { HappeningType } from "../domain/incident.ts";
import type { Cause, Owner } from "../protocol/diagnosis.ts";
import type { Language, Region } from "./config.ts";
import type { MonitorInput } from "./monitor-input.ts";

export interface ConfigInput {
  /** The heading of the status page. 1 to 120 characters. */
  title: string;
  /** A sentence for the top of the page that readers must know first. 1 to 300 characters. Default: none. */
  notice?: string | undefined;
  /** The public address of the status page, for links in alerts and feeds. Example: `"https://status.acme.example"`. */
  url?: string | undefined;
  /** In which language pages are where the reader's browser asks for none of ours, and the feed. Default `"en"`. */
  language?: Language | undefined;
  /** An IANA time zone: days on the page begin in it, and reports bear its offset. Default `"UTC"`. */
  timeZone?: string | undefined;
  /** The Cloudflare plan of the account; it decides the default of `maxProbesPerTick`. Default `"free"`. */
  plan?: "free" | "paid" | undefined;
  /** At most this many monitors are probed in one tick. Default 20 on `free`, 200 on `paid`. */
  maxProbesPerTick?: number | undefined;
  /** Failed probes in a row that open an incident, 1 to 100. Default 2. */
  open?: number | undefined;
  /** Good probes in a row that close an incident, 1 to 100. Default 2. */
  close?: number | undefined;
  /**
   * Parts that share the gateways, each with an invocation, a Ledger and a snapshot of its own: 1 to 100, on the free plan 1
   * or 2. More than 1 need a queue, see docs/scale.md. Default 1.
   */
  shards?: number | undefined;
  /** What is watched. Empty: nothing yet (`npm start` then shows the simulated gateway). */
  gateways: readonly GatewayInput[];
  /** How often an open incident is told of again, `"5m"` to `"24h"`; false: never. Default false. */
  remindEvery?: string | false | undefined;
  /** More changes of state an hour than this become one flapping incident, 1 to 60; false: never. Default 4. */
  flapping?: number | false | undefined;
  /**
   * The name of a secret that holds the address of a dead-man service, called after each good tick.
   * Default: none. Example: `"HEARTBEAT_URL"`.
   */
  heartbeat?: string | undefined;
  /** Who is told, by at most 40 channels. Default: nobody. Addresses and keys are named here and set like API keys. */
  alerts?: readonly AlertInput[] | undefined;
  /** Planned work: samples inside a window do not count towards uptime. */
  maintenance?: readonly MaintenanceInput[] | undefined;
}

export interface GatewayInput {
  /** 1 to 40 of `a-z`, `0-9` and `-`; it is in addresses and in history, so keep it. */
  id: string;
  /** What the page calls it. Default: the id. */
  name?: string | undefined;
  /**
   * The base address without `/v1`. A path is allowed; user info, a query or a fragment is not. Plain `http:` only to
   * this machine or a private network. Example: `"https://api.acme.example"`.
   */
  baseUrl: string;
  /** The name of the secret that holds the API key, never the key. Example: `"ACME_API_KEY"`. */
  apiKey: string;
  /** Publish the host name? Default false: reports say `$GATEWAY_BASE_URL`. */
  showEndpoint?: boolean | undefined;
  /** `"health"`: the public sees no cause, message or report. Default `"causes"`. */
  publish?: "causes" | "health" | undefined;
  /** Allow plain `http:` to a public host. The key then travels unencrypted. Default false. */
  insecureHttp?: boolean | undefined;
  /** This gateway's model ids do carry a vendor prefix (`openai/gpt-4o`). Default false. */
  vendorPrefix?: boolean | undefined;
  /**
   * Where its list of models is asked for, each once: Cloudflare's location hints. Three or more tell best: it fails where
   * more than half say so. Default: wherever the Worker runs. Example: `["weur", "apac", "enam"]`.
   */
  regions?: readonly Region[] | undefined;
  /** At least one. Default: the model listing, every minute; if you list others, name it too. */
  monitors?: readonly MonitorInput[] | undefined;
}

/** Each field holds the name of a secret where it says so, and never the secret. */
export type AlertInput =
  | WebhookInput
  | ChatInput
  | PagerDutyInput
  | AlertmanagerInput
  | TelegramInput
  | NtfyInput
  | EmailInput;

interface AnyAlertInput {
  /** 1 to 40 of `a-z`, `0-9` and `-`, unique among the alerts. Default: the kind. */
  id?: string | undefined;
  /** Tell of these alone. Default: of everything. */
  only?: FilterInput | undefined;
}

/** An event must pass each list that is there; what it does not have, such as an owner, holds it back nowhere. */
export interface FilterInput {
  /** Whose turn it is, or was. `["caller"]`: what the owner of the API key must fix. */
  owner?: readonly Owner[] | undefined;
  /** Causes that the incident has, or had. Example: `["insufficient_balance", "quota_exceeded"]`. */
  cause?: readonly Cause[] | undefined;
  /** Ids of gateways. */
  gateway?: readonly string[] | undefined;
  /** What happened. A test passes in any case. */
  event?: readonly HappeningType[] | undefined;
}

/** JSON, signed as Standard Webhooks ask. */
interface WebhookInput extends AnyAlertInput {
  kind: "webhook";
  /** The name of the secret that holds the receiver's address. Example: `"ALERT_URL"`. */
  url: string;
  /**
   * The name of the secret that holds the signing secret, `whsec_…`; a list while it is rotated.
   * Example: `["NEW_SECRET", "OLD_SECRET"]`.
   */
  secret: string | readonly string[];
}

interface ChatInput extends AnyAlertInput {
  kind: "slack" | "discord" | "teams";
  /** The name of the secret that holds the address of the incoming webhook. Example: `"SLACK_URL"`. */
  url: string;
}

interface PagerDutyInput extends AnyAlertInput {
  kind: "pagerduty";
  /** The name of the secret that holds the integration's routing key (Events API v2). Example: `"PAGERDUTY_KEY"`. */
  routingKey: string;
  /** Default `"https://events.pagerduty.com"`; in the EU `"https://events.eu.pagerduty.com"`. */
  endpoint?: string | undefined;
}

interface AlertmanagerInput extends AnyAlertInput {
  kind: "alertmanager";
  /** The name of the secret that holds its base address, before `/api/v2/alerts`. Example: `"ALERTMANAGER_URL"`. */
  url: string;
  /** The name of the secret that holds a bearer token. Default: none is sent. */
  token?: string | undefined;
}

interface TelegramInput extends AnyAlertInput {
  kind: "telegram";
  /** The name of the secret that holds the bot's token. Example: `"TELEGRAM_TOKEN"`. */
  token: string;
  /** The chat's number, or the name of a public one. Examples: `"-1001234567890"`, `"@channel"`. */
  chat: string;
  /** Default `"https://api.telegram.org"`. */
  endpoint?: string | undefined;
}

interface NtfyInput extends AnyAlertInput {
  kind: "ntfy";
  /** The name of the secret that holds the topic's address, like `https://ntfy.sh/<topic>`. Example: `"NTFY_URL"`. */
  url: string;
  /** The name of the secret that holds an access token. Default: none is sent. */
  token?: string | undefined;
}

/** Mail by the platform; it needs a `send_email` binding in wrangler.toml. */
interface EmailInput extends AnyAlertInput {
  kind: "email";
  /** Of a domain that the account may send from. */
  from: string;
  /** 1 to 50 addresses. */
  to: readonly string[];
  /** The name of the binding. Default `"EMAIL"`. */
  binding?: string | undefined;
}

export interface MaintenanceInput {
  /** Ids of the gateways that are worked on. Default: all. */
  gateways?: readonly string[] | undefined;
  /** RFC 3339 with an offset. Example: `"2026-12-01T02:00:00Z"`. */
  from: string;
  /** After `from`. */
  to: string;
  /** 1 to 120 characters. Default `"Planned maintenance"`. */
  title?: string | undefined;
}

/** Gives an editor the types; the value passes through unchanged and is judged by `gatepulse check`. */
export function defineConfig(input: ConfigInput): ConfigInput {
  return input;
}
