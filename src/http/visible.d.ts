/**
 * What the public may see of stored records. They were published as the configuration was then; a gateway that now
 * publishes its health alone shows no cause of older days either. Pure.
 */
import type { PublishedIncident } from "../history/documents.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
export declare function visibleIncident(published: PublishedIncident, tail: SnapshotTail): PublishedIncident;
