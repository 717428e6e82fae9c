/**
 * The private view: with the secret `VIEW_TOKEN` set, who does not bear it learns nothing, not even which addresses there
 * are. `/healthz` alone stays open. ADMIN_TOKEN opens what is the administrator's, and nothing else. Behind the gate a
 * request is as the public's; its answer is for who asked alone.
 */
import { viewTokenProblem } from "../config/secret-forms.ts";
import { judgeBearer } from "./admin-token.ts";
import type { AppDeps } from "./deps.ts";
import { wantsPage } from "./negotiate.ts";
import { lockedPage } from "./pages/locked.ts";
import { problemOf, respondWithProblem } from "./problem.ts";
import { readerOf } from "./reader-choice.ts";
import { HTML_TYPE, keepPrivate, respond } from "./respond.ts";
import { bearerOf, isEqual } from "./token.ts";

type GateDeps = Pick<AppDeps, "adminToken" | "viewToken">;
type Answerer = (request: Request) => Promise<Response>;

export async function throughGate(request: Request, deps: GateDeps, answer: Answerer): Promise<Response> {
  const { viewToken } = deps;
  if (viewToken === null) return answer(request);
  return keepPrivate(await admit(request, { ...deps, viewToken }, answer));
}

async function admit(
  request: Request,
  { adminToken, viewToken }: { readonly adminToken: string | null; readonly viewToken: string },
  answer: Answerer,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/healthz") return answer(asPublic(request));
  const authorization = request.headers.get("authorization");
  const isAdministrator =
    ADMINISTRATED.test(pathname) && (await judgeBearer(authorization, adminToken)) === "right";
  if (isAdministrator) return answer(request);
  const problem = viewTokenProblem(viewToken);
  if (problem !== null) {
    complain(problem);
    return refuse(request, OF_NO_USE);
  }
  const given = bearerOf(authorization) ?? basicPasswordOf(authorization);
  const isViewer = given !== undefined && (await isEqual(given, viewToken.trim()));
  return isViewer ? answer(asPublic(request)) : refuse(request, LOCKED);
}

/** Full reports are the administrator's, too. */
const ADMINISTRATED = /^\/api\/v1\/(?:admin(?:\/|$)|reports\/)/;

const LOCKED = {
  name: "locked",
  status: 401,
  headers: { "www-authenticate": 'Basic realm="Gatepulse", charset="UTF-8", Bearer realm="Gatepulse"' },
} as const;

const OF_NO_USE = { name: "useless", status: 503, headers: {} } as const;

/** RFC 7617: any user name, and what comes after the first colon. Undefined for other schemes and malformed ones. */
function basicPasswordOf(authorization: string | null): string | undefined {
  const encoded = /^basic +([a-z0-9+/]+={0,2}) *$/iu.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const colon = text.indexOf(":");
    return colon < 0 ? undefined : text.slice(colon + 1);
  } catch {
    return undefined;
  }
}

/** Its token has done its work, and must not be taken for another one. What is not kept has no validators. */
function asPublic(request: Request): Request {
  const headers = new Headers(request.headers);
  for (const name of ["authorization", "if-none-match"]) headers.delete(name);
  return new Request(request, { headers });
}

function refuse(request: Request, { name, status, headers }: typeof LOCKED | typeof OF_NO_USE): Response {
  if (!wantsPage(request)) return respondWithProblem(request, problemOf(name, status, headers), "private");
  // What the site is configured for is nobody's to know yet.
  const { words } = readerOf(request, null);
  const how = { status, type: HTML_TYPE, caching: "private", etag: null, headers } as const;
  return respond(request, how, () => lockedPage(name, words));
}

let complained = false;

/** Once an isolate: everybody who comes would have it logged. */
function complain(problem: string): void {
  if (complained) return;
  complained = true;
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.error(`http: ${problem}: no page is shown to anybody`);
}
