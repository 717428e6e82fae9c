import type { AppContext } from "./deps.ts";
export declare function healthRoute(context: AppContext): Promise<Response>;
