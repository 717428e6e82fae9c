/** The configuration as the code uses it: parsed, complete, in milliseconds. Types alone. */
import type { HappeningType } from "../domain/incident.ts";
import type { MaintenanceWindow } from "../domain/schedule.ts";
import type { Cause, Owner } from "../protocol/diagnosis.ts";
import type { Evidence, ExpectedMember, Pointers } from "../protocol/observation.ts";
import type { normaliseChannel } from "./channel-schema.ts";

/** Null: no filter. An event passes a filter by what it does not have (the monitoring itself has no gateway). */
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
  /** The other ones of the configuration. A gateway in neither list has left it: only the ends of its incidents are still sent. */
  readonly others: readonly string[];
}

/** As `normaliseChannel` reads it: `id` is unique and names it in the admin API; secrets are given by their names. */
export type ChannelConfig = Readonly<ReturnType<typeof normaliseChannel>>;
type ChannelOf<Kind extends string> = Extract<ChannelConfig, { readonly kind: Kind }>;
export type WebhookChannel = ChannelOf<"webhook">;
export type ChatChannel = ChannelOf<"slack" | "discord" | "teams">;
export type PagerDutyChannel = ChannelOf<"pagerduty">;
export type AlertmanagerChannel = ChannelOf<"alertmanager">;
export type TelegramChannel = ChannelOf<"telegram">;
export type NtfyChannel = ChannelOf<"ntfy">;
export type EmailChannel = ChannelOf<"email">;

/** Those that prove more than a list does: generations of each kind, and read-only looks at a console or at anything else. */
export const CANARY_KINDS = ["chat", "messages", "embeddings", "image", "video", "console", "http"] as const;
export type CanaryKind = (typeof CANARY_KINDS)[number];

export const MONITOR_KINDS = ["models", ...CANARY_KINDS] as const;
/** What one monitor probes. */
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** The request of a canary, as it is sent below the gateway's base URL. */
export interface CanaryRequest {
  readonly method: "GET" | "POST";
  /** Begins with a slash; `{model}` is filled in already. */
  readonly path: string;
  /** Names in lower case; in values `{key}` stands for the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null: none. */
  readonly body: string | null;
}

/** How a task that the request may create is asked about. */
export interface CanaryTask {
  /** As `CanaryRequest.path`; `{id}` stands for the task's id. */
  readonly path: string;
  readonly deadlineMs: number;
}

/** In millionths of the currency: of a request, and of a million tokens each. */
export interface Prices {
  /** As people write it, like `USD`. */
  readonly currency: string;
  readonly requestMicros: number;
  readonly inputMicros: number;
  readonly outputMicros: number;
}

/** What makes a monitor a canary. */
export interface CanaryConfig {
  readonly kind: CanaryKind;
  readonly request: CanaryRequest;
  /** The name of the secret that holds the key that is sent: the gateway's, unless it has one of its own. */
  readonly apiKey: string;
  /** Another key than the gateway's: what the gateway's is refused says nothing of it. */
  readonly hasOwnKey: boolean;
  readonly evidence: Evidence;
  readonly isStreamed: boolean;
  readonly pointers: Pointers;
  readonly expect: readonly ExpectedMember[];
  /** It costs money, or may: it is sent once, counted, and not asked for nothing. */
  readonly isGeneration: boolean;
  /** Null: what it asks for is never a task. */
  readonly task: CanaryTask | null;
  /** For headers and body together, of one request. */
  readonly timeoutMs: number;
  /** Whether an answer of 429, 502, 503 or 504 that allows it is followed by another try. */
  readonly retry: boolean;
  /** Requests that may leave on a day of the configured zone; null: no limit. */
  readonly perDay: number | null;
  readonly prices: Prices | null;
  /** A balance below it is `balance_low`; null: no limit. */
  readonly warnBelow: number | null;
}

/** What pages and the feed can be read in: each has a catalogue in `src/http/pages/i18n/`. */
export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface MonitorConfig {
  /** `<gateway>/<monitor>`; names the monitor everywhere. */
  readonly id: string;
  readonly gatewayId: string;
  readonly kind: MonitorKind;
  readonly model: string | null;
  /** Null: it is no canary. */
  readonly canary: CanaryConfig | null;
  readonly everyMs: number;
  /** Model ids that the list must hold; of a canary none. */
  readonly expect: readonly string[];
  /** An `ok` answer slower than this is `slow`; null: no limit. */
  readonly slowerThanMs: number | null;
  /** Failed probes in a row that open an incident, and good ones that close it. */
  readonly open: number;
  readonly close: number;
  /** How often a reminder of an open incident is sent; null: never. */
  readonly remindEveryMs: number | null;
  /** More changes of state an hour than this are one flapping incident; null: they never are. */
  readonly flapping: number | null;
  /** Full ids that this monitor had before, in no order: it carries their history on. */
  readonly formerly: readonly string[];
}

/** Where a vantage point can be: the platform's location hints. */
export const REGIONS = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "apac-ne",
  "apac-se",
  "oc",
  "afr",
  "me",
] as const;
export type Region = (typeof REGIONS)[number];

export interface GatewayConfig {
  readonly id: string;
  readonly name: string;
  /** Without a trailing slash, `/v1`, user info, query or fragment. */
  readonly baseUrl: string;
  /** The name of the secret that holds the API key. */
  readonly apiKey: string;
  /** Publish the host name? */
  readonly showEndpoint: boolean;
  /** `health`: the public sees no cause, message or report. */
  readonly publish: "causes" | "health";
  /** The vantage points that ask for its list of models; none: the Worker does, wherever it runs. */
  readonly regions: readonly Region[];
  readonly monitors: readonly MonitorConfig[];
}

/** What the account carries; it bounds the probes of a tick and the writes of a day. */
export type Plan = "free" | "paid";

export interface Config {
  readonly title: string;
  /** What readers must know before all else, such as that the data are simulated; null: nothing. */
  readonly notice: string | null;
  /** The public address, without a trailing slash, for links; null: links are relative. */
  readonly url: string | null;
  /** Of pages where the reader asks for none, and of the feed. */
  readonly language: Language;
  /** An IANA time zone. */
  readonly timeZone: string;
  readonly plan: Plan;
  /** Parts that share the work, each with a Ledger and a snapshot of its own; 1: there is nothing to share. */
  readonly shards: number;
  /** Invocations that share a tick of a shard where one is not enough. */
  readonly lanes: number;
  /** At most this many monitors are probed in one lane of a tick. */
  readonly maxProbesPerTick: number;
  readonly gateways: readonly GatewayConfig[];
  readonly alerts: readonly ChannelConfig[];
  /** The name of the secret that holds the address to call after each good tick; null: none is called. */
  readonly heartbeat: string | null;
  readonly maintenance: readonly MaintenanceWindow[];
}
