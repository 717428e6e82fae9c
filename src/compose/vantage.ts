/** What runs at a vantage point. */
import type { Clock } from "../probe/clock.ts";
import { VantagePoint } from "../probe/vantage-point.ts";
import type { Env } from "./env.ts";
import type { Standing } from "./standing.ts";
import { probeDeps, probePorts } from "./tick-ports.ts";

/** What a vantage point asks through; the platform's own leaves from where it runs. */
export type FetchFrom = (region: string) => typeof fetch;

export function vantagePoint(
  env: Env,
  standing: Standing,
  { clock, fetch: send }: { readonly clock: Clock; readonly fetch: typeof fetch },
): VantagePoint {
  const { probe } = probePorts(env, standing, probeDeps(clock, send));
  return new VantagePoint(probe, clock);
}
