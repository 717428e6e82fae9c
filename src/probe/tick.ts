/**
 * One tick: ask the Ledger what is due, probe it, hand the results back as they come. One probe in flight a gateway;
 * gateways that hung last time go last and two at a time, so that they keep nobody waiting. Those whose last invocation
 * died go after all others, one by one until they have answered once, each with the results before it recorded.
 */
import type { Assignment } from "../domain/assignment.ts";
import type { BeginRequest, ProbeResult } from "../domain/tick.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import type { Clock } from "./clock.ts";
import { persevere } from "./persevere.ts";
import { type LedgerPort, Recorder } from "./recorder.ts";
import { type Leave, Traffic } from "./traffic.ts";

const HANGING_LANES = 2;

/** Suspects wait for the others no longer than this, or those that hang would leave them no time. */
const SUSPECTS_FROM_MS = 60_000;

export interface TickPorts {
  readonly ledger: LedgerPort;
  readonly clock: Clock;
  probe(monitorId: string, leave: Leave): Promise<Probed>;
  /** The host that a gateway's address names: gateways of one host fail together. */
  hostOf(gatewayId: string): string;
  /** External requests that the probes of one invocation may send, retries included. */
  readonly requestLimit: number;
  /** Tells a dead-man service that the monitor works. Null: there is nothing to say of it; else what. Never rejects. */
  readonly heartbeat: (() => Promise<string | null>) | null;
  /** 0 to 1, 1 excluded. */
  random(): number;
  /** Reports a failure that was survived. */
  warn(what: string, error?: unknown): void;
}

export interface TickSummary {
  readonly duplicate: boolean;
  readonly probed: number;
  readonly putOff: number;
}

/** @throws what the Ledger throws, after it was asked several times. */
export async function runTick(request: BeginRequest, ports: TickPorts): Promise<TickSummary> {
  const { duplicate, assignments, putOff } = await persevere(ports.clock, () => ports.ledger.begin(request));
  if (duplicate) return { duplicate, probed: 0, putOff };
  const telling = assignments.filter(({ excused }) => !excused);
  const hosts = new Set(telling.map(({ gatewayId }) => ports.hostOf(gatewayId)));
  const recorder = new Recorder(request, ports, hosts.size > 1);
  const waves = wavesOf(assignments, () => ports.random());
  const ask = gatewayProber(assignments, recorder, ports);
  const probing = probeAll(waves, ask, () => recorder.send(), ports.clock);
  await recorder.sendWhile(probing);
  const { ownNetworkFailed } = await recorder.finish();
  const isIdle = assignments.length > 0 && recorder.recorded === 0;
  if (!ownNetworkFailed && !isIdle) await beat(ports);
  return { duplicate, probed: recorder.recorded, putOff };
}

/** It says that the monitor works: gateways were probed, where any was due, and the Ledger has the results. */
async function beat(ports: TickPorts): Promise<void> {
  const problem = ports.heartbeat === null ? null : await ports.heartbeat();
  if (problem !== null) ports.warn(`the heartbeat came to nothing: ${problem}`);
}

/** Probes a gateway's monitors one after the other; `asked` is called when the first request is over. */
type ProbeGateway = (assignment: Assignment, asked: () => void) => Promise<void>;

function gatewayProber(
  assignments: readonly Assignment[],
  recorder: Recorder,
  ports: TickPorts,
): ProbeGateway {
  const monitors = assignments.reduce((sum, { monitorIds }) => sum + monitorIds.length, 0);
  const traffic = new Traffic({ clock: ports.clock, monitors, requests: ports.requestLimit });
  const probeOne = async (monitorId: string, asked: () => void): Promise<Probed> => {
    try {
      return await ports.probe(monitorId, traffic.leaveFor(asked));
    } catch (error) {
      ports.warn(`the probe of ${monitorId} broke off`, error);
      return NOT_SENT;
    }
  };
  return async ({ gatewayId, excused, monitorIds }, asked) => {
    const host = excused ? null : ports.hostOf(gatewayId);
    let held = false;
    for (const monitorId of monitorIds) {
      const probed: Probed = held ? NOT_SENT : await probeOne(monitorId, asked);
      if (probed.type === "probed") recorder.add(resultOf(monitorId, probed), host);
      else recorder.giveBack(monitorId);
      held ||= probed.type === "probed" && asksToWait(probed.outcome.diagnosis);
    }
    asked();
  };
}

function resultOf(
  monitorId: string,
  { outcome, findings }: Extract<Probed, { type: "probed" }>,
): ProbeResult {
  return findings === undefined ? { monitorId, outcome } : { monitorId, outcome, findings };
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
  probeGateway: ProbeGateway,
  send: () => Promise<void>,
  clock: Clock,
): Promise<void> {
  const patience = suspect.length > 0 ? clock.sleep(SUSPECTS_FROM_MS) : null;
  const started = fast.map((assignment) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    return { asked, over: probeGateway(assignment, resolve) };
  });
  const fastOver = Promise.all(started.map(({ over }) => over)).then(send);
  await Promise.all(started.map(({ asked }) => asked));
  const lane = async (): Promise<void> => {
    for (let next = hanging.shift(); next; next = hanging.shift()) await probeGateway(next, ignore);
  };
  const othersOver = Promise.all([fastOver, ...Array.from({ length: HANGING_LANES }, lane)]);
  await (patience === null ? othersOver : Promise.race([othersOver, patience]));
  const suspectsOver: Promise<void>[] = [];
  for (const assignment of suspect) {
    await send();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const over = probeGateway(assignment, resolve);
    suspectsOver.push(over);
    // A probe that repeats nothing is over in the same moment: its result goes with those before the next.
    await Promise.race([over, asked.then(() => clock.sleep(0))]);
  }
  await Promise.all([othersOver, ...suspectsOver]);
}

function ignore(): void {}
