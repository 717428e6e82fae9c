/**
 * What a person writes in gatepulse.config.ts (or in a .json of the same shape). Types and their explanations for
 * editors; the rules behind them are in schema.ts and relations.ts.
 */

export interface ConfigInput {
  /** The heading of the status page. 1 to 120 characters. */
  title: string;
  /** A sentence for the top of the page that readers must know first. 1 to 300 characters. Default: none. */
  notice?: string | undefined;
  /** The public address of the status page, for links in alerts and feeds. Example: `"https://status.acme.example"`. */
  url?: string | undefined;
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
  /** Queues of invocations that share the work. Only 1 so far. */
  shards?: 1 | undefined;
  /** What is watched. Empty: nothing yet (`npm start` then shows the simulated gateway). */
  gateways: readonly GatewayInput[];
  /** Alert channels are not supported yet: leave it out or empty. */
  alerts?: readonly never[] | undefined;
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
  /** At least one. Default: the model listing, every minute. */
  monitors?: readonly MonitorInput[] | undefined;
}

export interface MonitorInput {
  /** `"models"`: the reference diagnostic, `GET /v1/models`. */
  kind: "models";
  /** 1 to 40 of `a-z`, `0-9` and `-`, unique within the gateway. Default: the kind. */
  id?: string | undefined;
  /** Whole minutes from `"1m"` to `"24h"`. Default `"1m"`. */
  every?: string | undefined;
  /** Model ids that the list must hold; without one of them the gateway is degraded. */
  expect?: readonly string[] | undefined;
  /** A good answer that took longer is `slow`. From `"1ms"` to `"24h"`; default: no limit. Example: `"5s"`. */
  slowerThan?: string | undefined;
  /** Overrides the configuration's `open` for this monitor. */
  open?: number | undefined;
  /** Overrides the configuration's `close` for this monitor. */
  close?: number | undefined;
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
