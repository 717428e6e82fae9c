/** Histories as the real Ledger publishes them, made in virtual time that ends now. */
import { ledgerName } from "../../src/ledger/rpc.ts";
import type { Miniflare } from "miniflare";
import { segmentKey, snapshotKey } from "../../src/history/keys.ts";
import { type SnapshotMetadata, snapshotMetadataSchema, unpackTail } from "../../src/history/snapshot.ts";
import type { Play, Played, Weather } from "./play.ts";
import { type BenchRuntime, configOf, withRuntime } from "./runtime.ts";

/** The snapshot as KV holds it, and by their keys the segments that it names. */
export interface Published {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: SnapshotMetadata;
  readonly segments: ReadonlyMap<string, ArrayBuffer>;
}

/** As if its last tick were in some minutes: other days are played before it is served, and it must not grow stale meanwhile. */
export function freshMetadata({ metadata }: Published): SnapshotMetadata {
  return { ...metadata, lastTickMs: Date.now() + 6 * MINUTE_MS };
}

export interface Histories {
  /** Of monitors of which three in ten are in trouble now and then. */
  readonly byDays: ReadonlyMap<number, Published>;
  /** Of 90 days, like the next two. */
  readonly troubled: Published;
  readonly good: Published;
  /** One monitor in ten is in trouble now, and always was. */
  readonly tenth: Published;
  readonly longest: Published;
}

export async function makeHistories(monitors: number): Promise<Histories> {
  const troubled = await makeHistory(monitors);
  const byDays = new Map([
    [1, await makeHistory(monitors, 1)],
    [30, await makeHistory(monitors, 30)],
    [90, troubled],
    [730, await makeHistory(monitors, 730)],
  ]);
  const good = await makeHistory(monitors, 90, "calm");
  const tenth = await makeHistory(monitors, 90, "tenth");
  return { byDays, troubled, good, tenth, longest: await makeHistory(monitors, 90, "longest") };
}

const FULL_DAYS = 90;
/** A Ledger keeps their roll-ups for 93. */
const SHOWN_DAYS = 94;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 86_400_000;

/**
 * So many days up to now: ticks are rare long ago, and frequent on the last day. Days are shown for 90 days; of the months
 * before them each has some ticks.
 */
export async function makeHistory(
  monitors: number,
  days = FULL_DAYS,
  weather: Weather = "mixed",
): Promise<Published> {
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const worker = { entry: "ledger-entry.ts", config: configOf(monitors, "5m") };
  return withRuntime(worker, async (runtime) => {
    const play = async (fromDays: number, stepMs: number, untilMs: number): Promise<void> => {
      const fromMs = nowMs - Math.min(days, fromDays) * DAY_MS;
      const ticks = Math.floor((untilMs - fromMs) / stepMs);
      const order = { ledger: ledgerName(0), weather, fromMs, stepMs, ticks } satisfies Play;
      if (ticks > 0) await runtime.post<Played>("/", order);
    };
    process.stderr.write(`  ${days} days of ${monitors} monitors, ${weather} …\n`);
    await play(days, 5 * DAY_MS, nowMs - SHOWN_DAYS * DAY_MS);
    await play(SHOWN_DAYS, DAY_MS, nowMs - 7 * DAY_MS);
    await play(7, DAY_MS / 3, nowMs - DAY_MS);
    await play(1, HOUR_MS, nowMs - 3 * HOUR_MS);
    await play(3 / 24, 5 * MINUTE_MS, nowMs);
    return readPublishedOf(runtime);
  });
}

/** What the runtime's Ledger published last. */
export async function readPublishedOf({ miniflare }: BenchRuntime): Promise<Published> {
  const kv = await miniflare.getKVNamespace("KV");
  const { value, metadata } = await kv.getWithMetadata(snapshotKey(0), "arrayBuffer");
  if (value === null) throw new Error("the Ledger published nothing");
  const bytes = new Uint8Array(value);
  const parsed = snapshotMetadataSchema.parse(metadata);
  return { bytes, metadata: parsed, segments: await segmentsOf(kv, bytes, parsed) };
}

async function segmentsOf(
  kv: Awaited<ReturnType<Miniflare["getKVNamespace"]>>,
  bytes: Uint8Array<ArrayBuffer>,
  metadata: SnapshotMetadata,
): Promise<Published["segments"]> {
  const { segments } = await unpackTail({ bytes, metadata });
  const found = new Map<string, ArrayBuffer>();
  for (const kind of ["hour", "day", "month"] as const) {
    for (const period of segments[kind]) {
      const key = segmentKey(0, kind, period);
      const value = await kv.get(key, "arrayBuffer");
      if (value !== null) found.set(key, value);
    }
  }
  return found;
}
