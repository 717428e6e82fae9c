/** What the application is given with each request. It reads only KV and static files; no public request ever reaches the Ledger. */
import type { Context } from "hono";
import type { Config, GatewayConfig } from "../config/config.ts";
import type { AdminAnswer, AdminRequest } from "../domain/tick.ts";
import type { KvReader } from "../history/reader.ts";
import type { SnapshotMemory } from "./published.ts";

/** What readers may know of the configuration. */
export interface SiteConfig extends Pick<Config, "title" | "notice" | "language" | "theme" | "url"> {
  readonly gateways: readonly Pick<GatewayConfig, "id" | "name">[];
}

export interface AppDeps {
  readonly config: SiteConfig;
  readonly kv: KvReader;
  /** Of this isolate. */
  readonly memory: SnapshotMemory;
  /** Unix time in milliseconds. */
  now(): number;
  /** The secret `ADMIN_TOKEN`; null when it is not set. */
  readonly adminToken: string | null;
  /** Whether that client may try another token; null: nobody counts, so nobody logs in. */
  readonly mayLogIn: ((client: string) => Promise<boolean>) | null;
  /** The secret `VIEW_TOKEN`, fit or not; null when it is not set, and everyone may look. */
  readonly viewToken: string | null;
  /** How many there are: what each of them published is put together. */
  readonly shards: number;
  /** This program's. */
  readonly version: string;
  /** Reads a static file of `assets/`, by its name. */
  asset(name: string): Promise<Response>;
  /** Asks the Ledger; for administrators alone. */
  administer(request: AdminRequest): Promise<AdminAnswer>;
}

/** What pages are made with, beside what they show. */
export type PageDeps = Pick<AppDeps, "asset" | "config">;

export interface AppEnv {
  Bindings: AppDeps;
}
export type AppContext = Context<AppEnv>;
export type Route = (context: AppContext) => Promise<Response> | Response;

/** @throws when the deployment has no static files: `[assets]` is missing in its `wrangler.toml`. */
export async function readStaticFile(deps: Pick<AppDeps, "asset">, name: string): Promise<string> {
  const response = await deps.asset(name);
  if (!response.ok) throw new Error(`${name} is not among the static files: ${response.status}`);
  return response.text();
}
