/**
 * A countdown over everything that the Ledger does: statements of SQL, commits, alarms, calls, messages. At its end the
 * object dies on the spot, in the middle of what it was doing.
 */

/** One a runtime: it outlives the objects. */
export class Deaths {
  #countdowns: number[] = [];
  #left: number | null = null;
  /** Where the objects died, in order. */
  readonly places: string[] = [];
  /** Grows with each step that is taken. */
  steps = 0;

  /** One countdown a life, from now on; after the last the object lives. */
  arm(countdowns: readonly number[]): void {
    this.#countdowns = [...countdowns];
    this.#left = this.#countdowns.shift() ?? null;
  }

  /** How many are still to die. */
  get toCome(): number {
    return this.#countdowns.length + (this.#left === null ? 0 : 1);
  }

  /** Does not return where the object dies. */
  step(name: string, ctx: DurableObjectState): void {
    this.steps += 1;
    if (this.#left === null || (this.#left -= 1) > 0) return;
    this.#left = this.#countdowns.shift() ?? null;
    this.die(name, ctx);
  }

  /** Does not return. */
  die(place: string, ctx: DurableObjectState): void {
    this.places.push(place);
    ctx.abort("killed by the test");
  }
}

/** From here on the storage's steps are counted. */
export function countSteps(ctx: DurableObjectState, deaths: Deaths): void {
  const { storage } = ctx;
  const { sql } = storage;
  const counting = new Proxy(sql, {
    get: (target, name) => {
      if (name !== "exec") return Reflect.get(target, name) as unknown;
      return (query: string, ...values: SqlStorageValue[]) => {
        deaths.step(`sql ${query.trim().split(/\s+/u, 3).join(" ")}`, ctx);
        return target.exec(query, ...values);
      };
    },
  });
  Object.defineProperty(storage, "sql", { value: counting });
  const transactionSync = storage.transactionSync.bind(storage);
  Object.defineProperty(storage, "transactionSync", {
    value: <Value>(write: () => Value): Value => {
      const value = transactionSync(() => {
        const written = write();
        deaths.step("before a commit", ctx);
        return written;
      });
      deaths.step("after a commit", ctx);
      return value;
    },
  });
}
