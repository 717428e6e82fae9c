/**
 * The configuration after its faults were refused and its defaults filled in. Pure data; it names secrets and
 * holds none.
 */
import type { MaintenanceWindow } from "../domain/maintenance.ts";
import type { ChannelConfig } from "./channels.ts";

export const MONITOR_KINDS = ["models"] as const;
/** What one monitor probes; the kinds that generate something come with their own probes. */
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** What pages and the feed can be read in: each has a catalogue in `src/http/pages/words/`. */
export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface MonitorConfig {
  /** `<gateway>/<monitor>`; names the monitor everywhere. */
  readonly id: string;
  readonly gatewayId: string;
  readonly kind: MonitorKind;
  readonly model: string | null;
  readonly everyMs: number;
  /** Model ids that the list must hold. */
  readonly expect: readonly string[];
  /** An `ok` answer slower than this is `slow`; null: no limit. */
  readonly slowerThanMs: number | null;
  /** Failed probes in a row that open an incident, and good ones that close it. */
  readonly open: number;
  readonly close: number;
  /** How often an open incident is told of again; null: never. */
  readonly remindEveryMs: number | null;
  /** More changes of state an hour than this are one flapping incident; null: they never are. */
  readonly flapping: number | null;
  /** Full ids that this monitor had before, in no order: it carries their history on. */
  readonly formerly: readonly string[];
}

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
  /** At most this many monitors are probed in one tick. */
  readonly maxProbesPerTick: number;
  readonly gateways: readonly GatewayConfig[];
  readonly alerts: readonly ChannelConfig[];
  /** The name of the secret that holds the address to call after each good tick; null: none is called. */
  readonly heartbeat: string | null;
  readonly maintenance: readonly MaintenanceWindow[];
}
