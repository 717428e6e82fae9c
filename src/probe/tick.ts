/**
 * One tick: ask the Ledger what is due, probe it, hand the results back as they come. One probe in flight a gateway,
 * six in all; gateways that hung last time go last and hold two at most, so that they keep nobody waiting.
 */
import { type Assignment, LEASE_MS } from "../domain/assignment.ts";
import type { BeginRequest } from "../domain/tick.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import type { Clock } from "./clock.ts";
import { persevere } from "./persevere.ts";
import { type LedgerPort, Recorder } from "./recorder.ts";

/** An invocation may await the headers of six connections at once. */
const LANES = 6;
const HANGING_LANES = 2;

/** Four attempts that take all the time they may, and three waits of the longest Retry-After that is waited for. */
const LONGEST_PROBE_MS = 4 * 30_000 + 3 * 30_000;

/** A probe that starts later could end after its lease: then another tick would own the gateway. */
const LATEST_START_MS = LEASE_MS - LONGEST_PROBE_MS;

/** `not_sent_by_platform`: the invocation has no requests left; the monitor stays due. */
export type Probed =
  | { readonly type: "probed"; readonly outcome: ProbeOutcome }
  | { readonly type: "not_sent_by_platform" };

export interface TickPorts {
  readonly ledger: LedgerPort;
  readonly clock: Clock;
  /** Never rejects. Asks `mayRetry` once before each retry. */
  probe(monitorId: string, mayRetry: () => boolean): Promise<Probed>;
  /** The host that a gateway's address names: gateways of one host fail together. */
  hostOf(gatewayId: string): string;
  /** External requests that one invocation may send, retries included. */
  readonly requestLimit: number;
}

export interface TickSummary {
  readonly duplicate: boolean;
  readonly probed: number;
  readonly putOff: number;
}

/** @throws what the Ledger throws, after it was asked several times. */
export async function runTick(request: BeginRequest, ports: TickPorts): Promise<TickSummary> {
  const startedMs = ports.clock.now();
  const { duplicate, assignments, putOff } = await persevere(ports.clock, () => ports.ledger.begin(request));
  if (duplicate) return { duplicate, probed: 0, putOff };
  const hosts = new Set(assignments.map(({ gatewayId }) => ports.hostOf(gatewayId)));
  const recorder = new Recorder(request, ports, hosts.size > 1);
  const budget = requestBudget(assignments, ports.requestLimit);
  const probeGateway = async (assignment: Assignment): Promise<void> => {
    for (const monitorId of assignment.monitorIds) {
      budget.start();
      const inTime = ports.clock.now() - startedMs < LATEST_START_MS;
      const probed = inTime ? await ports.probe(monitorId, budget.mayRetry) : null;
      if (probed?.type === "probed") {
        recorder.add({ monitorId, outcome: probed.outcome }, ports.hostOf(assignment.gatewayId));
      } else {
        recorder.giveBack(monitorId);
      }
    }
  };
  const probing = probeAll(assignments, probeGateway, () => recorder.send());
  await recorder.sendWhile(probing);
  await recorder.finish();
  return { duplicate, probed: recorder.recorded, putOff };
}

async function probeAll(
  assignments: readonly Assignment[],
  probeGateway: (assignment: Assignment) => Promise<void>,
  onFastWaveOver: () => Promise<void>,
): Promise<void> {
  const fast = assignments.filter(({ hangs }) => !hangs);
  const hanging = assignments.filter(({ hangs }) => hangs);
  const lane = async (queue: Assignment[]): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await probeGateway(next);
  };
  const fastLanes = Array.from({ length: LANES }, () => lane(fast));
  const hangingLanes = fastLanes.slice(0, HANGING_LANES).map((free) => free.then(() => lane(hanging)));
  await Promise.all([Promise.all(fastLanes).then(onFastWaveOver), ...hangingLanes]);
}

/** A first attempt for every monitor comes before a second for any. `mayRetry` counts the retry that it allows. */
function requestBudget(
  assignments: readonly Assignment[],
  limit: number,
): { readonly start: () => void; readonly mayRetry: () => boolean } {
  let waiting = assignments.reduce((sum, { monitorIds }) => sum + monitorIds.length, 0);
  let used = 0;
  return {
    start: () => {
      waiting -= 1;
      used += 1;
    },
    mayRetry: () => {
      if (used + waiting >= limit) return false;
      used += 1;
      return true;
    },
  };
}
