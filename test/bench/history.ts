/** Histories as the real Ledger publishes them, made in virtual time that ends now. */
import type { Play, Played, Weather } from "./play.ts";
import { configOf, startRuntime } from "./runtime.ts";

/** The snapshot as KV holds it. */
export interface Published {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: { readonly bytes: number };
}

export interface HistoryMaker {
  /** So many days up to now: ticks are rare long ago, and frequent on the last day. */
  make(days: number, weather: Weather): Promise<Published>;
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export async function startHistoryMaker(monitors: number): Promise<HistoryMaker> {
  const runtime = await startRuntime({
    entry: "ledger-entry.ts",
    config: configOf(monitors, "5m"),
    secrets: { GATEWAY_API_KEY: "key-of-the-bench" },
  });
  const kv = await runtime.miniflare.getKVNamespace("KV");
  return {
    make: async (days, weather) => {
      const ledger = `${days} ${weather}`;
      const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
      const play = async (fromMs: number, stepMs: number, untilMs: number): Promise<void> => {
        const ticks = Math.floor((untilMs - fromMs) / stepMs);
        if (ticks > 0)
          await runtime.post<Played>("/", { ledger, weather, fromMs, stepMs, ticks } satisfies Play);
      };
      const lastDayMs = nowMs - DAY_MS;
      await play(nowMs - days * DAY_MS, DAY_MS / 3, lastDayMs);
      await play(lastDayMs, 5 * MINUTE_MS, nowMs + 5 * MINUTE_MS);
      const { value, metadata } = await kv.getWithMetadata<Published["metadata"]>(
        "v1/0/snapshot",
        "arrayBuffer",
      );
      if (value === null || metadata === null) throw new Error("the Ledger published nothing");
      return { bytes: new Uint8Array(value), metadata };
    },
    stop: () => runtime.stop(),
  };
}
