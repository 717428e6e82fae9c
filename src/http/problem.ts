/**
 * Failures as RFC 9457 tells them.
 */
import type { ReadFailure } from "../history/reader.ts";
import type { ProblemName } from "./pages/words/catalogue.ts";
import { EN } from "./pages/words/en.ts";
import type { ProblemAnswer } from "./answers.ts";
import { respond } from "./respond.ts";

export interface Fault {
  readonly detail: string;
  /** A JSON pointer as a fragment (RFC 6901, 6): `#/from` is the parameter or member `from`, `#` the whole body. */
  readonly pointer: string;
}

export interface Problem {
  readonly status: number;
  /** Where pages have words of it in the reader's language; else absent. */
  readonly name?: ProblemName;
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
    ...(errors && { errors: [...errors] }),
  } satisfies ProblemAnswer);
  const type = "application/problem+json";
  return respond(request, { status, type, caching, etag: null, ...(headers && { headers }) }, () => body);
}

/** One that pages tell too. */
export function problemOf(name: ProblemName, status: number, headers?: Problem["headers"]): Problem {
  return { status, name, ...EN.problems[name], ...(headers && { headers }) };
}

export function notFound(detail: string): Problem {
  return { status: 404, title: "Not found", detail };
}

export function badRequest(errors: readonly Fault[]): Problem {
  const detail = errors.map((fault) => `${fault.pointer.slice(2)}: ${fault.detail}`).join("; ");
  return { status: 400, title: "Bad request", detail, errors };
}

/** A body that is not what it is said to be, or lacks what it should have. */
export function malformed(detail: string): Problem {
  return { status: 400, title: "Bad request", detail, errors: [{ detail, pointer: "#" }] };
}

/** A body that is JSON, and not what it should be. */
export function unprocessable(errors: readonly Fault[]): Problem {
  return { status: 422, title: "Unprocessable content", detail: "The body has faults: see errors.", errors };
}

/** Why there is nothing to show, in words for readers. */
export function unavailable({ kind }: ReadFailure): Problem {
  return problemOf(kind, 503, { "retry-after": RETRY_AFTER[kind] });
}

const RETRY_AFTER = { absent: "60", outage: "30", unreadable: "120" } as const;
