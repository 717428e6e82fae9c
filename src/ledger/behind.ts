/**
 * Events of gateways that came from another shard wait until that shard's Ledger has told what it owed when it gave them: so the
 * end of an incident is not told before its beginning. A Ledger that does not answer is waited for no longer than a while: to
 * tell late and in another order is better than to tell nothing.
 */
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import type { Behind, Moves } from "./moves.ts";
import type { Bundle } from "./outbox-queue.ts";

export interface BehindWorld {
  moves(): Moves;
  /** @throws when storage fails. */
  note(behind: Moves["behind"]): void;
  /** As `MovingRpc.owing`. Rejects where an answer takes too long. */
  owing(shard: number, to: number): Promise<readonly string[]>;
  now(): number;
  /** Something waits no more. */
  released(): void;
  readonly warn: (what: string, error?: unknown) => void;
}

/** Events from that number on wait; until then at the latest, as far as is known. */
export interface Hold {
  readonly fromSeq: number;
  readonly untilMs: number;
}

/** Who does not answer for so long is not waited for. */
const LONGEST_MS = 15 * MINUTE_MS;

/** That it answered is stored so often: each time is a row. */
const NOTED_EVERY_MS = 5 * MINUTE_MS;

/** By then nothing is owed any more that was owed before the move. */
const FORGOTTEN_MS = DAY_MS;

export class BehindOthers {
  readonly #world: BehindWorld;
  /** The channels that were owed something when it was last asked. */
  readonly #owed = new Map<string, ReadonlySet<string>>();
  #hearing: Promise<void> | null = null;

  constructor(world: BehindWorld) {
    this.#world = world;
  }

  /** Asks who still owes. Never rejects. */
  async hear(): Promise<void> {
    if (this.#world.moves().behind.length === 0) return;
    this.#hearing ??= this.#hearNow();
    try {
      await this.#hearing;
    } catch (error) {
      this.#world.warn("what other shards owe could not be noted, and is asked for again", error);
    } finally {
      this.#hearing = null;
    }
  }

  /** Null: nothing of the channel waits for others. */
  holdOf(channel: string): Hold | null {
    const nowMs = this.#world.now();
    const holds = this.#world.moves().behind.filter((of) => this.#isHeld(of, channel, nowMs));
    if (holds.length === 0) return null;
    return {
      fromSeq: Math.min(...holds.map(({ ownFrom }) => ownFrom)),
      untilMs: Math.min(...holds.map(({ heardMs }) => heardMs + LONGEST_MS)),
    };
  }

  #isHeld(of: Behind, channel: string, nowMs: number): boolean {
    // What a clock wrote that ran ahead counts for nothing.
    if (Math.abs(nowMs - of.heardMs) >= LONGEST_MS) return false;
    return this.#owed.get(nameOf(of))?.has(channel) ?? true;
  }

  async #hearNow(): Promise<void> {
    const asked = this.#world.moves().behind;
    const heard = new Map(
      await Promise.all(asked.map(async (of) => [nameOf(of), await this.#ask(of)] as const)),
    );
    const nowMs = this.#world.now();
    const before = this.#world.moves().behind;
    const behind = before.flatMap((of) => leftOf(of, heard.get(nameOf(of)) ?? null, nowMs));
    for (const [name, owed] of heard) if (owed !== null) this.#owed.set(name, new Set(owed));
    const isSame = behind.length === before.length && behind.every((of, place) => of === before[place]);
    if (!isSame) this.#world.note(behind);
    if (behind.length < before.length) this.#world.released();
  }

  async #ask({ from, to }: Behind): Promise<readonly string[] | null> {
    try {
      return await this.#world.owing(from, to);
    } catch (error) {
      this.#world.warn(`the ledger of shard ${from} does not say what it still owes`, error);
      return null;
    }
  }
}

function leftOf(of: Behind, owed: readonly string[] | null, nowMs: number): readonly Behind[] {
  const agoMs = Math.abs(nowMs - of.heardMs);
  if (owed === null) return agoMs < FORGOTTEN_MS ? [of] : [];
  if (owed.length === 0) return [];
  return [agoMs < NOTED_EVERY_MS ? of : { ...of, heardMs: nowMs }];
}

function nameOf({ from, to, ownFrom }: Behind): string {
  return `${from}/${to}/${ownFrom}`;
}

/** Null: all of it waits. */
export function withoutHeld(bundle: Bundle | null, hold: Hold | null): Bundle | null {
  if (bundle === null || hold === null) return bundle;
  const [head, ...rest] = bundle.entries;
  if (head.seq >= hold.fromSeq) return null;
  return { ...bundle, entries: [head, ...rest.filter(({ seq }) => seq < hold.fromSeq)] };
}
