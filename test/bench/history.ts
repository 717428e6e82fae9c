/** Histories as the real Ledger publishes them, made in virtual time that ends now. */
import { snapshotKey } from "../../src/history/keys.ts";
import { type SnapshotMetadata, snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import type { Weather } from "./play.ts";
import { type BenchRuntime, configOf, play, withRuntime } from "./runtime.ts";

/** The snapshot as KV holds it, and by their keys the segments. */
export interface Published {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: SnapshotMetadata;
  readonly segments: ReadonlyMap<string, ArrayBuffer>;
}

/** As if its last tick were in some minutes: other days are played before it is served, and it must not grow stale meanwhile. */
export function freshMetadata({ metadata }: Published): SnapshotMetadata {
  const nowMs = Date.now();
  return { ...metadata, generatedMs: nowMs, lastTickMs: nowMs + 6 * MINUTE_MS };
}

export interface Histories {
  /** Of monitors; three in ten are in trouble now and then. */
  readonly troubled: Published;
  readonly good: Published;
  /** One monitor in ten is in trouble now, and always was. */
  readonly tenth: Published;
  readonly longest: Published;
}

export async function makeHistories(monitors: number): Promise<Histories> {
  return {
    troubled: await makeHistory(monitors),
    good: await makeHistory(monitors, "calm"),
    tenth: await makeHistory(monitors, "tenth"),
    longest: await makeHistory(monitors, "longest"),
  };
}

/** So many are shown. */
const DAYS = 90;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** 90 days up to now: ticks are rare long ago, and frequent on the last day. */
export async function makeHistory(monitors: number, weather: Weather = "mixed"): Promise<Published> {
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const worker = { entry: "ledger-entry.ts", config: configOf(monitors, "5m") };
  return withRuntime(worker, async (runtime) => {
    const playFrom = async (fromDays: number, stepMs: number, untilMs: number): Promise<void> => {
      const fromMs = nowMs - fromDays * DAY_MS;
      const ticks = Math.floor((untilMs - fromMs) / stepMs);
      await play(runtime, { weather, fromMs, stepMs, ticks });
    };
    process.stderr.write(`  ${DAYS} days of ${monitors} monitors, ${weather} …\n`);
    await playFrom(DAYS, DAY_MS, nowMs - 7 * DAY_MS);
    await playFrom(7, DAY_MS / 3, nowMs - DAY_MS);
    await playFrom(1, HOUR_MS, nowMs - 3 * HOUR_MS);
    await playFrom(3 / 24, 5 * MINUTE_MS, nowMs);
    return readPublishedOf(runtime);
  });
}

/** What the runtime's Ledger published last. */
export async function readPublishedOf({ miniflare }: BenchRuntime): Promise<Published> {
  const kv = await miniflare.getKVNamespace("KV");
  const { value, metadata } = await kv.getWithMetadata(snapshotKey(0), "arrayBuffer");
  if (value === null) throw new Error("the Ledger published nothing");
  const segments = new Map<string, ArrayBuffer>();
  for (const { name } of (await kv.list()).keys) {
    const segment = await kv.get(name, "arrayBuffer");
    if (name !== snapshotKey(0) && segment !== null) segments.set(name, segment);
  }
  return { bytes: new Uint8Array(value), metadata: snapshotMetadataSchema().parse(metadata), segments };
}
