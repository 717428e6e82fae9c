/** The configuration as the code uses it: parsed, complete, in milliseconds. Types alone. */
import type { canaryConfig } from "./canary-config.ts";
import type { normaliseChannel, otlpChannel, pushChannel } from "./channel-schema.ts";
import type { Constant } from "./define-config.ts";
import type { normalise, normaliseGateway } from "./load.ts";

/** An event passes a filter by what it does not have (the monitoring itself has no gateway). */
export type ChannelFilter = ChannelConfig["only"];
export type GatewayFilter = NonNullable<ChannelFilter["gateways"]>;

/** As `normaliseChannel` reads it: `id` is unique and names it in the admin API; secrets are given by their names. */
export type ChannelConfig = Constant<
  ReturnType<typeof normaliseChannel> | ReturnType<typeof otlpChannel> | ReturnType<typeof pushChannel>
>;
export type ChannelOf<Kind extends ChannelConfig["kind"]> = ChannelConfig & { readonly kind: Kind };

/** Those that prove more than a list does: generations of each kind, read-only looks at a console or at anything else, and audits. */
export const CANARY_KINDS = [
  "chat",
  "messages",
  "responses",
  "gemini",
  "embeddings",
  "image",
  "video",
  "console",
  "http",
  "audit",
] as const;
export type CanaryKind = (typeof CANARY_KINDS)[number];

/** Those by which a gateway serves a model. An audit only compares answers. */
export const PROTOCOLS = CANARY_KINDS.filter(
  (kind) => kind !== "console" && kind !== "http" && kind !== "audit",
);

export const MONITOR_KINDS = ["models", ...CANARY_KINDS] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

export type CanaryConfig = Constant<ReturnType<typeof canaryConfig>>;
export type CanaryRequest = CanaryConfig["request"];

/** What pages and the feed can be read in: another than English is a catalogue in `src/http/assets/`. */
export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

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

export type MonitorConfig = GatewayConfig["monitors"][number];
export type GatewayConfig = Constant<ReturnType<typeof normaliseGateway>>;
export type Config = Constant<ReturnType<typeof normalise>>;
/** What the account carries; it bounds the probes of a tick and the writes of a day. */
export type Plan = "free" | "paid";
