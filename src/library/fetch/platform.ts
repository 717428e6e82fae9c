/**
 * The platform's own types, whichever it is: those of the DOM, of Node, of Deno or of Workers. Where none of them is
 * known to the compiler, the shapes that are needed stand in.
 */
interface PlainSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
}

interface PlainHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

interface PlainResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly url: string;
  readonly headers: PlainHeaders;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

interface PlainInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: PlainSignal | null;
}

type PlainFetch = (input: string, init?: PlainInit) => Promise<PlainResponse>;

export type Fetch = typeof globalThis extends { fetch: infer Known } ? Known : PlainFetch;

export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : PlainSignal;

export type ResponseHeaders = typeof globalThis extends { Headers: { prototype: infer Known } }
  ? Known
  : PlainHeaders;

export type FetchedResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : PlainResponse;

export type FetchInput = typeof globalThis extends { Request: { prototype: infer Known } }
  ? string | { readonly href: string } | Known
  : string;

export type FetchInit = typeof globalThis extends { fetch: (input: string, init?: infer Known) => unknown }
  ? NonNullable<Known>
  : PlainInit;
