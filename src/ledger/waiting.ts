/**
 * What a Ledger does about gateways that another one may know, while not all have told: they wait, but not for ever. Then they are
 * begun without what that one may have, and it is asked again now and then.
 */
import { LONGEST_LANE_LEASE_MS } from "../domain/assignment.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Taker } from "./taker.ts";
import type { Territory } from "./territory.ts";

/** Whoever does not answer for so many ticks holds nothing up any longer: a gateway that nobody watches is worse than a gap. */
const UNHEARD_TICKS = 3;
/** What another one says it holds is waited for longer: it may be asked about at that moment. */
const HELD_MS = 2 * LONGEST_LANE_LEASE_MS;
/** How often it is asked for what is begun already: it may hang, and the tick waits for it. */
const ASKED_AGAIN_MS = 5 * MINUTE_MS;

interface WaitingWorld {
  readonly now: () => number;
  readonly tickIntervalMs: number;
  readonly warn: (what: string) => void;
}

export interface Heard {
  /** Gateways that others say they have. */
  readonly held: ReadonlySet<string>;
  /** Somebody did not answer. */
  readonly isSilent: boolean;
}

export class Waiting {
  readonly #world: WaitingWorld;
  readonly #taker: Taker;
  readonly #territory: Territory;
  #askAgainMs = 0;

  constructor(world: WaitingWorld, taker: Taker, territory: Territory) {
    this.#world = world;
    this.#taker = taker;
    this.#territory = territory;
  }

  /** Is there something to ask for now? */
  get isDue(): boolean {
    const begun = new Set(this.#taker.begunUnheard());
    const missing = this.#taker.missing();
    const isWaiting = missing.some(({ id }) => !begun.has(id));
    return isWaiting || (missing.length > 0 && this.#isAskedAgain());
  }

  /** What comes from one Ledger is not all where another one does not answer. */
  note(ids: readonly string[], heard: Heard): void {
    this.#taker.noteUnheard(ids, waitingOf(ids, heard));
    this.#taker.expect([...heard.held].filter((id) => !ids.includes(id)));
  }

  /** @returns whether all that is missing by now was asked for. */
  go(ids: readonly string[], { held, isSilent }: Heard): boolean {
    const { now, tickIntervalMs, warn } = this.#world;
    const unheard = this.#taker.noteUnheard(ids, waitingOf(ids, { held, isSilent }));
    const known = new Set(this.#taker.begunUnheard());
    const begun = ids.filter((id) => {
      const waitedMs = now() - (unheard[id] ?? now());
      return waitedMs >= (held.has(id) ? HELD_MS : UNHEARD_TICKS * tickIntervalMs);
    });
    const fresh = begun.filter((id) => !known.has(id));
    if (fresh.length > 0) warn(`begun without what a silent ledger may have of them: ${fresh.join(", ")}`);
    // What was promised to another one is missing as soon as that one says that it has it, which may be meanwhile.
    const unasked = this.#taker.missing().flatMap(({ id }) => (ids.includes(id) ? [] : [id]));
    const waiting = Object.keys(unheard).filter((id) => !begun.includes(id));
    this.#territory.awaitOnly(new Set([...waiting, ...unasked]));
    this.#askAgainMs = now() + ASKED_AGAIN_MS;
    return unasked.length === 0;
  }

  #isAskedAgain(): boolean {
    const leftMs = this.#askAgainMs - this.#world.now();
    return leftMs <= 0 || leftMs > ASKED_AGAIN_MS;
  }
}

function waitingOf(ids: readonly string[], { held, isSilent }: Heard): ReadonlySet<string> {
  return new Set(isSilent ? ids : ids.filter((id) => held.has(id)));
}
