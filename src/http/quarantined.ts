/** Stored records that no Ledger could read, of all shards together. Pure. */
import type { StoredPublication } from "./publication.ts";

export function quarantinedIn({ parts }: Pick<StoredPublication, "parts">): number {
  return parts.reduce((sum, { snapshot }) => sum + snapshot.metadata.quarantined, 0);
}
