/**
 * Results on their way from a tick to the Ledger, in batches: after five seconds and after the fast wave, then
 * less and less often. What the Ledger did not take is offered again with the next batch.
 */
import { reachOf, type Probed } from "../domain/probe-outcome.ts";
import { combineOutcomes, isReached } from "../domain/regions.ts";
import type { Batch, BeginAnswer, BeginRequest, ProbeResult, RegionReport } from "../domain/tick.ts";
import { persevere, type Clock } from "./clock.ts";

/** The result of all regions together; null where too few reported. @param asked from how many regions. */
export function resultOfRegions(
  monitorId: string,
  reports: readonly RegionReport[],
  asked: number,
): ProbeResult | null {
  const outcome = combineOutcomes(reports, asked);
  const isSilent = reports.every((report) => report.outcome.diagnosis.health !== "unknown");
  if (outcome === null || (isSilent && outcome.diagnosis.health === "unknown")) return null;
  const alike = reports.filter((report) => report.outcome.diagnosis.health === outcome.diagnosis.health);
  const findings = [...alike, ...reports].find((report) => report.findings !== undefined)?.findings;
  const regions = reports.map((report) => ({ region: report.region, outcome: report.outcome }));
  return findings === undefined ? { monitorId, outcome, regions } : { monitorId, outcome, findings, regions };
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

export class Recorder {
  readonly #request: BeginRequest;
  readonly #ports: RecorderPorts;
  /** Network failures wait here until some gateway was reached: all failing at once says nothing about any of them. */
  #withheld: { readonly result: ProbeResult; readonly host: string | null }[] = [];
  /** `failed`: all of the tick's lists failed by network; what fails so later is told as such. */
  #network: "unproven" | "proven" | "failed";
  #results: ProbeResult[] = [];
  #returned: string[] = [];
  #sending: Promise<void> = Promise.resolve();
  #sentAtMs: number;
  #batches = 0;
  recorded = 0;

  /** @param severalHosts are asked, of which that they are not reached says something of the network. */
  constructor(request: BeginRequest, ports: RecorderPorts, severalHosts: boolean) {
    this.#request = request;
    this.#ports = ports;
    this.#network = severalHosts ? "unproven" : "proven";
    this.#sentAtMs = ports.clock.now();
  }

  /** @param host of the gateway; null where that it is not reached says nothing of the network. */
  add(result: ProbeResult, host: string | null): void {
    if (isReached(result)) this.#proveNetwork();
    const isUnreached = reachOf(result.outcome.diagnosis) === "unreached";
    if (isUnreached && this.#network !== "proven") this.#withheld.push({ result, host });
    else this.#results.push(result);
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

  /** When all lists were asked. True: every gateway failed by network, and so it is known of all that follows. */
  judgeNetwork(): boolean {
    const hosts = new Set(this.#withheld.flatMap(({ host }) => host ?? []));
    if (hosts.size > 1) this.#network = "failed";
    else this.#proveNetwork();
    return hosts.size > 1;
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

  async #sendNow(isLast: boolean): Promise<void> {
    this.#sentAtMs = this.#ports.clock.now();
    const results = [...this.#results];
    const returned = [...this.#returned];
    if (results.length + returned.length > 0 || (isLast && this.#batches === 0)) {
      await this.#record({ ...this.#request, results, returned, ownNetworkFailed: false });
      this.#results = this.#results.slice(results.length);
      this.#returned = this.#returned.slice(returned.length);
    }
    // What the monitoring's own network is to blame for.
    const unreached = this.#network === "failed" ? this.#withheld.map(({ result }) => result) : [];
    if (unreached.length === 0) return;
    await this.#record({ ...this.#request, results: unreached, returned: [], ownNetworkFailed: true });
    this.#withheld = this.#withheld.slice(unreached.length);
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
    this.#batches += 1;
    this.recorded += batch.results.length;
  }
}
