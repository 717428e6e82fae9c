/**
 * Sanitized problem reports: for the public, and in full for who bears ADMIN_TOKEN.
 */
import type { ReportDocument } from "../history/documents.ts";
import type { Read } from "../history/reader.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import type { Published } from "./published.ts";
export declare function reportRoute(context: AppContext): Promise<Response>;
export declare const NO_REPORT: import("./problem.ts").Problem;
export interface FoundReport {
    readonly published: Published;
    readonly report: ReportDocument;
    readonly incidentId: string;
}
/** A report's id is its incident's with a number; null: there is none that may be shown. */
export declare function readReport(deps: AppDeps, id: string, inFull: boolean): Promise<Read<FoundReport | null>>;
