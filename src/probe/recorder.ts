/**
 * Results on their way from a tick to the Ledger, in batches: after five seconds and after the fast wave, else more and
 * more seldom. What the Ledger did not take is offered again with the next batch.
 */
import type { Batch, BeginAnswer, BeginRequest, ProbeResult } from "../domain/tick.ts";
import { reachOf } from "../domain/reach.ts";
import type { Clock } from "./clock.ts";
import { persevere } from "./persevere.ts";

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

export class Recorder {
  readonly #request: BeginRequest;
  readonly #ports: RecorderPorts;
  /** Network failures wait here until some gateway was reached: all failing at once says nothing about any of them. */
  readonly #withheld: { result: ProbeResult; host: string | null }[] = [];
  #networkProven: boolean;
  #results: ProbeResult[] = [];
  #returned: string[] = [];
  #sending: Promise<void> = Promise.resolve();
  #sentAtMs: number;
  #batches = 0;
  recorded = 0;

  constructor(request: BeginRequest, ports: RecorderPorts, severalHosts: boolean) {
    this.#request = request;
    this.#ports = ports;
    this.#networkProven = !severalHosts;
    this.#sentAtMs = ports.clock.now();
  }

  /** @param host of the gateway; null where that it is not reached says nothing of the network. */
  add(result: ProbeResult, host: string | null): void {
    const reach = reachOf(result.outcome.diagnosis);
    if (reach === "reached") this.#proveNetwork();
    if (reach === "unreached" && !this.#networkProven) this.#withheld.push({ result, host });
    else this.#results.push(result);
  }

  /** A monitor that was not probed after all. */
  giveBack(monitorId: string): void {
    this.#returned.push(monitorId);
  }

  /** Sends what there is; a failure leaves it for the next time. */
  async send(): Promise<void> {
    this.#sending = this.#sending
      .then(() => this.#sendNow(false))
      .catch((error: unknown) => this.#ports.warn("a batch was not taken and is offered again", error));
    await this.#sending;
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
   * The last batch, offered several times. A tick sends one at least, so that the Ledger can tend to itself.
   * @returns whether every gateway failed by network. @throws what the Ledger throws: some results are not recorded.
   */
  async finish(): Promise<{ readonly ownNetworkFailed: boolean }> {
    await this.#sending;
    const hosts = new Set(this.#withheld.flatMap(({ host }) => host ?? []));
    const ownNetworkFailed = hosts.size > 1;
    if (!ownNetworkFailed) this.#proveNetwork();
    await persevere(this.#ports.clock, async () => {
      await this.#sendNow(true);
      if (ownNetworkFailed) await this.#sendWithheld();
    });
    return { ownNetworkFailed };
  }

  #proveNetwork(): void {
    this.#networkProven = true;
    this.#results.push(...this.#withheld.splice(0).map(({ result }) => result));
  }

  async #sendNow(last: boolean): Promise<void> {
    this.#sentAtMs = this.#ports.clock.now();
    const results = [...this.#results];
    const returned = [...this.#returned];
    const empty = results.length === 0 && returned.length === 0;
    if (empty && (!last || this.#batches > 0)) return;
    await this.#record({ ...this.#request, results, returned, ownNetworkFailed: false });
    this.#batches += 1;
    this.recorded += results.length;
    this.#results = this.#results.slice(results.length);
    this.#returned = this.#returned.slice(returned.length);
  }

  async #sendWithheld(): Promise<void> {
    const results = this.#withheld.map(({ result }) => result);
    await this.#record({ ...this.#request, results, returned: [], ownNetworkFailed: true });
    this.recorded += results.length;
  }

  /** A call that never ends must not keep the results of the whole tick. */
  async #record(batch: Batch): Promise<void> {
    const { ledger, clock } = this.#ports;
    const late = clock.sleep(LONGEST_CALL_MS).then(() => "late" as const);
    const first = await Promise.race([ledger.record(batch), late]);
    if (first === "late") throw new Error("the Ledger did not answer in time");
  }
}
