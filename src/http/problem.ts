/**
 * Failures as RFC 9457 tells them.
 */
import type { ReadFailure } from "../history/reader.ts";
import { respond } from "./respond.ts";

export interface Fault {
  readonly detail: string;
  /** A JSON pointer as a fragment (RFC 6901, 6): `#/from` is the parameter or member `from`, `#` the whole body. */
  readonly pointer: string;
}

export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param caching `private`: for nobody but who asked, and for no other origin's script. */
export function respondWithProblem(
  request: Request,
  problem: Problem,
  caching: "none" | "private" = "none",
): Response {
  const { status, title, detail, errors, headers } = problem;
  const instance = new URL(request.url).pathname;
  const body = JSON.stringify({
    type: "about:blank",
    title,
    status,
    detail,
    instance,
    ...(errors && { errors }),
  });
  const type = "application/problem+json";
  return respond(request, { status, type, caching, etag: null, ...(headers && { headers }) }, () => body);
}

export function notFound(detail: string): Problem {
  return { status: 404, title: "Not found", detail };
}

export function badRequest(errors: readonly Fault[]): Problem {
  const detail = errors.map((fault) => `${fault.pointer.slice(2)}: ${fault.detail}`).join("; ");
  return { status: 400, title: "Bad request", detail, errors };
}

/** A body that is JSON, and not what it should be. */
export function unprocessable(errors: readonly Fault[]): Problem {
  return { status: 422, title: "Unprocessable content", detail: "The body has faults: see errors.", errors };
}

/** Why there is nothing to show, in words for readers. */
export function unavailable(failure: ReadFailure): Problem {
  const title = "Service unavailable";
  switch (failure.kind) {
    case "absent":
      return {
        status: 503,
        title,
        detail: "There is no result yet: the first check runs within a minute.",
        headers: { "retry-after": "60" },
      };
    case "outage":
      return {
        status: 503,
        title,
        detail: "The store of results does not answer. The checks themselves may well go on.",
        headers: { "retry-after": "30" },
      };
    case "unreadable":
      return {
        status: 503,
        title,
        detail: "The stored result is damaged or of another version. The next publication replaces it.",
        headers: { "retry-after": "120" },
      };
  }
}
