/** How many requests an invocation may begin, whoever of the channels and tests begins them. Nothing is stored. */

/** The free plan allows an invocation 50 requests, of which the Ledger needs some itself. */
export const MOST_REQUESTS = 40;

/** Of whatever was begun in an invocation. */
export interface Allowance {
  /** Requests that may still begin. */
  left: number;
  /** Tests under way, or waiting for their turn: the invocation waits for them. */
  tests: number;
}

export class Allowances {
  #present: Allowance = fresh();

  get present(): Allowance {
    return this.#present;
  }

  /**
   * An invocation begins. What an earlier one began goes on with what is left of its own, and an invocation that comes
   * meanwhile shares that: to whichever of the two the platform counts a request, neither has more.
   * @param isBusy whether any message is under way.
   */
  renew(isBusy: boolean): void {
    const { left, tests } = this.#present;
    if ((!isBusy && tests === 0) || left <= 0) this.#present = fresh();
  }

  beginTest(): Allowance {
    this.#present.tests += 1;
    return this.#present;
  }

  /** The invocation that waited for its tests goes on, and must not use what a later one got meanwhile. */
  endTest(own: Allowance): void {
    own.tests -= 1;
    if (own.tests === 0) this.#present.left = Math.min(this.#present.left, own.left);
  }
}

function fresh(): Allowance {
  return { left: MOST_REQUESTS, tests: 0 };
}
