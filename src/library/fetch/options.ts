/** The options of a client of gateways, their defaults, and the types of its platform. */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import type { Kind } from "../../protocol/observation.ts";

// The platform's own types: those of the DOM, Node, Deno or Workers. If the compiler knows none of them, they are unknown.

export type Fetch = typeof globalThis extends { fetch: infer Known }
  ? Known
  : (input: string, init?: object) => Promise<unknown>;

export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : unknown;

export type ResponseHeaders = typeof globalThis extends { Headers: { prototype: infer Known } }
  ? Known
  : unknown;

export type FetchedResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : unknown;

export type FetchInput = typeof globalThis extends { Request: { prototype: infer Known } }
  ? string | { readonly href: string } | Known
  : string;

export type FetchInit = typeof globalThis extends { fetch: (input: string, init?: infer Known) => unknown }
  ? NonNullable<Known>
  : object;

/** What is asked, for functions that decide by it. */
export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly headers: ResponseHeaders;
}

/** For one request, as the member `gatepulse` of its init. */
export interface RequestRules {
  /** What is asked for; it decides which shape a success must have. Null: nothing that a shape is known of. */
  readonly kind?: Kind | null | undefined;
  /** True: it may be sent again although it may have been accepted. */
  readonly idempotent?: boolean | undefined;
  /** In milliseconds, for one attempt. */
  readonly timeoutMs?: number | undefined;
}

/** One exchange that is over. It contains nothing secret. */
export interface AttemptEvent {
  /** From 1. */
  readonly attempt: number;
  readonly method: string;
  /** Redacted. */
  readonly url: string;
  /** Null: no status came. */
  readonly status: number | null;
  /** From the request until the answer was judged, or a stream of it began. */
  readonly durationMs: number;
  /** Null: nothing speaks against the answer. */
  readonly diagnosis: Diagnosis | null;
}

/** A request that waits before it is sent, mostly again. */
export interface RetryEvent extends AttemptEvent {
  readonly diagnosis: Diagnosis;
  /** True: it waits because the gateway asked another request to this origin to wait; `diagnosis` is of that one. */
  readonly heldBack: boolean;
  /** Not counting the chance of up to half a second that is added. */
  readonly waitMs: number;
}

/** Time, as an option, so that tests can set it. */
export interface FetchClock {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: Signal | null) => Promise<void>;
  /** Calls `onTimeout` after `ms` milliseconds, unless the returned function cancels it first. */
  readonly timeout: (ms: number, onTimeout: () => void) => () => void;
}

/** One that answers the same requests as the others. */
export interface RoutedGateway {
  /** Requests for any of them are written below it. Example: `https://api.acme.example`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Those of one account share its balance: if that is used up, none of them is tried; default: an own one. */
  readonly account?: string | undefined;
}

export interface RouteOptions {
  /** Of the Gatepulse page that watches the gateways. Example: `https://status.acme.example`. */
  readonly statusUrl: string;
  /** The page's VIEW_TOKEN; default: the page is public. */
  readonly viewToken?: string | undefined;
  /** By their ids on that page. Their order holds where the page says nothing. */
  readonly gateways: Readonly<Record<string, RoutedGateway>>;
}

export interface FetchOptions {
  /** Sends a request; default: the global `fetch`, as it is when a request is sent. */
  readonly fetch?: Fetch | undefined;
  /** Values that no error may show, beside the keys that a request itself carries. */
  readonly secrets?: readonly string[] | undefined;
  /** What requests ask for; default: by method and path. */
  readonly kind?: Kind | null | ((request: RequestFacts) => Kind | null) | undefined;
  /** False: an answer whose status is not 2xx is given back as it is; default: true. */
  readonly throwHttpErrors?: boolean | undefined;
  /** Whether a POST or PATCH may be sent again although it may have been accepted; default: false. */
  readonly idempotent?: boolean | ((request: RequestFacts) => boolean) | undefined;
  /** Requests for one call, 1 or more; default: 4. */
  readonly maxAttempts?: number | undefined;
  /** For all waits of one call, in milliseconds; default: 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** For one attempt, in milliseconds: the headers, and the body where that is read; default: 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Of a body that is read and judged, in bytes; a longer one of a generation passes through unread; default: 8 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Requests and open streams at once to one origin, 1 or more; default: 8. */
  readonly maxConcurrent?: number | undefined;
  /** Whether a wait that one request is asked for holds back all requests to that origin; default: true. */
  readonly sharesWaits?: boolean | undefined;
  /** Gateways to choose from: the best that serves the model is asked first, and another if that fails; default: none. */
  readonly route?: RouteOptions | undefined;
  readonly onAttempt?: ((event: AttemptEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  readonly clock?: FetchClock | undefined;
  /** 0 to 1, 1 excluded; default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export type Settings = {
  readonly [Name in Exclude<keyof FetchOptions, "kind" | "route">]-?: Exclude<FetchOptions[Name], undefined>;
} & Pick<FetchOptions, "kind">;

/** @throws TypeError where a number is none that can be meant, or a secret is no text. */
export function settingsOf(options: FetchOptions): Settings {
  const { gateways = {}, viewToken } = options.route ?? {};
  const keys = Object.values(gateways).map(({ apiKey }) => apiKey);
  return {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    secrets: textsOf("secrets", [
      ...(options.secrets ?? []),
      ...keys,
      ...(viewToken === undefined ? [] : [viewToken]),
    ]),
    kind: options.kind,
    throwHttpErrors: options.throwHttpErrors ?? true,
    idempotent: options.idempotent ?? false,
    maxAttempts: atLeast(1, "maxAttempts", options.maxAttempts ?? 4),
    maxWaitMs: atLeast(0, "maxWaitMs", options.maxWaitMs ?? 60_000),
    timeoutMs: atLeast(1, "timeoutMs", options.timeoutMs ?? 600_000),
    maxBodyBytes: atLeast(1, "maxBodyBytes", options.maxBodyBytes ?? 8 * 1024 * 1024),
    sharesWaits: options.sharesWaits ?? true,
    maxConcurrent: atLeast(1, "maxConcurrent", options.maxConcurrent ?? 8),
    onAttempt: options.onAttempt ?? ignore,
    onRetry: options.onRetry ?? ignore,
    clock: options.clock ?? SYSTEM_CLOCK,
    random: options.random ?? (() => Math.random()),
  };
}

/** An environment variable that is not set fails now, not at the first failed request. */
function textsOf(name: string, values: readonly unknown[]): readonly string[] {
  return values.map((value) => {
    if (typeof value === "string") return value;
    throw new TypeError(
      `${name} must be strings, but one of them is ${value === null ? "null" : typeof value}`,
    );
  });
}

/** NaN is less than nothing. */
export function atLeast(least: number, name: string, value: number): number {
  if (value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, but is ${String(value)}`);
}

function ignore(): void {
  return undefined;
}

/** The longest delay that the timers of most runtimes take. */
const LONGEST_MS = 2_147_483_647;

/** The runtime's timers, looked up when they are used. */
export const SYSTEM_CLOCK: FetchClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
      if (signal?.aborted === true) wake();
      else signal?.addEventListener("abort", wake);
    }),
  timeout: (ms, onTimeout) => {
    const timer = setTimeout(onTimeout, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
