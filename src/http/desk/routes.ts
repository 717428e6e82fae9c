/** `/admin`: pages and forms for administrators, without scripts. The forms take what the API takes. */
import type { Language } from "../../config/config.ts";
import { fitToken } from "../../config/secrets.ts";
import type { IncidentDocument } from "../../history/documents.ts";
import type { AdminRequest } from "../../domain/tick.ts";
import { carryOut, orderOf } from "../admin.ts";
import { areEqual } from "../auth.ts";
import { type AppContext, type Part, readStaticFile } from "../deps.ts";
import { readIncident } from "../history.ts";
import { asPage, gatewayHtml, viewFor } from "../page-routes.ts";
import { renderIncident } from "../pages/incident-page.tsx";
import type { Reader } from "../pages/view.ts";
import { HttpProblem, orThrow, problemOf, readerOf, readForm } from "../problem.ts";
import { readPublished } from "../published.ts";
import { HTML_TYPE, respond } from "../respond.ts";
import {
  DESK_PATH,
  type DeskWords,
  GatewayDesk,
  IncidentDesk,
  type Paused,
  renderDesk,
  renderLogin,
} from "./desk-pages.tsx";
import { HOUR_MS } from "../../domain/calendar.ts";
import { sha256Hex } from "../../history/packing.ts";

export const deskPart: Part = {
  routes: () => [DESK_PATH, `${DESK_PATH}/*`].map((path) => ({ path, all: asPage(deskRoute) })),
};

/** @throws HttpProblem without a session, and without ADMIN_TOKEN. */
async function deskRoute(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const token = fitToken(env.adminToken);
  if (token === null || env.mayLogIn === null) throw new HttpProblem(problemOf("nothing", 404));
  const session = await sessionOf(context, token);
  if (req.method === "POST") return take(context, token, session);
  if (req.method !== "GET" && req.method !== "HEAD")
    throw new HttpProblem(problemOf("posted", 405, { allow: "GET, HEAD, POST" }));
  const { pathname, search } = new URL(req.url);
  if (session !== null) return page(context, await deskPage(context, pathname, session));
  if (pathname !== DESK_PATH)
    return seeOther(context, `${DESK_PATH}?to=${encodeURIComponent(pathname + search)}`);
  return login(context, null, 200);
}

type Refusal = "wrong" | "slow" | "outdated";

async function login(context: AppContext, refusal: Refusal | null, status: number) {
  const { env, req } = context;
  const reader = await readerOf(req.raw, env);
  const to = ownPath(req.query("to"));
  const desk = await wordsFor(context, reader);
  return page(context, renderLogin({ reader }, { desk, refusal, to }), status);
}

/** A path of this site only. */
function ownPath(path = ""): string {
  return /^\/admin(?:\/[\w./-]*)?(?:\?lang=\w+)?$/u.test(path) ? path : DESK_PATH;
}

async function deskPage(context: AppContext, pathname: string, session: Session): Promise<string> {
  const { env } = context;
  const [, , place = "", id = "", ...more] = pathname.split("/");
  const published = orThrow(await readPublished(env));
  const view = await viewFor(context, published);
  const desk = await wordsFor(context, view);
  const tools = { view, desk, ...session };
  if (more.length === 0 && place === "incidents") {
    const { incident } = await readIncident(env, id);
    // A change may not be published yet, and the public does not see everything.
    const fresh = await lookUp<IncidentDocument>(context, { type: "read_incident", incidentId: id });
    const shown = fresh === null ? incident : { ...incident, incident: fresh };
    const isOpen = fresh !== null;
    return renderIncident(shown, view, IncidentDesk({ incident: shown.incident, isOpen, ...tools }));
  }
  if (more.length === 0 && place === "gateways") {
    const paused = await lookUp<Paused>(context, { type: "read_gateway", subject: id });
    const acts = GatewayDesk({ gatewayId: id, paused: paused?.monitors ?? [], ...tools });
    return gatewayHtml(published, view, id, acts);
  }
  if (place !== "") throw new HttpProblem(problemOf("nothing", 404));
  return renderDesk(tools);
}

/** An asset, as only administrators need them. */
async function wordsFor({ env }: AppContext, { language }: Reader): Promise<DeskWords> {
  return (JSON.parse(await readStaticFile(env, "desk.json")) as Record<Language, DeskWords>)[language];
}

/** Null: the id is unknown, or the Ledger does not answer; the page then shows what was published. */
async function lookUp<Value>(context: AppContext, order: AdminRequest): Promise<Value | null> {
  const answer = await context.env.administer(order).catch(() => null);
  return answer?.ok === true ? (answer.value as Value) : null;
}

async function take(context: AppContext, token: string, session: Session | null): Promise<Response> {
  const { env, req } = context;
  const form = await readForm(context, MOST_FORM_BYTES);
  const action = req.path.slice(DESK_PATH.length + 1);
  const to = ownPath(fieldOf(form, "to"));
  if (action === "login") {
    if (!(await env.mayLogIn?.(req.header("cf-connecting-ip") ?? ""))) return login(context, "slow", 429);
    if (!(await areEqual(fieldOf(form, "token"), token))) return login(context, "wrong", 403);
    const name = fieldOf(form, "name").slice(0, LONGEST_NAME);
    return seeOther(context, to, await newSession(context, token, name));
  }
  const isOurs = session !== null && (await areEqual(fieldOf(form, "form"), session.formToken));
  if (!isOurs) return login(context, "outdated", 403);
  if (action === "logout") return seeOther(context, DESK_PATH, cookieWith(context, "", 0));
  await carryOut(env, orderOf("POST", action, fieldsOf(form), env.now()));
  return seeOther(context, to);
}

const LONGEST_NAME = 60;

const MOST_FORM_BYTES = 16 * 1024;

function fieldOf(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? "";
}

/** As in JSON: empty fields are left out. */
function fieldsOf(form: URLSearchParams): Readonly<Record<string, unknown>> {
  const fields = [...form].filter(([name, value]) => name !== "form" && name !== "to" && value !== "");
  return Object.fromEntries(fields.map(([name, value]) => [name, name === "gateways" ? [value] : value]));
}

function page(context: AppContext, html: string, status = 200): Promise<Response> {
  const retry = status === 429 && { headers: { "retry-after": "60" } };
  const how = { status, type: HTML_TYPE, caching: "private", ...retry } as const;
  return respond(context.req.raw, how, new TextEncoder().encode(html));
}

function seeOther(context: AppContext, location: string, cookie?: string): Promise<Response> {
  const headers = { location, ...(cookie !== undefined && { "set-cookie": cookie }) };
  return respond(context.req.raw, { status: 303, type: "text/plain", caching: "private", headers }, "");
}

/*
 * The session of an administrator's browser: a signed cookie that no script can read. It is sent only to `/admin`, so public
 * pages and their caches never see it. It is signed with the token, so a new token ends every session. hono/cookie would be a
 * hundredth of the Worker.
 */
const SESSION = "gatepulse-session";
const LASTS_MS = 12 * HOUR_MS;

interface Session {
  /**
   * What each form of the session contains (CSRF). It is computed from the cookie, so other sites cannot know it. The login form
   * needs none: who can forge it knows the token.
   */
  readonly formToken: string;
  /** That the person gave. */
  readonly name: string | null;
}

/** Null: there is none, it has ended, or its signature is wrong. */
async function sessionOf(context: AppContext, token: string): Promise<Session | null> {
  // RFC 6265, 4.2.1.
  const [, cookie = ""] = COOKIE.exec(context.req.header("cookie") ?? "") ?? [];
  const [, value = "", endMs = "", name = "", signature = ""] = SIGNED.exec(cookie) ?? [];
  if (!(Number(endMs) > context.env.now())) return null;
  if (!(await areEqual(signature, await signatureOf(value, token)))) return null;
  return { formToken: await sha256Hex(cookie, 32), name: decodeURIComponent(name) || null };
}

const COOKIE = new RegExp(`(?:^|; )${SESSION}=([^;]*)`, "u");
const SIGNED = /^((\d+)\.[\da-f-]+\.(.*))\.(\w+)$/u;

/** The cookie to set. */
async function newSession(context: AppContext, token: string, name: string): Promise<string> {
  const endMs = context.env.now() + LASTS_MS;
  const value = `${endMs}.${crypto.randomUUID()}.${encodeURIComponent(name.toWellFormed())}`;
  return cookieWith(context, `${value}.${await signatureOf(value, token)}`, LASTS_MS / 1000);
}

/** Lax: a link in an alert opens the page logged in, and no other site can post. */
function cookieWith({ req }: AppContext, value: string, seconds: number): string {
  const secure = new URL(req.url).protocol === "https:" ? "; Secure" : "";
  return `${SESSION}=${value}; Max-Age=${seconds}; Path=${DESK_PATH}; HttpOnly; SameSite=Lax${secure}`;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

async function signatureOf(value: string, token: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(token), HMAC, false, ["sign"]);
  return sha256Hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(value))), 32);
}
