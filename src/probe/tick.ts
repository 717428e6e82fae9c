/**
 * One tick: ask the Ledger what is due, probe it, hand the results back as they come. One probe in flight a gateway,
 * six in all; gateways that hung last time go last and hold two at most, so that they keep nobody waiting. Those whose last
 * invocation died go after all others, one by one, each with the results before it recorded.
 */
import { type Assignment, LEASE_MS } from "../domain/assignment.ts";
import type { BeginRequest } from "../domain/tick.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS, REQUEST_TIMEOUT_MS } from "../protocol/retry-delay.ts";
import type { Clock } from "./clock.ts";
import { persevere } from "./persevere.ts";
import { type LedgerPort, Recorder } from "./recorder.ts";

/** An invocation may await the headers of six connections at once. */
const LANES = 6;
const HANGING_LANES = 2;

/** All attempts take the time they may, and between them is the longest Retry-After that is waited for. */
const LONGEST_PROBE_MS =
  MAX_ATTEMPTS * REQUEST_TIMEOUT_MS + (MAX_ATTEMPTS - 1) * MAX_RETRY_AFTER_SECONDS * 1000;

/** A probe that starts later could end after its lease: then another tick would own the gateway. */
const LATEST_START_MS = LEASE_MS - LONGEST_PROBE_MS;

export interface TickPorts {
  readonly ledger: LedgerPort;
  readonly clock: Clock;
  /** Asks `mayRetry` once before each retry. */
  probe(monitorId: string, mayRetry: () => boolean): Promise<Probed>;
  /** The host that a gateway's address names: gateways of one host fail together. */
  hostOf(gatewayId: string): string;
  /** External requests that one invocation may send, retries included. */
  readonly requestLimit: number;
  /** 0 to 1, 1 excluded. */
  random(): number;
  /** Reports a failure that was survived. */
  warn(what: string, error: unknown): void;
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
  const probeOne = async (monitorId: string): Promise<Probed> => {
    budget.start();
    if (ports.clock.now() - startedMs >= LATEST_START_MS) return NOT_SENT;
    try {
      return await ports.probe(monitorId, budget.mayRetry);
    } catch (error) {
      ports.warn(`the probe of ${monitorId} broke off`, error);
      return NOT_SENT;
    }
  };
  const probeGateway = async ({ gatewayId, monitorIds }: Assignment): Promise<void> => {
    let held = false;
    for (const monitorId of monitorIds) {
      const probed: Probed = held ? NOT_SENT : await probeOne(monitorId);
      if (probed.type === "probed")
        recorder.add({ monitorId, outcome: probed.outcome }, ports.hostOf(gatewayId));
      else recorder.giveBack(monitorId);
      held ||= probed.type === "probed" && asksToWait(probed.outcome.diagnosis);
    }
  };
  const waves = wavesOf(assignments, () => ports.random());
  const probing = probeAll(waves, probeGateway, () => recorder.send());
  await recorder.sendWhile(probing);
  await recorder.finish();
  return { duplicate, probed: recorder.recorded, putOff };
}

const NOT_SENT: Probed = { type: "not_sent_by_platform" };

/** Retry-After binds all monitors of the gateway, also within the tick. */
function asksToWait({ ok, retry }: Diagnosis): boolean {
  return !ok && retry.afterSeconds !== null && retry.afterSeconds > 0;
}

interface Waves {
  readonly fast: Assignment[];
  readonly hanging: Assignment[];
  /** In no fixed order, so that one that kills the invocation does not always do so before the same others. */
  readonly suspect: Assignment[];
}

function wavesOf(assignments: readonly Assignment[], random: () => number): Waves {
  return {
    fast: assignments.filter(({ hangs, suspect }) => !hangs && !suspect),
    hanging: assignments.filter(({ hangs, suspect }) => hangs && !suspect),
    suspect: shuffled(
      assignments.filter(({ suspect }) => suspect),
      random,
    ),
  };
}

function shuffled(assignments: readonly Assignment[], random: () => number): Assignment[] {
  return assignments
    .map((assignment) => ({ assignment, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ assignment }) => assignment);
}

async function probeAll(
  { fast, hanging, suspect }: Waves,
  probeGateway: (assignment: Assignment) => Promise<void>,
  send: () => Promise<void>,
): Promise<void> {
  const lane = async (queue: Assignment[]): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await probeGateway(next);
  };
  const fastLanes = Array.from({ length: LANES }, () => lane(fast));
  const hangingLanes = fastLanes.slice(0, HANGING_LANES).map((free) => free.then(() => lane(hanging)));
  await Promise.all([Promise.all(fastLanes).then(send), ...hangingLanes]);
  for (const assignment of suspect) {
    await send();
    await probeGateway(assignment);
  }
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
