/**
 * The platform's own types, whichever it is: those of the DOM, of Node, of Deno or of Workers. Where the compiler knows none
 * of them, what is unknown stands in.
 */
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
