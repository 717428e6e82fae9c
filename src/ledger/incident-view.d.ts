/**
 * An incident with its reports as they are published: for the public, and in full for the administrator. Pure.
 */
import type { Config } from "../config/config.ts";
import type { Incident } from "../domain/incident.ts";
import type { PublishedIncident } from "../history/documents.ts";
export interface PublishingContext {
    readonly config: Config;
    /** Name and version of what probes, for reports. */
    readonly client: string;
}
/** Of the first failure, and of the latest. */
export type ReportNumber = 1 | 2;
export declare function reportId(incidentId: string, number: ReportNumber): string;
export declare function publishedIncident(incident: Incident, context: PublishingContext): PublishedIncident;
