/**
 * The outbox as the courier sees it. What was delivered is kept here until it is noted: where a transaction fails the
 * outbox is read anew, and is told of it again, so that failing storage makes nobody hear a thing twice. Only an object
 * that dies meanwhile sends it again.
 */
import type { Bundle, TryEnd } from "./outbox-queue.ts";
import type { Outbox } from "./outbox.ts";

export interface BooksWorld {
  /** The present one: where a transaction fails, another takes its place. */
  outbox(): Outbox;
  /** @throws when storage fails. */
  transact(write: (outbox: Outbox) => void): void;
  now(): number;
  warn(what: string, error?: unknown): void;
}

/** After a failure of storage it is tried again so much later. */
export const PAUSE_MS = 30_000;

/** While storage fails, a channel is told of no more events than so many: they are kept in memory alone. */
const MOST_UNNOTED = 200;

interface Delivered {
  readonly name: string;
  readonly bundle: Bundle;
  readonly end: TryEnd;
}

export class Books {
  readonly #world: BooksWorld;
  readonly #unnoted: Delivered[] = [];
  /** The outbox that knows the first so many of them. */
  #told: { readonly outbox: Outbox; readonly count: number } | null = null;
  /** Storage failed, and is tried then; null: as far as is known it works. */
  #retryMs: number | null = null;
  #hasNoteFailed = false;
  #recoveries = 0;

  constructor(world: BooksWorld) {
    this.#world = world;
  }

  /** How often storage worked again after it was seen to take no note. */
  get recoveries(): number {
    return this.#recoveries;
  }

  /** The present outbox, which knows all that was delivered. @throws when it cannot be read. */
  outbox(): Outbox {
    const outbox = this.#world.outbox();
    let count = 0;
    if (outbox === this.#told?.outbox) {
      ({ count } = this.#told);
      if (isAllNoted(outbox)) {
        this.#unnoted.splice(0, count);
        count = 0;
      }
    }
    // That writes nothing, and so needs no transaction.
    for (const { name, bundle, end } of this.#unnoted.slice(count))
      outbox.settle(name, bundle, { type: "delivered" }, end);
    this.#told = { outbox, count: this.#unnoted.length };
    return outbox;
  }

  /** @throws when storage fails. */
  transact(write: (outbox: Outbox) => void): void {
    try {
      this.outbox();
      this.#world.transact(write);
    } catch (error) {
      this.#retryMs = this.#world.now() + PAUSE_MS;
      throw error;
    }
    if (!isAllNoted(this.outbox())) return;
    this.#retryMs = null;
    if (this.#hasNoteFailed) this.#recoveries += 1;
    this.#hasNoteFailed = false;
  }

  addDelivered(name: string, bundle: Bundle, end: TryEnd): void {
    this.#unnoted.push({ name, bundle, end });
  }

  /** Nothing more may be delivered before that is noted. */
  isFull(name: string): boolean {
    if (!this.#hasNoteFailed) return false;
    const own = this.#unnoted.filter((delivered) => delivered.name === name);
    return own.reduce((sum, { bundle }) => sum + bundle.entries.length, 0) >= MOST_UNNOTED;
  }

  /** Notes what was delivered, where that is due; see `Outbox.isNoteDue`. Never throws. */
  note(mayWait: () => boolean): void {
    const nowMs = this.#world.now();
    const retryMs = this.retryMs(nowMs);
    const isTriedAgain = retryMs !== null && retryMs <= nowMs;
    if (this.#hasNoteFailed && !isTriedAgain) return;
    try {
      const outbox = this.outbox();
      const isDue = isTriedAgain || (!isAllNoted(outbox) && outbox.isNoteDue(nowMs, mayWait()));
      if (isDue) this.transact((of) => of.note());
    } catch (error) {
      this.#retryMs = nowMs + PAUSE_MS;
      if (!this.#hasNoteFailed) this.#world.warn(NOT_NOTED, error);
      this.#hasNoteFailed = true;
    }
  }

  /** When `note` is to be called, as storage failed; null: it works, as far as is known. */
  retryMs(nowMs: number): number | null {
    // A clock that ran ahead and came back must not put it off.
    return this.#retryMs !== null && this.#retryMs > nowMs + PAUSE_MS ? nowMs : this.#retryMs;
  }
}

function isAllNoted(outbox: Outbox): boolean {
  return !outbox.isNoteDue(0, false);
}

const NOT_NOTED =
  "what was delivered cannot be noted: should the Ledger start anew before it can, that is sent again";
