/**
 * What is posted, as steps: a message to a receiver is one of the Ledger, the request of a canary to a gateway one of the
 * Worker.
 */
import { obey, type Steps } from "./steps.ts";

export interface Sends {
  /** Messages that await an answer. */
  readonly underWay: number;
  /** The object that lives now; what those before it began is forgotten. */
  tellTo(steps: Steps): void;
  /** Who is told of what the Worker posts. */
  tellOfCanariesTo(steps: Steps): void;
}

export type IsToGateway = (url: string) => boolean;

/** By the addresses below which gateways are asked. */
export function toGateways(baseUrls: readonly string[]): IsToGateway {
  return (url) => baseUrls.some((baseUrl) => url.startsWith(`${baseUrl}/`));
}

/** From here on every `fetch` of the runtime passes through it. */
export function watchSends(isToGateway: IsToGateway): Sends {
  const plainFetch = globalThis.fetch;
  let tell: Steps | null = null;
  let tellOfCanaries: Steps | null = null;
  /** One a life, so that what ends after a death is not counted in the next. */
  let life = { underWay: 0 };
  const stepped = async (name: string, steps: Steps, url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    await obey(steps, `${name}:before`, pathname);
    const response = await plainFetch(url, init);
    await obey(steps, `${name}:after`, pathname);
    return response;
  };
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    if (typeof input !== "string" || init?.method !== "POST") return plainFetch(input, init);
    if (isToGateway(input)) {
      return tellOfCanaries === null ? plainFetch(input, init) : stepped("ask", tellOfCanaries, input, init);
    }
    if (tell === null) return plainFetch(input, init);
    const own = life;
    own.underWay += 1;
    try {
      return await stepped("send", tell, input, init);
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
    tellOfCanariesTo: (steps) => {
      tellOfCanaries = steps;
    },
  };
}
