/** How old what a shard published may be before its ticks have stopped. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { SILENT_TICKS } from "../domain/silence.ts";
import type { SnapshotMetadata } from "./snapshot.ts";

/** What is known of them. */
export type Ticks = Pick<SnapshotMetadata, "lastTickMs" | "tickMs" | "generatedMs">;

/** Publishing, KV and caches may take this long together without any fault. */
const PATIENCE_MS = 4 * MINUTE_MS;

/** Milliseconds since the last tick, or since the publication where there was no tick. */
export function ageMs(metadata: Ticks, nowMs: number): number {
  return nowMs - (metadata.lastTickMs ?? metadata.generatedMs);
}

/** Beyond this age the ticks have stopped. */
export function longestAgeMs(metadata: Ticks): number {
  return SILENT_TICKS * metadata.tickMs + PATIENCE_MS;
}

/** Also where the last tick is far ahead: the clock that told it was wrong, and nothing says when it really was. */
export function isStale(metadata: Ticks, nowMs: number): boolean {
  return Math.abs(ageMs(metadata, nowMs)) > longestAgeMs(metadata);
}
