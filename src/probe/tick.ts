/**
 * A tick: begins at the Ledger, asks the lists (quick gateways first, then slow and suspect ones), then the
 * canaries, and hands results over in batches.
 */
import type { Region } from "../config/config.ts";
import type { Assignment } from "../domain/assignment.ts";
import type { CanaryAssignment, Errand } from "../domain/canary.ts";
import type { Probed, ProbeOutcome } from "../domain/probe-outcome.ts";
import type { BeginAnswer, BeginRequest, ProbeResult } from "../domain/tick.ts";
import { brokenOff } from "./canary-probe.ts";
import { persevere, type Clock } from "./clock.ts";
import { Recorder, resultOf, resultOfRegions, type LedgerPort } from "./recorder.ts";
import { NOT_SENT, asksToWait } from "./rounds.ts";
import { HANGING_LANES, Traffic, type Leave } from "./traffic.ts";
import { askRegions, type VantagePort } from "./vantage-point.ts";

/** Suspects wait for the others no longer than this, or those that hang would leave them no time. */
const SUSPECTS_FROM_MS = 60_000;

export interface TickPorts {
  readonly clock: Clock;
  readonly ledger: LedgerPort;
  probe(monitorId: string, leave: Leave): Promise<Probed>;
  canary(errand: Errand, leave: Leave): Promise<Probed>;
  readonly vantage: VantagePort;
  /** Starts lanes 1 to `count` of this tick. Never rejects: what does not start is due in the next tick. */
  startLanes(count: number): Promise<void>;
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
  /** Of a duplicate: results of the invocation that began it are missing. */
  readonly unfinished: boolean;
  readonly probed: number;
  /** How many shards there are. */
  readonly shards: number;
}

/** One lane of a tick. @throws what the Ledger throws, after it was asked several times. */
export async function runTick(request: BeginRequest, ports: TickPorts): Promise<TickSummary> {
  const begun = await persevere(ports.clock, () => ports.ledger.begin(request));
  const { duplicate, unfinished, lanes, shards } = begun;
  if (duplicate) return { duplicate, unfinished, probed: 0, shards };
  const further = lanes > 0 ? ports.startLanes(lanes) : null;
  try {
    const probed = await probe(begun, request, ports);
    return { duplicate, unfinished, probed, shards };
  } finally {
    await further;
  }
}

/** Whose canaries are asked. */
const GATEWAYS_AT_ONCE = 3;

/** What the lists and the canaries of one tick share. */
interface Books {
  readonly traffic: Traffic;
  readonly recorder: Recorder;
  /** Gateways whose lists asked to wait. */
  readonly held: Set<string>;
  /** Lists that brought a result. */
  probed: number;
}

/** How many results the Ledger took. */
async function probe(
  { assignments, canaries }: BeginAnswer,
  request: BeginRequest,
  ports: TickPorts,
): Promise<number> {
  const recorder = new Recorder(request, ports, hostsOf(assignments, ports).size > 1);
  const own = assignments.filter(({ gatewayId }) => ports.vantage.regionsOf(gatewayId).length === 0);
  const monitors = own.reduce((sum, { monitorIds }) => sum + monitorIds.length, 0);
  const traffic = new Traffic({ clock: ports.clock, monitors, requests: ports.requestLimit });
  const books: Books = { traffic, recorder, held: new Set(), probed: 0 };
  const { promise: quickAsked, resolve } = Promise.withResolvers<void>();
  const listing = probeAll(assignments, books, resolve, ports);
  const canarying = quickAsked.then(() =>
    inLanes(GATEWAYS_AT_ONCE, canaries, (of) => runGateway(of, books, ports)),
  );
  await recorder.sendWhile(listing);
  const isBlind = recorder.judgeNetwork();
  const isIdle = assignments.length > 0 && books.probed === 0;
  const isWell = !isBlind && !isIdle;
  const refusal = await recorder.finish().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (refusal !== null && canaries.length === 0) throw refusal.error;
  // Lists that the Ledger did not take yet are offered again with the canaries.
  const beating = refusal === null && isWell ? beat(ports) : null;
  await recorder.sendWhile(canarying);
  if (canaries.length > 0) await recorder.finish();
  await (beating ?? (isWell && refusal !== null ? beat(ports) : null));
  return recorder.recorded;
}

/** Of the hosts that are asked, those of which that they are not reached says something of the monitoring's network. */
function hostsOf(assignments: readonly Assignment[], { hostOf }: Pick<TickPorts, "hostOf">): Set<string> {
  return new Set(assignments.flatMap(({ gatewayId, excused }) => (excused ? [] : hostOf(gatewayId))));
}

/** It says that the monitor works: gateways were probed, where any was due, and the Ledger has the results. */
async function beat(ports: TickPorts): Promise<void> {
  const problem = ports.heartbeat === null ? null : await ports.heartbeat();
  if (problem !== null) ports.warn(`the heartbeat came to nothing: ${problem}`);
}

/** Probes a gateway's lists one after the other; `asked` is called when the first request is over. */
async function probeGateway(
  { gatewayId, excused, monitorIds }: Assignment,
  asked: () => void,
  books: Books,
  ports: TickPorts,
): Promise<void> {
  const host = excused ? null : ports.hostOf(gatewayId);
  const regions = ports.vantage.regionsOf(gatewayId);
  // Vantage points use none of the Worker's connections: nobody waits for them.
  if (regions.length > 0) asked();
  for (const monitorId of monitorIds) {
    const isHeld = books.held.has(gatewayId);
    const listed = isHeld ? NOTHING : await probeList(monitorId, regions, asked, books, ports);
    if (listed.result === null) books.recorder.giveBack(monitorId);
    else {
      books.probed += 1;
      books.recorder.add(listed.result, host);
    }
    if (listed.outcomes.some(({ diagnosis }) => asksToWait(diagnosis))) books.held.add(gatewayId);
  }
  asked();
}

interface Listed {
  /** Null: the list was not asked for after all, or too few regions answered. */
  readonly result: ProbeResult | null;
  readonly outcomes: readonly ProbeOutcome[];
}

const NOTHING: Listed = { result: null, outcomes: [] };

async function probeList(
  monitorId: string,
  regions: readonly Region[],
  asked: () => void,
  { traffic }: Books,
  ports: TickPorts,
): Promise<Listed> {
  if (regions.length > 0) {
    const { startWithinMs } = traffic;
    if (startWithinMs === 0) return NOTHING;
    const reports = await askRegions({ monitorId, startWithinMs }, regions, ports);
    const result = resultOfRegions(monitorId, reports, regions.length);
    return { result, outcomes: reports.map(({ outcome }) => outcome) };
  }
  try {
    const probed = await ports.probe(monitorId, traffic.leaveFor(asked));
    if (probed.type !== "probed") return NOTHING;
    return { result: resultOf(monitorId, probed), outcomes: [probed.outcome] };
  } catch (error) {
    ports.warn(`the probe of ${monitorId} broke off`, error);
    return NOTHING;
  }
}

/** In no fixed order, so that one that kills the invocation does not always do so before the same others. */
function shuffled(assignments: readonly Assignment[], random: () => number): Assignment[] {
  return assignments
    .map((assignment) => ({ assignment, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ assignment }) => assignment);
}

/** @param quickAsked called when all quick gateways have been asked once. */
async function probeAll(
  assignments: readonly Assignment[],
  books: Books,
  quickAsked: () => void,
  ports: TickPorts,
): Promise<void> {
  const { clock } = ports;
  const begin = (assignment: Assignment) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    return { asked, over: probeGateway(assignment, resolve, books, ports) };
  };
  const fast = assignments.filter(({ hangs, suspect }) => !hangs && !suspect);
  const hanging = assignments.filter(({ hangs, suspect }) => hangs && !suspect);
  const suspects = shuffled(
    assignments.filter(({ suspect }) => suspect),
    () => ports.random(),
  );
  const patience = suspects.length > 0 ? clock.sleep(SUSPECTS_FROM_MS) : null;
  const started = fast.map(begin);
  const fastOver = Promise.all(started.map(({ over }) => over)).then(() => books.recorder.send());
  await Promise.all(started.map(({ asked }) => asked));
  quickAsked();
  const hangingOver = inLanes(HANGING_LANES, hanging, (assignment) => begin(assignment).over);
  const othersOver = Promise.all([fastOver, hangingOver]);
  await (patience === null ? othersOver : Promise.race([othersOver, patience]));
  const suspectsOver: Promise<void>[] = [];
  for (const assignment of suspects) {
    await books.recorder.send();
    const { asked, over } = begin(assignment);
    suspectsOver.push(over);
    // A probe that repeats nothing is over in the same moment: its result goes with those before the next.
    await Promise.race([over, asked.then(() => clock.sleep(0))]);
  }
  await Promise.all([othersOver, ...suspectsOver]);
}

/** So many at a time. */
async function inLanes<Of>(lanes: number, all: readonly Of[], run: (of: Of) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** What one of them is told to wait holds the rest of them. */
async function runGateway(
  { gatewayId, errands }: CanaryAssignment,
  { traffic, recorder, held }: Books,
  ports: TickPorts,
): Promise<void> {
  let isHeld = false;
  for (const errand of errands) {
    const { monitorId } = errand;
    const probed = isHeld || held.has(gatewayId) ? NOT_SENT : await runErrand(errand, traffic, ports);
    if (probed.type === "not_sent_by_platform") {
      recorder.giveBack(monitorId);
      continue;
    }
    // A canary that is not reached says something of itself alone: the lists show the monitoring's network.
    recorder.add(resultOf(monitorId, probed), null);
    isHeld ||= asksToWait(probed.outcome.diagnosis);
    // A task whose id is lost can never be asked about.
    if (errand.task === null && hasOpenTask(probed)) void recorder.send();
  }
  await recorder.send();
}

/** What left is told of even where the probe broke off: else it would be sent again. */
async function runErrand(errand: Errand, traffic: Traffic, ports: TickPorts): Promise<Probed> {
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
