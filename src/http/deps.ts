/**
 * What the application needs for each request. It reads KV and static files; no public request reaches the Ledger, but that of a
 * browser which subscribes.
 */
import type { Context } from "hono";
import type { Config, GatewayConfig } from "../config/config.ts";
import type { AdminAnswer, AdminRequest, SubscribeAnswer } from "../domain/tick.ts";
import type { Subscription } from "../domain/stored.ts";
import type { KvReader } from "../history/reader.ts";
import type { LedgerStore } from "../history/store.ts";
import type { SnapshotMemory } from "./published.ts";

/** The part of the configuration that readers may see. */
export interface SiteConfig extends Pick<
  Config,
  "title" | "notice" | "language" | "theme" | "url" | "parts" | "push"
> {
  readonly gateways: readonly Pick<GatewayConfig, "id" | "name" | "monitors">[];
}

export interface AppDeps {
  readonly config: SiteConfig;
  readonly kv: KvReader;
  readonly memory: SnapshotMemory;
  /** Unix time in milliseconds. */
  now(): number;
  /** The secret `ADMIN_TOKEN`; null when it is not set. */
  readonly adminToken: string | null;
  /** Whether the client may try another token, or to subscribe. Null: there is no rate limiter, so nobody can. */
  readonly mayTry: ((client: string) => Promise<boolean>) | null;
  /** The secret `VIEW_TOKEN`, usable or not. Null: it is not set, and the site is public. */
  readonly viewToken: string | null;
  readonly shards: number;
  readonly version: string;
  asset(name: string): Promise<Response>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
  /** @param isOn whether the browser subscribes, or unsubscribes. */
  subscribe(subscription: Subscription, isOn: boolean): Promise<SubscribeAnswer>;
  /** What is stored, whole. Only administrators may read and replace it. */
  readonly stores: StorePorts;
}

export interface StorePorts {
  readonly kv: Pick<KVNamespace, "list" | "getWithMetadata" | "put" | "delete">;
  /** How many shards there are: more than are configured, if there were more before. */
  readonly shards: () => Promise<number>;
  readonly ledger: (shard: number) => LedgerStore;
}

export type PageDeps = Pick<AppDeps, "asset" | "config">;

export interface AppEnv {
  Bindings: AppDeps;
}
export type AppContext = Context<AppEnv>;
export type Route = (context: AppContext) => Promise<Response> | Response;

/** Asks this very application. Who may read was decided before. */
export type OwnFetch = (request: Request, deps: AppDeps) => Promise<Response>;

/** An address. Without `get` or `post` it takes no such request; `all` answers whatever the method. */
export interface PartRoute {
  readonly path: string;
  readonly get?: Route;
  readonly post?: Route;
  readonly all?: Route;
}

/** Addresses that belong together. A deployment has them or not (`src/config/site-schema.ts`). */
export interface Part {
  readonly routes: (own: OwnFetch) => readonly PartRoute[];
}

/** @throws if the deployment has no static files: `[assets]` is missing in its `wrangler.toml`. */
export async function readStaticFile(deps: Pick<AppDeps, "asset">, name: string): Promise<string> {
  const response = await deps.asset(name);
  if (!response.ok) throw new Error(`${name} is not among the static files: ${response.status}`);
  return response.text();
}
