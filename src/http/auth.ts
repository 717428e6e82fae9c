/** Tokens of administrators and readers, compared in constant time; and who may see a private site. */
import { auth } from "hono/utils/basic-auth";
import { fitToken, viewTokenProblem } from "../config/secrets.ts";
import { sha256Hex } from "../history/packing.ts";
import type { AppDeps } from "./deps.ts";
import { messagesIn, type Messages, type ProblemName } from "./pages/i18n/messages.ts";
import {
  HttpProblem,
  problemOf,
  problemWith,
  respondWithProblem,
  wantedLanguage,
  wantsPage,
  type Problem,
} from "./problem.ts";
import { HTML_TYPE, keepPrivate, respond } from "./respond.ts";

/** The token of `Authorization: Bearer` (RFC 6750); undefined for other schemes and malformed ones. */
function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1];
}

/** `none`: no usable token is set, or the request has another scheme than Bearer. */
export async function judgeBearer(authorization: string | null | undefined, adminToken: string | null) {
  const token = fitToken(adminToken);
  const given = bearerOf(authorization);
  if (token === null || given === undefined) return "none";
  return (await areEqual(given, token)) ? "right" : "wrong";
}

/** To throw. */
export function notAdministrator(): HttpProblem {
  const detail = "The administrator's token is missing or wrong. Send it as a bearer token.";
  return new HttpProblem(problemWith(401, detail, { headers: { "www-authenticate": "Bearer" } }));
}

/** Compares digests, so that the time it takes says nothing about how much of the token was guessed. */
export async function areEqual(given: string, token: string): Promise<boolean> {
  return (await sha256Hex(given, 32)) === (await sha256Hex(token, 32));
}

export async function throughGate(
  request: Request,
  deps: AppDeps,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (deps.viewToken === null) return answer(request);
  const admitted = await admit(request, deps, deps.viewToken);
  return keepPrivate(admitted instanceof Request ? await answer(admitted) : admitted);
}

async function admit(request: Request, deps: AppDeps, viewToken: string): Promise<Request | Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/healthz") return asPublic(request);
  const authorization = request.headers.get("authorization");
  const isAdministrator =
    ADMINISTRATED.test(pathname) && (await judgeBearer(authorization, deps.adminToken)) === "right";
  if (isAdministrator) return request;
  const problem = viewTokenProblem(viewToken);
  if (problem !== null) {
    complain(problem);
    return refuse(request, deps, "useless", 503);
  }
  const given = bearerOf(authorization) ?? auth(request)?.password;
  const isViewer = given !== undefined && (await areEqual(given, viewToken.trim()));
  return isViewer ? asPublic(request) : refuse(request, deps, "locked", 401, LOCKED);
}

/** Routes that take the administrator's token. Full reports are among them. */
const ADMINISTRATED = /^\/(?:api\/v1\/(?:admin(?:\/|$)|reports\/)|mcp$)/;

const LOCKED = {
  "www-authenticate": 'Basic realm="Gatepulse", charset="UTF-8", Bearer realm="Gatepulse"',
};

/** Without the token, which must not be taken for the administrator's, and without validators, since nothing is cached. */
function asPublic(request: Request): Request {
  const headers = new Headers(request.headers);
  for (const name of ["authorization", "if-none-match"]) headers.delete(name);
  return new Request(request, { headers });
}

async function refuse(
  request: Request,
  deps: AppDeps,
  name: "locked" | "useless",
  status: number,
  headers: Problem["headers"] = {},
): Promise<Response> {
  if (!wantsPage(request))
    return respondWithProblem(request, deps, problemOf(name, status, headers), "private");
  // Strangers must not learn the configured language.
  const words = await messagesIn(wantedLanguage(request).language ?? "en", deps);
  const how = { status, type: HTML_TYPE, caching: "private", headers } as const;
  return respond(request, how, lockedPage(name, words));
}

/** Shown without the token. It loads nothing, since that would need the token too, and contains nothing from the request. */
function lockedPage(name: ProblemName, { tag, problems }: Messages): string {
  const { title, detail } = problems[name];
  return (
    `<!doctype html><html lang="${tag}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="color-scheme" content="light dark">' +
    `<title>${title}</title><link rel="icon" href="data:,"></head>` +
    `<body><main><h1>${title}</h1><p>${detail}</p></main></body></html>`
  );
}

let complained = false;

/** Once in an isolate, so that strangers cannot fill the log. */
function complain(problem: string): void {
  if (complained) return;
  complained = true;
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.error(`http: ${problem}: no page is shown to anyone`);
}
