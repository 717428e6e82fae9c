/** Messages to receivers, as steps of the Ledger: whatever is fetched by POST is one. */
import { obey, type Steps } from "./steps.ts";

export interface Sends {
  /** How many await an answer. */
  readonly underWay: number;
  /** The object that lives now; what those before it began is forgotten. */
  tellTo(steps: Steps): void;
}

/** From here on every `fetch` of the runtime passes through it. */
export function watchSends(): Sends {
  const plainFetch = globalThis.fetch;
  let tell: Steps | null = null;
  /** One a life, so that what ends after a death is not counted in the next. */
  let life = { underWay: 0 };
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    if (typeof input !== "string" || init?.method !== "POST" || tell === null) return plainFetch(input, init);
    const steps = tell;
    const own = life;
    own.underWay += 1;
    try {
      const { pathname } = new URL(input);
      await obey(steps, "send:before", pathname);
      const response = await plainFetch(input, init);
      await obey(steps, "send:after", pathname);
      return response;
    } finally {
      own.underWay -= 1;
    }
  };
  return {
    get underWay() {
      return life.underWay;
    },
    tellTo: (steps) => {
      tell = steps;
      life = { underWay: 0 };
    },
  };
}
