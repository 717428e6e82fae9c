/**
 * The directory of gateways: which shard's Ledger has which. Ledger 0 places the new ones; the others keep a copy. With one
 * shard there is none, and Ledger 0 has them all.
 */
import type { Config, GatewayConfig } from "../config/config.ts";
import { type Placement, placed, shardsInUse } from "../config/placement.ts";
import { gatewaysBefore } from "../config/gateway-names.ts";
import type { LedgerRpc } from "./rpc.ts";

export interface DirectoryDeps {
  /** With the gateways of all shards. */
  readonly config: Config;
  readonly shard: number;
  readonly peer: (shard: number) => Pick<LedgerRpc, "directory" | "heldGateways">;
  /** Rejects where a call takes too long. */
  readonly inTime: <Value>(work: Promise<Value>) => Promise<Value>;
  /** Null: there is none. */
  readonly read: () => Placement | null;
  readonly write: (placement: Placement) => void;
  /** The ids of gateways of which something is stored here. */
  readonly held: () => readonly string[];
  /** Reports a failure that was survived. */
  readonly warn: (what: string, error: unknown) => void;
}

export class Directory {
  readonly #deps: DirectoryDeps;
  /** Null: nobody wrote one. */
  #placement: Placement | null;
  #own: Config;

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    this.#placement = deps.read();
    this.#own = this.#ownPart();
  }

  /** The configuration with the gateways of this Ledger alone: the same object for as long as they are the same. */
  get own(): Config {
    return this.#own;
  }

  get shards(): number {
    return shardsInUse(this.#deps.config, this.#placement ?? {});
  }

  /** Of Ledger 0: with a place for each configured gateway. Rejects where another Ledger does not tell what it has. */
  async place(): Promise<Placement> {
    const { config } = this.#deps;
    if (this.#placement === null && config.shards === 1) return {};
    const known = this.#placement ?? (await this.#whatOthersHold());
    this.#take(placed(config, known));
    return this.#placement ?? {};
  }

  /** Never rejects: a Ledger that does not hear of new gateways goes on with those that it has. */
  async renew(): Promise<void> {
    const { config, shard } = this.#deps;
    const known = this.#placement;
    const isKnown = known !== null && config.gateways.every(({ id }) => Object.hasOwn(known, id));
    if (isKnown || (shard === 0 && known === null && config.shards === 1)) return;
    try {
      if (shard === 0) await this.place();
      else this.#take(await this.#deps.inTime(this.#deps.peer(0).directory()));
    } catch (error) {
      this.#deps.warn("new gateways have no place yet", error);
    }
  }

  /** An installation of before there was a directory: each gateway stays where it is. */
  async #whatOthersHold(): Promise<Placement> {
    const { config, peer, inTime, held } = this.#deps;
    const others = Array.from({ length: config.shards - 1 }, (_, index) => index + 1);
    const found = await Promise.all(others.map((shard) => inTime(peer(shard).heldGateways())));
    const entries = [held(), ...found].flatMap((ids, shard) => ids.map((id) => [id, shard] as const));
    return Object.fromEntries(entries);
  }

  #take(placement: Placement): void {
    if (placement === this.#placement) return;
    this.#deps.write(placement);
    this.#placement = placement;
    this.#own = this.#ownPart();
  }

  #ownPart(): Config {
    const { config } = this.#deps;
    const gateways = config.gateways.filter((gateway) => this.#isOwn(gateway));
    return gateways.length === config.gateways.length ? config : { ...config, gateways };
  }

  #isOwn(gateway: GatewayConfig): boolean {
    const { config, shard, held } = this.#deps;
    if (this.#placement !== null) return this.#placement[gateway.id] === shard;
    if (shard === 0 && config.shards === 1) return true;
    const ids = new Set(held());
    return [gateway.id, ...gatewaysBefore(gateway)].some((id) => ids.has(id));
  }
}
