/** One gateway has failed since the second hour, another for five minutes. */
import type { Config } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { webhook } from "./admin-world.ts";
import { START } from "./ledger-harness.ts";

export const SETTINGS: Config = config([gateway("g0"), gateway("g1"), gateway("g2")], {
  alerts: [webhook("ops"), webhook("night")],
  maxProbesPerTick: 500,
});

/** `g0` fails from the second hour on. `g1` was down for five minutes, so that a resolved incident is stored. */
export function shaky(monitorId: string, tickMs: number): Partial<ProbeOutcome> {
  const minute = (tickMs - START) / 60_000;
  const fails =
    monitorId === "g0/models" ? minute >= 60 : monitorId === "g1/models" && minute >= 5 && minute < 10;
  return fails ? { diagnosis: diagnosis("upstream_unavailable", "down", { httpStatus: 503 }) } : {};
}
