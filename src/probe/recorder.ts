/**
 * Results on their way from a tick to the Ledger, in batches: after five seconds and after the fast wave, then
 * less and less often. What the Ledger did not take is offered again with the next batch.
 */
import { withoutVerdict } from "../domain/monitor-state.ts";
import { reachOf, type Probed, type RegionOutcome } from "../domain/probe-outcome.ts";
import { combineOutcomes } from "../domain/regions.ts";
import type { Batch, BeginAnswer, BeginRequest, ProbeResult, RegionReport } from "../domain/tick.ts";
import { persevere, type Clock } from "./clock.ts";

/** What regions saw of a monitor. At least one reported. */
export interface Seen {
  readonly monitorId: string;
  readonly reports: readonly RegionReport[];
  /** From so many regions. */
  readonly asked: number;
  /** Of the gateway; null where that it is not reached says nothing of a network. */
  readonly host: string | null;
  /** Regions of whose network that it is not reached says nothing. */
  readonly excusedFrom: readonly string[];
}

export class RegionWatch {
  /** Those that ask several gateways, and reached none of them yet. */
  readonly #doubtful: Set<string>;
  #waiting: Seen[] = [];

  /** @param asked by region, the hosts that it asks in the tick; those that tell nothing are left out. */
  constructor(asked: ReadonlyMap<string, ReadonlySet<string>>) {
    const several = [...asked].filter(([, hosts]) => hosts.size > 1);
    this.#doubtful = new Set(several.map(([region]) => region));
  }

  /** Those of which all is known now. */
  add(seen: Seen): readonly Seen[] {
    for (const { region, outcome } of seen.reports) {
      if (reachOf(outcome.diagnosis) === "reached") this.#doubtful.delete(region);
    }
    const all = [...this.#waiting, seen];
    this.#waiting = all.filter((of) => !this.#isKnown(of));
    return all.filter((of) => this.#isKnown(of));
  }

  /** When all were asked: those that wait still, without a verdict of regions that reached nobody. */
  finish(): readonly Seen[] {
    const waiting = this.#waiting.splice(0);
    const blind = new Set([...this.#doubtful].filter((region) => isBlind(region, waiting)));
    return waiting.map((seen) => {
      const isUnseen = (report: RegionReport): boolean => blind.has(report.region) && isUnreached(report);
      return Object.assign({}, seen, {
        reports: seen.reports.map((report) => (isUnseen(report) ? withoutSight(report) : report)),
      });
    });
  }

  #isKnown({ reports }: Seen): boolean {
    return reports.every((report) => !this.#doubtful.has(report.region) || !isUnreached(report));
  }
}

/** The result of all regions together; null where too few reported. One that is without a network did report. */
function resultOfRegions({ monitorId, reports, asked }: Seen): ProbeResult | null {
  const outcome = combineOutcomes(reports, asked);
  const isSilent = reports.every((report) => report.outcome.diagnosis.health !== "unknown");
  if (outcome === null || (isSilent && outcome.diagnosis.health === "unknown")) return null;
  const alike = reports.filter((report) => report.outcome.diagnosis.health === outcome.diagnosis.health);
  const findings = [...alike, ...reports].find((report) => report.findings !== undefined)?.findings;
  const regions = reports.map((report) => ({ region: report.region, outcome: report.outcome }));
  return findings === undefined ? { monitorId, outcome, regions } : { monitorId, outcome, findings, regions };
}

function isBlind(region: string, waiting: readonly Seen[]): boolean {
  const unreached = waiting.filter(
    ({ reports, excusedFrom }) =>
      !excusedFrom.includes(region) &&
      reports.some((report) => report.region === region && isUnreached(report)),
  );
  return new Set(unreached.flatMap(({ host }) => host ?? [])).size > 1;
}

function isUnreached({ outcome }: RegionOutcome): boolean {
  return reachOf(outcome.diagnosis) === "unreached";
}

function withoutSight(report: RegionReport): RegionReport {
  const { outcome } = report;
  return { ...report, outcome: { ...outcome, diagnosis: withoutVerdict(outcome.diagnosis) } };
}

export interface LedgerPort {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
}

export interface RecorderPorts {
  readonly ledger: LedgerPort;
  readonly clock: Clock;
  /** Reports a failure that was survived. */
  warn(what: string, error: unknown): void;
}

const FIRST_INTERVAL_MS = 5000;
/** Each batch costs the Ledger rows, and a tick may take minutes: batches at 5, 20, 65 and 200 s are enough. */
const INTERVAL_GROWTH = 3;

/** The Ledger answers in milliseconds; while it publishes, in as long as a KV write may take. */
const LONGEST_CALL_MS = 25_000;

export function resultOf(
  monitorId: string,
  { outcome, findings }: Extract<Probed, { type: "probed" }>,
): ProbeResult {
  return findings === undefined ? { monitorId, outcome } : { monitorId, outcome, findings };
}

interface Withheld {
  readonly result: ProbeResult;
  readonly host: string | null;
}

export class Recorder {
  readonly #request: BeginRequest;
  readonly #ports: RecorderPorts;
  /** Network failures wait here until some gateway was reached: all failing at once says nothing about any of them. */
  #withheld: Withheld[] = [];
  /** `failed`: all of the tick's lists failed by network; what fails so later is told as such. */
  #network: "unproven" | "proven" | "failed";
  readonly #regions: RegionWatch;
  /** Of gateways whose regions have no network. */
  #unseen: ProbeResult[] = [];
  #results: ProbeResult[] = [];
  #returned: string[] = [];
  #sending: Promise<void> = Promise.resolve();
  #sentAtMs: number;
  #batches = 0;
  recorded = 0;

  constructor(
    request: BeginRequest,
    ports: RecorderPorts,
    { severalHosts, regions }: { readonly severalHosts: boolean; readonly regions: RegionWatch },
  ) {
    this.#request = request;
    this.#ports = ports;
    this.#regions = regions;
    this.#network = severalHosts ? "unproven" : "proven";
    this.#sentAtMs = ports.clock.now();
  }

  /** @param host of the gateway; null where that it is not reached says nothing of the network. */
  add(result: ProbeResult, host: string | null): void {
    const reach = reachOf(result.outcome.diagnosis);
    if (reach === "reached") this.#proveNetwork();
    if (reach === "unreached" && this.#network !== "proven") this.#withheld.push({ result, host });
    else this.#results.push(result);
  }

  /** What regions saw: it tells nothing of the Worker's own network. */
  addSeen(seen: Seen): void {
    for (const known of this.#regions.add(seen)) this.#addKnown(known);
  }

  /** A monitor that was not probed after all. */
  giveBack(monitorId: string): void {
    this.#returned.push(monitorId);
  }

  /** Sends what there is; a failure leaves it for the next time. */
  async send(): Promise<void> {
    await this.#inTurn(() => this.#sendNow(false)).catch((error: unknown) =>
      this.#ports.warn("a batch was not taken and is offered again", error),
    );
  }

  /** Sends now and then until `probing` is over. */
  async sendWhile(probing: Promise<void>): Promise<void> {
    const end = probing.then(() => "over" as const);
    for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs *= INTERVAL_GROWTH) {
      const waitMs = Math.max(0, this.#sentAtMs + intervalMs - this.#ports.clock.now());
      const first = await Promise.race([end, this.#ports.clock.sleep(waitMs)]);
      if (first === "over") return;
      await this.send();
    }
  }

  /**
   * When all lists were asked: whether every gateway failed by network. It is then known of all that follows. Regions without a
   * network say nothing of the Worker's own; where they alone were asked, the tick saw nothing all the same.
   */
  judgeNetwork(): { readonly isBlind: boolean } {
    const hosts = new Set(this.#withheld.flatMap(({ host }) => host ?? []));
    if (hosts.size > 1) this.#network = "failed";
    else this.#proveNetwork();
    for (const known of this.#regions.finish()) this.#addKnown(known);
    const isAnythingSeen = this.recorded + this.#results.length > 0;
    return { isBlind: hosts.size > 1 || (this.#unseen.length > 0 && !isAnythingSeen) };
  }

  #addKnown(seen: Seen): void {
    const result = resultOfRegions(seen);
    if (result === null) return this.giveBack(seen.monitorId);
    const isUnseen = result.outcome.diagnosis.health === "unknown";
    (isUnseen ? this.#unseen : this.#results).push(result);
  }

  /**
   * What is left, offered several times. A tick sends one batch at least, so that the Ledger can tend to itself.
   * @throws what the Ledger throws: some results are not recorded.
   */
  async finish(): Promise<void> {
    await this.#inTurn(() => persevere(this.#ports.clock, () => this.#sendNow(true)));
  }

  /** One batch after the other, or a result would be in two of them. */
  async #inTurn(send: () => Promise<void>): Promise<void> {
    const sending = this.#sending.then(send);
    this.#sending = sending.catch(() => undefined);
    await sending;
  }

  #proveNetwork(): void {
    this.#network = "proven";
    this.#results.push(...this.#withheld.splice(0).map(({ result }) => result));
  }

  async #sendNow(last: boolean): Promise<void> {
    this.#sentAtMs = this.#ports.clock.now();
    const results = [...this.#results];
    const returned = [...this.#returned];
    const isEmpty = results.length === 0 && returned.length === 0;
    if (!isEmpty || (last && this.#batches === 0)) await this.#sendResults(results, returned);
    await this.#sendUnreached();
  }

  async #sendResults(results: readonly ProbeResult[], returned: readonly string[]): Promise<void> {
    await this.#record({ ...this.#request, results, returned, ownNetworkFailed: false });
    this.#batches += 1;
    this.recorded += results.length;
    this.#results = this.#results.slice(results.length);
    this.#returned = this.#returned.slice(returned.length);
  }

  /** What networks are to blame for: the Worker's own, and those of regions. */
  async #sendUnreached(): Promise<void> {
    const withheld = new Set(this.#network === "failed" ? this.#withheld : []);
    const unseen = [...this.#unseen];
    const results = [...Array.from(withheld, ({ result }) => result), ...unseen];
    if (results.length === 0) return;
    await this.#record({ ...this.#request, results, returned: [], ownNetworkFailed: true });
    this.recorded += results.length;
    this.#withheld = this.#withheld.filter((of) => !withheld.has(of));
    this.#unseen = this.#unseen.slice(unseen.length);
  }

  /** A call that never ends must not keep the results of the whole tick. */
  async #record(batch: Batch): Promise<void> {
    const { ledger, clock } = this.#ports;
    const limit = clock.timeoutSignal(LONGEST_CALL_MS);
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error("the Ledger did not answer in time"));
      limit.addEventListener("abort", fail, { once: true });
    });
    await Promise.race([ledger.record(batch), late]);
  }
}
