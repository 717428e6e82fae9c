/** Which shard's Ledger has which gateway. Ledger 0 places new ones, the others keep a copy. One shard needs no directory. */
import type { Config, GatewayConfig } from "../config/config.ts";
import { gatewaysBefore, type Placement, placed, shardsInUse } from "../config/plan-limits.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import { inTime } from "../domain/permits.ts";
import { type LedgerSettings, warnOfLedger } from "./rpc.ts";
import type { LedgerMemory } from "./state/memory.ts";

/** Short, because a tick waits for the Ledgers of other shards. */
const LONGEST_CALL_MS = 5000;

export class Directory {
  readonly #settings: LedgerSettings;
  readonly #memory: LedgerMemory;
  #placement: Placement | null;

  constructor(settings: LedgerSettings, memory: LedgerMemory) {
    this.#settings = settings;
    this.#memory = memory;
    this.#placement = memory.state.directory;
  }

  get own(): Config {
    const { config } = this.#settings;
    return { ...config, gateways: config.gateways.filter((gateway) => this.#isOwn(gateway)) };
  }

  held(): readonly string[] {
    return [...new Set(Object.keys(this.#memory.state.monitors).map(gatewayOf))];
  }

  get shards(): number {
    return shardsInUse(this.#settings.config, this.#placement ?? {});
  }

  /** For Ledger 0: places each configured gateway. Rejects if another Ledger does not say which gateways it has. */
  async place(): Promise<Placement> {
    const { config } = this.#settings;
    if (this.#placement === null && config.shards === 1) return {};
    const known = this.#placement ?? (await this.#whatOthersHold());
    this.#take(placed(config, known));
    return this.#placement ?? {};
  }

  /** Never rejects: if the directory cannot be read, this Ledger continues with the gateways that it has. */
  async renew(): Promise<void> {
    const { config, shard } = this.#settings;
    const known = this.#placement;
    const isKnown = known !== null && config.gateways.every(({ id }) => Object.hasOwn(known, id));
    if (isKnown || (shard === 0 && known === null && config.shards === 1)) return;
    try {
      if (shard === 0) await this.place();
      else this.#take(await this.#answered(this.#settings.peer(0).directory()));
    } catch (error) {
      warnOfLedger("new gateways have no place yet", error);
    }
  }

  /** For installations that are older than the directory: each gateway stays where it is. */
  async #whatOthersHold(): Promise<Placement> {
    const others = Array.from({ length: this.#settings.config.shards - 1 }, (_, index) => index + 1);
    const calls = others.map((shard) => this.#answered(this.#settings.peer(shard).heldGateways()));
    const entries = [this.held(), ...(await Promise.all(calls))].flatMap((ids, shard) =>
      ids.map((id) => [id, shard] as const),
    );
    return Object.fromEntries(entries);
  }

  #answered<Value>(call: Promise<Value>): Promise<Value> {
    return inTime(call, this.#settings.timeoutSignal(LONGEST_CALL_MS));
  }

  #take(placement: Placement): void {
    if (placement === this.#placement) return;
    this.#memory.commit({ ...this.#memory.state, directory: placement });
    this.#placement = placement;
  }

  #isOwn(gateway: GatewayConfig): boolean {
    const { config, shard } = this.#settings;
    if (this.#placement !== null) return this.#placement[gateway.id] === shard;
    if (shard === 0 && config.shards === 1) return true;
    const ids = new Set(this.held());
    return [gateway.id, ...gatewaysBefore(gateway)].some((id) => ids.has(id));
  }
}
