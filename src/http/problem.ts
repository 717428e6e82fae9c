/** Problems (RFC 9457); which format and language a request prefers; reading its body. */
import type * as z from "zod/mini";
import { LANGUAGES, type Language } from "../config/config.ts";
import { knownSentence } from "../domain/language/words.ts";
import type { Read, ReadFailure } from "../history/reader.ts";
import type { ProblemAnswer } from "./answers.ts";
import type { AppContext, PageDeps } from "./deps.ts";
import type { Reader } from "./pages/view.ts";
import { ENGLISH, messagesIn, type Messages, type ProblemName } from "./pages/i18n/messages.ts";
import { respond } from "./respond.ts";

export interface Fault {
  readonly detail: string;
  /** A JSON pointer as a fragment (RFC 6901, 6): `#/from` is the parameter or member `from`, `#` the whole body. */
  readonly pointer: string;
}

export interface Problem {
  readonly status: number;
  /** Set if pages have words for it in the reader's language. */
  readonly name?: ProblemName;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throw it to end a request: the application answers with the problem, as a page if the address is a page's. */
export class HttpProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** @throws HttpProblem if the value cannot be read now. */
export function orThrow<Value>(read: Read<Value>): Value {
  if (read.ok) return read.value;
  throw new HttpProblem(unavailable(read.failure));
}

/** In the language that the request prefers. @param caching `private`: neither shared caches nor scripts of other origins get it. */
export async function respondWithProblem(
  request: Request,
  deps: PageDeps,
  problem: Problem,
  caching: "none" | "private" = "none",
): Promise<Response> {
  const wanted = wantedLanguage(request);
  const words = await messagesIn(wanted.language ?? "en", deps);
  const { status } = problem;
  const { title, detail, errors } = inLanguage(problem, words);
  const headers = { "content-language": words.tag, ...varying(wanted), ...problem.headers };
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
  return respond(request, { status, type, caching, headers }, body);
}

function inLanguage(problem: Problem, { stored, problems }: Messages): Omit<Problem, "status"> {
  if (stored === null) return problem;
  const told = (text: string): string | null => knownSentence(text, stored, stored.problems);
  const { name, title, detail } = problem;
  const errors = problem.errors?.map((fault) => ({ ...fault, detail: told(fault.detail) ?? fault.detail }));
  return {
    title: told(title) ?? title,
    detail: told(detail) ?? (errors ? detailOf(errors) : detail),
    ...(errors && { errors }),
    ...(name && problems[name]),
  };
}

/** Of what can be read in several languages, unless its address says which. */
export function varying({ isAsked }: Pick<Reader, "isAsked">): Readonly<Record<string, string>> {
  return isAsked ? {} : { vary: "accept-language" };
}

/** A problem that pages show too. */
export function problemOf(name: ProblemName, status: number, headers?: Problem["headers"]): Problem {
  return { status, name, ...ENGLISH.problems[name], ...(headers && { headers }) };
}

/** The phrases of RFC 9110. */
const TITLES = {
  400: "Bad request",
  401: "Unauthorized",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Content too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  503: "Service unavailable",
} as const;

/** A problem of the API only. */
export function problemWith(
  status: keyof typeof TITLES,
  detail: string,
  more: Pick<Problem, "errors" | "headers"> = {},
): Problem {
  return { status, title: TITLES[status], detail, ...more };
}

export function badRequest(errors: readonly Fault[]): Problem {
  return problemWith(400, detailOf(errors), { errors });
}

function detailOf(errors: readonly Fault[]): string {
  return errors.map((fault) => `${fault.pointer.slice(2)}: ${fault.detail}`).join("; ");
}

/** The body is not of its media type, or lacks something. */
export function malformed(detail: string): Problem {
  return problemWith(400, detail, { errors: [{ detail, pointer: "#" }] });
}

/** One fault for each fix: a text can be wrong in several ways that have the same fix. @param depth how long pointers may be. */
export function faultsOf({ issues }: z.core.$ZodError, depth?: number): readonly Fault[] {
  const faults = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          detail: "leave it out: there is no such member",
          pointer: pointerTo([...issue.path, key]),
        }))
      : { detail: issue.message, pointer: pointerTo(issue.path.slice(0, depth)) },
  );
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

/** A lone surrogate in a key could not be encoded. */
function pointerTo(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed());
  return `#${parts.map((part) => `/${encodeURIComponent(part)}`).join("")}`;
}

/** Tells readers why there is nothing to show. */
export function unavailable({ kind }: ReadFailure): Problem {
  return problemOf(kind, 503, { "retry-after": RETRY_AFTER[kind] });
}

const RETRY_AFTER = { absent: "60", outage: "30", unreadable: "120" } as const;

/** No body, or nothing but white space, is `{}`. @throws HttpProblem */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw new HttpProblem(malformed("The body is no JSON in UTF-8."));
  }
}

/** Reads to the end even if it is too large: to a proxy in front, an earlier answer looks like a failure. @throws HttpProblem */
export async function readBody({ req }: AppContext, maxBytes: number, tooLarge: Problem) {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of req.raw.body ?? []) {
    bytes += piece.byteLength;
    if (bytes <= maxBytes) pieces.push(piece);
  }
  if (bytes > maxBytes) throw new HttpProblem(tooLarge);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** @throws HttpProblem */
export async function readForm(context: AppContext, maxBytes: number): Promise<URLSearchParams> {
  const bytes = await readBody(context, maxBytes, problemOf("large", 413));
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** The media type that the client prefers, the first of equals; null: it accepts none of them. */
export function preferred<Offer extends string>(accept: string | undefined, offers: readonly Offer[]) {
  if (accept === undefined || accept.trim() === "") return offers[0] ?? null;
  const ranges = rangesOf(accept);
  const liked = offers.map((offer) => ({ offer, quality: qualityOf(offer, ranges) }));
  return best(liked)?.offer ?? null;
}

/** The language that the client prefers, the first of equals, by its first subtag: `zh-CN` is `zh`. Null: none of them. */
export function preferredLanguage<Offer extends string>(
  acceptLanguage: string | null,
  offers: readonly Offer[],
): Offer | null {
  const named = rangesOf(acceptLanguage ?? "").flatMap(({ type, quality }) => {
    const offer = offers.find((language) => language === type.split("-")[0]);
    return offer === undefined ? [] : [{ offer, quality }];
  });
  return best(named)?.offer ?? null;
}

function best<Liked extends { readonly quality: number }>(liked: readonly Liked[]): Liked | undefined {
  return liked.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)[0];
}

/** Whether to answer a failure with a page: to browsers, except from the API. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("accept") ?? undefined;
  const favourite = preferred(accept, ["application/problem+json", "text/html"]);
  return favourite === "text/html" && !new URL(request.url).pathname.startsWith("/api/");
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangesOf(header: string): readonly Range[] {
  return header.split(",").map((text) => {
    const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { type, quality: weight === undefined ? 1 : Number(weight) || 0 };
  });
}

/** The most specific range decides. */
function qualityOf(offer: string, ranges: readonly Range[]): number {
  const types = [offer, `${offer.split("/")[0]}/*`, "*/*"];
  const matching = types.flatMap((type) => ranges.find((range) => range.type === type) ?? []);
  return matching[0]?.quality ?? 0;
}

export async function readerOf(
  request: Request,
  deps: PageDeps,
  accepted: string | null = request.headers.get("accept-language"),
): Promise<Reader> {
  const { language, isAsked } = wantedLanguage(request, accepted);
  return readerIn(language, isAsked, deps);
}

/** Null: the request names no language that pages have. `isAsked`: its address names it. */
export function wantedLanguage(
  { url, headers }: Request,
  accepted: string | null = headers.get("accept-language"),
): { readonly language: Language | null; readonly isAsked: boolean } {
  // An unknown language in the address is ignored.
  const lang = new URL(url).searchParams.get("lang");
  const asked = LANGUAGES.find((language) => language === lang) ?? null;
  return { language: asked ?? preferredLanguage(accepted, LANGUAGES), isAsked: asked !== null };
}

/** @param wanted null: the configured language. */
export async function readerIn(wanted: Language | null, isAsked: boolean, deps: PageDeps): Promise<Reader> {
  const { config } = deps;
  const words = await messagesIn(wanted ?? config.language, deps);
  const language = words === ENGLISH ? "en" : (wanted ?? config.language);
  return { language, words, isAsked, config };
}
