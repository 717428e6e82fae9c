/**
 * A tick: asks the Ledger what is due, probes the lists, then the canaries, and sends the results to the Ledger in batches.
 * The lists of quick gateways come first, then those of slow ones, and one by one those of suspect ones.
 */
import type { Assignment, Batch, BeginAnswer, BeginRequest, ProbeResult } from "../domain/tick.ts";
import type { CanaryAssignment, Errand } from "../domain/canary.ts";
import { reachOf, type Probed } from "../domain/probe-outcome.ts";
import { inTime } from "../domain/permits.ts";
import { stableHash } from "../domain/schedule.ts";
import { isReached } from "../domain/monitor-state.ts";
import type { PageReading } from "../domain/upstream.ts";
import { persevere, type Clock } from "./clock.ts";
import { NOT_SENT, asksToWait } from "./rounds.ts";
import { HANGING_LANES, Traffic, type Leave } from "./traffic.ts";
import { askRegions, resultOfRegions, type VantagePort } from "./vantage-point.ts";

export interface TickPorts {
  readonly clock: Clock;
  readonly ledger: {
    begin(request: BeginRequest): Promise<BeginAnswer>;
    record(batch: Batch): Promise<void>;
  };
  probe(monitorId: string, leave: Leave): Promise<Probed>;
  canary(errand: Errand, leave: Leave): Promise<Probed>;
  readonly vantage: VantagePort;
  /** Reads a provider's status page; null: it was not sent. Never rejects. */
  readPage(page: string, leave: Leave): Promise<PageReading | null>;
  /** Starts lanes 1 to `count` of this tick. Never rejects: if a lane does not start, its monitors are due in the next tick. */
  startLanes(count: number): Promise<void>;
  /** The host that a gateway's address names: gateways of one host fail together. */
  hostOf(gatewayId: string): string;
  /** External requests that the probes of one invocation may send, retries included. */
  readonly requestLimit: number;
  /** Calls a dead-man service. Null: it accepted the call; else what went wrong. Never rejects. */
  readonly heartbeat: (() => Promise<string | null>) | null;
  /** Reports a failure that was survived. */
  warn(what: string, error?: unknown): void;
}

export interface TickSummary {
  readonly duplicate: boolean;
  /** If it is a duplicate: results of the first invocation are missing. */
  readonly unfinished: boolean;
  readonly probed: number;
  readonly shards: number;
}

/** One lane of a tick. @throws what the Ledger throws, after several tries. */
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

const GATEWAYS_AT_ONCE = 3;

interface Books {
  readonly tickMs: number;
  readonly traffic: Traffic;
  readonly recorder: Recorder;
  /** Gateways whose lists answered with a wait (Retry-After). */
  readonly held: Set<string>;
  probed: number;
}

/** @returns how many results the Ledger accepted. */
async function probe(
  { assignments, canaries, pages = [] }: BeginAnswer,
  request: BeginRequest,
  ports: TickPorts,
): Promise<number> {
  const hosts = new Set(assignments.flatMap((of) => (of.excused ? [] : ports.hostOf(of.gatewayId))));
  const recorder = new Recorder(request, ports, hosts.size > 1);
  const own = assignments.filter(({ gatewayId }) => ports.vantage.regionsOf(gatewayId).length === 0);
  const firsts = own.reduce((sum, { monitorIds }) => sum + monitorIds.length, pages.length);
  const traffic = new Traffic({ clock: ports.clock, firsts, requests: ports.requestLimit });
  const books: Books = { tickMs: request.tickMs, traffic, recorder, held: new Set(), probed: 0 };
  const { promise: quickAsked, resolve } = Promise.withResolvers<void>();
  const listing = probeAll(assignments, books, resolve, ports);
  const others = quickAsked.then(async () => {
    const reading = readPages(pages, books, ports);
    await inLanes(GATEWAYS_AT_ONCE, canaries, (of) => runGateway(of, books, ports));
    return reading;
  });
  const hasOthers = canaries.length + pages.length > 0;
  await recorder.sendWhile(listing);
  const isBlind = recorder.judgeNetwork();
  const isIdle = assignments.length > 0 && books.probed === 0;
  const isWell = !isBlind && !isIdle;
  const refusal = await recorder.finish().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (refusal !== null && !hasOthers) throw refusal.error;
  // Results of lists that the Ledger has not accepted go along with those of canaries and status pages.
  const beating = refusal === null && isWell ? beat(ports) : null;
  await recorder.sendWhile(others);
  if (hasOthers) await recorder.finish();
  await (beating ?? (isWell && refusal !== null ? beat(ports) : null));
  return recorder.recorded;
}

/** One after the other, so that probes have the other connections. */
async function readPages(pages: readonly string[], { traffic, recorder }: Books, ports: TickPorts) {
  for (const page of pages) {
    const reading = await ports.readPage(
      page,
      traffic.leaveFor(() => undefined),
    );
    if (reading !== null) recorder.hear(reading);
  }
}

/** Reports that monitoring works: the due gateways were probed, and the Ledger has the results. */
async function beat(ports: TickPorts): Promise<void> {
  const problem = ports.heartbeat === null ? null : await ports.heartbeat();
  if (problem !== null) ports.warn(`the heartbeat failed: ${problem}`);
}

/** Probes a gateway's lists one after the other; `asked` is called when the first request is over. */
async function probeGateway(
  { gatewayId, excused, monitorIds }: Assignment,
  asked: () => void,
  books: Books,
  ports: TickPorts,
): Promise<void> {
  const host = excused ? null : ports.hostOf(gatewayId);
  // Vantage points use none of the Worker's connections, so the next wave does not wait for them.
  if (ports.vantage.regionsOf(gatewayId).length > 0) asked();
  for (const monitorId of monitorIds) {
    const result = books.held.has(gatewayId)
      ? null
      : await probeList(monitorId, gatewayId, asked, books, ports);
    if (result === null) {
      books.recorder.giveBack(monitorId);
      continue;
    }
    books.probed += 1;
    books.recorder.add(result, host);
  }
  asked();
}

/** Null: the request was not sent, or too few regions answered. */
async function probeList(
  monitorId: string,
  gatewayId: string,
  asked: () => void,
  { traffic, held }: Books,
  ports: TickPorts,
): Promise<ProbeResult | null> {
  const regions = ports.vantage.regionsOf(gatewayId);
  if (regions.length > 0) {
    const { startWithinMs } = traffic;
    if (startWithinMs === 0) return null;
    const reports = await askRegions({ monitorId, startWithinMs }, regions, ports);
    if (reports.some(({ outcome }) => asksToWait(outcome.diagnosis))) held.add(gatewayId);
    return resultOfRegions(monitorId, reports, regions.length);
  }
  try {
    const probed = await ports.probe(monitorId, traffic.leaveFor(asked));
    if (probed.type !== "probed") return null;
    if (asksToWait(probed.outcome.diagnosis)) held.add(gatewayId);
    return resultOf(monitorId, probed);
  } catch (error) {
    ports.warn(`the probe of ${monitorId} broke off`, error);
    return null;
  }
}

/** @param quickAsked called when all quick gateways have been asked once. */
async function probeAll(
  assignments: readonly Assignment[],
  books: Books,
  quickAsked: () => void,
  ports: TickPorts,
): Promise<void> {
  const begin = (assignment: Assignment) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    return { asked, over: probeGateway(assignment, resolve, books, ports) };
  };
  const fast = assignments.filter(({ hangs, suspect }) => !hangs && !suspect);
  const hanging = assignments.filter(({ hangs, suspect }) => hangs && !suspect);
  const suspects = assignments.filter(({ suspect }) => suspect);
  // Another one begins in each tick: if one of them kills the invocation, it is not always the same others that are lost.
  suspects.unshift(...suspects.splice(stableHash(String(books.tickMs)) % (suspects.length || 1)));
  const started = fast.map(begin);
  const fastOver = Promise.all(started.map(({ over }) => over)).then(() => books.recorder.send());
  await Promise.all(started.map(({ asked }) => asked));
  quickAsked();
  const hangingOver = inLanes(HANGING_LANES, hanging, (assignment) => begin(assignment).over);
  const suspectsOver = inLanes(1, suspects, async (assignment) => {
    await books.recorder.send();
    await begin(assignment).over;
  });
  await Promise.all([fastOver, hangingOver, suspectsOver]);
}

async function inLanes<Of>(lanes: number, all: readonly Of[], run: (of: Of) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** A Retry-After for one errand also holds back the gateway's other errands. */
async function runGateway(
  { gatewayId, errands }: CanaryAssignment,
  { traffic, recorder, held }: Books,
  ports: TickPorts,
): Promise<void> {
  let isHeld = false;
  for (const errand of errands) {
    const { monitorId } = errand;
    const probed = isHeld || held.has(gatewayId) ? NOT_SENT : await runErrand(errand, traffic, ports);
    if (probed === null) continue;
    if (probed.type === "not_sent_by_platform") {
      recorder.giveBack(monitorId);
      continue;
    }
    // Canaries say nothing about the monitoring's own network: the lists do.
    recorder.add(resultOf(monitorId, probed), null);
    isHeld ||= asksToWait(probed.outcome.diagnosis);
    // Sent at once: a task whose id is lost can never be polled.
    if (errand.task === null && hasOpenTask(probed)) void recorder.send();
  }
  await recorder.send();
}

/** Null: it broke off, and its request may have been sent. The Ledger has counted it, and reports it when the lease ends. */
async function runErrand(errand: Errand, traffic: Traffic, ports: TickPorts): Promise<Probed | null> {
  try {
    return await ports.canary(errand, traffic.leaveForCanary());
  } catch (error) {
    ports.warn(`the canary ${errand.monitorId} broke off`, error);
    return errand.task === null ? null : NOT_SENT;
  }
}

function hasOpenTask({ findings }: Extract<Probed, { type: "probed" }>): boolean {
  return findings?.type === "canary" && findings.task !== null;
}

// Results go to the Ledger in batches: after five seconds, after the quick gateways, then at growing intervals. Results that
// the Ledger did not accept are sent again with the next batch.

const FIRST_INTERVAL_MS = 5000;
/** Each batch costs the Ledger rows, and a tick may take minutes: batches at 5, 20, 65 and 200 s are enough. */
const INTERVAL_GROWTH = 3;

/** The Ledger answers within milliseconds, but while it publishes a call may take as long as a KV write. */
const LONGEST_CALL_MS = 25_000;

function resultOf(monitorId: string, { outcome, findings }: Extract<Probed, { type: "probed" }>) {
  return { monitorId, outcome, ...(findings && { findings }) };
}

class Recorder {
  readonly #request: BeginRequest;
  readonly #ports: TickPorts;
  /** Network failures wait here until some gateway is reached. If all fail at once, the monitoring's own network failed. */
  #withheld: { readonly result: ProbeResult; readonly host: string | null }[] = [];
  /** `failed`: all lists of the tick had network failures. Later network failures count as the monitoring's own too. */
  #network: "unproven" | "proven" | "failed";
  #results: ProbeResult[] = [];
  #returned: string[] = [];
  #pages: PageReading[] = [];
  #sending: Promise<void> = Promise.resolve();
  #sentAtMs: number;
  #batches = 0;
  recorded = 0;

  /** @param severalHosts several hosts are probed, so that failures of all of them say something about the network. */
  constructor(request: BeginRequest, ports: TickPorts, severalHosts: boolean) {
    this.#request = request;
    this.#ports = ports;
    this.#network = severalHosts ? "unproven" : "proven";
    this.#sentAtMs = ports.clock.now();
  }

  /** @param host of the gateway; null: its network failures say nothing about the network. */
  add(result: ProbeResult, host: string | null): void {
    if (isReached(result)) this.#proveNetwork();
    const isUnreached = reachOf(result.outcome.diagnosis) === "unreached";
    if (isUnreached && this.#network !== "proven") this.#withheld.push({ result, host });
    else this.#results.push(result);
  }

  giveBack(monitorId: string): void {
    this.#returned.push(monitorId);
  }

  hear(reading: PageReading): void {
    this.#pages.push(reading);
  }

  /** Sends what there is; after a failure the next batch contains it. */
  async send(): Promise<void> {
    await this.#inTurn(() => this.#sendNow(false)).catch((error: unknown) =>
      this.#ports.warn("a batch was not taken and is offered again", error),
    );
  }

  /** Sends batches until `probing` is over. */
  async sendWhile(probing: Promise<void>): Promise<void> {
    const end = probing.then(() => "over" as const);
    for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs *= INTERVAL_GROWTH) {
      const waitMs = Math.max(0, this.#sentAtMs + intervalMs - this.#ports.clock.now());
      const first = await Promise.race([end, this.#ports.clock.sleep(waitMs)]);
      if (first === "over") return;
      await this.send();
    }
  }

  /** Call it after all lists. True: all gateways had network failures, so later failures are the network's too. */
  judgeNetwork(): boolean {
    const hosts = new Set(this.#withheld.flatMap(({ host }) => host ?? []));
    if (hosts.size > 1) this.#network = "failed";
    else this.#proveNetwork();
    return hosts.size > 1;
  }

  /** Sends the rest. Each tick sends at least one batch, for the Ledger's housekeeping. @throws what the Ledger throws. */
  async finish(): Promise<void> {
    await this.#inTurn(() => persevere(this.#ports.clock, () => this.#sendNow(true)));
  }

  /** One batch after the other: otherwise a result would be in two of them. */
  async #inTurn(send: () => Promise<void>): Promise<void> {
    const sending = this.#sending.then(send);
    this.#sending = sending.catch(() => undefined);
    await sending;
  }

  #proveNetwork(): void {
    this.#network = "proven";
    this.#results.push(...this.#withheld.splice(0).map(({ result }) => result));
  }

  async #sendNow(isLast: boolean): Promise<void> {
    this.#sentAtMs = this.#ports.clock.now();
    const results = [...this.#results];
    const returned = [...this.#returned];
    const pages = [...this.#pages];
    if (results.length + returned.length + pages.length > 0 || (isLast && this.#batches === 0)) {
      const read = pages.length > 0 && { pages };
      await this.#record({ ...this.#request, results, returned, ...read, ownNetworkFailed: false });
      this.#results = this.#results.slice(results.length);
      this.#returned = this.#returned.slice(returned.length);
      this.#pages = this.#pages.slice(pages.length);
    }
    const unreached = this.#network === "failed" ? this.#withheld.map(({ result }) => result) : [];
    if (unreached.length === 0) return;
    await this.#record({ ...this.#request, results: unreached, returned: [], ownNetworkFailed: true });
    this.#withheld = this.#withheld.slice(unreached.length);
  }

  /** A call that hangs must not hold back the results of the whole tick. */
  async #record(batch: Batch): Promise<void> {
    const { ledger, clock } = this.#ports;
    await inTime(ledger.record(batch), clock.timeoutSignal(LONGEST_CALL_MS));
    this.#batches += 1;
    this.recorded += batch.results.length;
  }
}
