import type { AppContext } from "./deps.ts";
export declare function monitorRoute(context: AppContext): Promise<Response>;
export declare function historyRoute(context: AppContext): Promise<Response>;
