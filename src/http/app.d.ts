/**
 * Everything the public reads, from KV alone. Every route knows GET, HEAD and OPTIONS; another method is 405.
 */
import { Hono } from "hono/tiny";
import type { AppDeps, AppEnv } from "./deps.ts";
export type { AppDeps } from "./deps.ts";
export declare function createApp(): Hono<AppEnv>;
/** What the Worker calls. */
export declare function handleRequest(request: Request, deps: AppDeps): Promise<Response>;
