/**
 * What the runtime fetches, watched: messages to receivers are counted while they are under way, and time limits end what
 * hangs on purpose. Nothing else is ended: however long a busy machine takes over an answer, it is waited for. The test's side
 * knows what hangs.
 */

/** How soon one that does not hang yet is looked at again, in real milliseconds. */
const LOOK_MS = 5;

interface Limit {
  /** The time has passed. */
  readonly passed: Promise<void>;
  end(): void;
}

/** One `fetch` under way. */
interface Asked {
  readonly path: string;
  readonly isMessage: boolean;
  readonly answering: Promise<unknown>;
}

/** One a runtime. */
export class Limits {
  readonly #limits = new WeakMap<AbortSignal, Limit>();
  #hanging: Fetcher | null = null;
  /** One a life of the Ledger, so that what ends after a death is not counted in the next. */
  #life = { underWay: 0 };

  /** From here on every `fetch` of the runtime passes through it. @param gateways base addresses. */
  constructor(gateways: readonly string[]) {
    const plainFetch = globalThis.fetch;
    globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
      const answering = plainFetch(input, init);
      if (typeof input !== "string") return answering;
      const isMessage =
        init?.method === "POST" && !gateways.some((baseUrl) => input.startsWith(`${baseUrl}/`));
      if (isMessage) this.#count(answering);
      const limit = init?.signal && this.#limits.get(init.signal);
      const asked = { path: new URL(input).pathname, isMessage, answering };
      if (limit) this.#endOnceHanging(limit, asked).catch(() => undefined);
      return answering;
    };
  }

  /** Messages that await an answer. */
  get underWay(): number {
    return this.#life.underWay;
  }

  /** A Ledger has started: what those before it began is forgotten. */
  beginLife(): void {
    this.#life = { underWay: 0 };
  }

  #count(answering: Promise<unknown>): void {
    const life = this.#life;
    life.underWay += 1;
    const over = () => void (life.underWay -= 1);
    answering.then(over, over);
  }

  /** Where it is asked who hangs; undefined: nobody does. */
  ask(hanging: Fetcher | undefined): void {
    this.#hanging = hanging ?? null;
  }

  /** For one `fetch`: it aborts no sooner than after so many real milliseconds. */
  signal(realMs: number): AbortSignal {
    const controller = new AbortController();
    const end = () => controller.abort(new DOMException("the time is over", "TimeoutError"));
    if (this.#hanging !== null) this.#limits.set(controller.signal, { passed: sleep(realMs), end });
    return controller.signal;
  }

  async #endOnceHanging(limit: Limit, { path, isMessage, answering }: Asked): Promise<void> {
    const sinceMs = Date.now();
    let isAnswered = false;
    const onAnswer = () => void (isAnswered = true);
    answering.then(onAnswer, onAnswer);
    await limit.passed;
    for (;;) {
      const wasAnswered = isAnswered;
      // A message's status says all: nobody waits for what comes behind it.
      if (wasAnswered && isMessage) return;
      if (await this.#hangs(path, sinceMs)) return limit.end();
      if (wasAnswered) return;
      await sleep(LOOK_MS);
    }
  }

  async #hangs(path: string, sinceMs: number): Promise<boolean> {
    const question = { method: "POST", body: JSON.stringify({ path, sinceMs }) };
    const answer = await this.#hanging?.fetch("http://hanging/", question);
    return (await answer?.json()) === true;
  }
}

function sleep(realMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, realMs);
  });
}
