/**
 * The canaries of a tick: one errand after the other a gateway, three gateways at once, so that the lists keep half of the
 * connections. They begin when the quick lists have asked, and nothing of the lists waits for them.
 */
import type { CanaryAssignment, Errand } from "../domain/canary.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import { brokenOff } from "./canary-probe.ts";
import type { Clock } from "./clock.ts";
import { type Recorder, resultOf } from "./recorder.ts";
import { asksToWait, NOT_SENT } from "./retry-after-wait.ts";
import type { Leave, Traffic } from "./traffic.ts";

const GATEWAYS_AT_ONCE = 3;

export interface CanaryLanePorts {
  readonly clock: Clock;
  canary(errand: Errand, leave: Leave): Promise<Probed>;
  warn(what: string, error?: unknown): void;
}

interface CanaryLaneWorld {
  readonly traffic: Traffic;
  readonly recorder: Recorder;
  /** Gateways whose lists were asked to wait in this tick; it grows. */
  readonly held: ReadonlySet<string>;
}

export async function runCanaries(
  canaries: readonly CanaryAssignment[],
  world: CanaryLaneWorld,
  ports: CanaryLanePorts,
): Promise<void> {
  const waiting = [...canaries];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await runGateway(next, world, ports);
  };
  await Promise.all(Array.from({ length: GATEWAYS_AT_ONCE }, lane));
}

/** What one of them is told to wait holds the rest of them. */
async function runGateway(
  { gatewayId, errands }: CanaryAssignment,
  { traffic, recorder, held }: CanaryLaneWorld,
  ports: CanaryLanePorts,
): Promise<void> {
  let isHeld = false;
  for (const errand of errands) {
    const { monitorId } = errand;
    const probed = isHeld || held.has(gatewayId) ? NOT_SENT : await runErrand(errand, traffic, ports);
    if (probed.type === "not_sent_by_platform") {
      recorder.giveBack(monitorId);
      continue;
    }
    // That it is not reached is told of it alone: the lists tell of the monitoring's network.
    recorder.add(resultOf(monitorId, probed), null);
    isHeld ||= asksToWait(probed.outcome.diagnosis);
    // Whoever loses a task's id can never ask about it.
    if (errand.task === null && hasOpenTask(probed)) void recorder.send();
  }
  await recorder.send();
}

/** What left is told of even where the probe broke off: else it would be sent again. */
async function runErrand(errand: Errand, traffic: Traffic, ports: CanaryLanePorts): Promise<Probed> {
  const startedAtMs = ports.clock.now();
  const leave = traffic.leaveForCanary();
  try {
    return await ports.canary(errand, leave);
  } catch (error) {
    ports.warn(`the canary ${errand.monitorId} broke off`, error);
    const isLost = errand.task === null && leave.begun > 0;
    return isLost ? brokenOff(startedAtMs, ports.clock.now(), leave.begun) : NOT_SENT;
  }
}

function hasOpenTask({ findings }: Extract<Probed, { type: "probed" }>): boolean {
  return findings?.type === "canary" && findings.task !== null;
}
