import type { AppContext } from "./deps.ts";
export declare function statusRoute(context: AppContext): Promise<Response>;
