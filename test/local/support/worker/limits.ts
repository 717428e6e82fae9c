/**
 * Time limits that end what hangs on purpose, and nothing else: however long a busy machine takes over an answer, it is
 * waited for. Who hangs the test's side knows.
 */

import type { IsToGateway } from "./sends.ts";

/** How soon one that does not hang yet is looked at again, in real milliseconds. */
const LOOK_MS = 5;

interface Limit {
  /** The time has passed. */
  readonly passed: Promise<void>;
  end(): void;
}

/** One a runtime. */
export class Limits {
  readonly #limits = new WeakMap<AbortSignal, Limit>();
  #hanging: Fetcher | null = null;

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

  /** From here on every `fetch` of the runtime passes through it. */
  watch(isToGateway: IsToGateway): void {
    const plainFetch = globalThis.fetch;
    globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
      const limit = init?.signal && this.#limits.get(init.signal);
      const answering = plainFetch(input, init);
      if (limit && typeof input === "string") {
        // A message's status says all: nobody waits for what comes behind it.
        const asked = {
          path: new URL(input).pathname,
          isMessage: init.method === "POST" && !isToGateway(input),
          answering,
        };
        this.#endOnceHanging(limit, asked).catch(() => undefined);
      }
      return answering;
    };
  }

  async #endOnceHanging(limit: Limit, { path, isMessage, answering }: Asked): Promise<void> {
    const sinceMs = Date.now();
    let isAnswered = false;
    const onAnswer = () => void (isAnswered = true);
    answering.then(onAnswer, onAnswer);
    await limit.passed;
    for (;;) {
      const wasAnswered = isAnswered;
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

/** One `fetch` under way. */
interface Asked {
  readonly path: string;
  readonly isMessage: boolean;
  readonly answering: Promise<unknown>;
}

function sleep(realMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, realMs);
  });
}
