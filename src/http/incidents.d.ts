import type { PublishedIncident } from "../history/documents.ts";
import type { Read } from "../history/reader.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { type Published } from "./published.ts";
export declare function incidentsRoute(context: AppContext): Promise<Response>;
export declare function incidentRoute(context: AppContext): Promise<Response>;
export declare const NO_INCIDENT: import("./problem.ts").Problem;
export interface FoundIncident {
    readonly published: Published;
    /** As the public may see it, but with its full reports; null: there is none. */
    readonly incident: PublishedIncident | null;
}
export declare function readIncident(deps: AppDeps, id: string): Promise<Read<FoundIncident>>;
