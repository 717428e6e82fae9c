/** `/admin`: pages and forms for administrators, without scripts. The forms take what the API takes. */
import type { Language } from "../../config/config.ts";
import { fitToken } from "../../config/secrets.ts";
import { HOUR_MS, instant } from "../../domain/calendar.ts";
import { say } from "../../domain/language/words.ts";
import type { AdminRequest } from "../../domain/tick.ts";
import type { IncidentDocument } from "../../history/documents.ts";
import { sha256Hex } from "../../history/packing.ts";
import { carryOut, orderOf } from "../admin.ts";
import { areEqual } from "../auth.ts";
import { type AppContext, type Part, readStaticFile } from "../deps.ts";
import { readIncident } from "../history.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { asPage, gatewayHtml, viewFor } from "../page-routes.ts";
import { titleOf } from "../pages/incident.tsx";
import { renderIncident } from "../pages/incident-page.tsx";
import { renderPlainPage, renderStatusPage } from "../pages/layout.tsx";
import { Age, Said, Time } from "../pages/marks.tsx";
import type { Reader, View } from "../pages/view.ts";
import { HttpProblem, orThrow, problemOf, readerOf, readForm } from "../problem.ts";
import { readPublished } from "../published.ts";
import { HTML_TYPE, respond } from "../respond.ts";

const DESK_PATH = "/admin";

/** In the language that the reader's address asks for. @param at below `/admin/`. */
function deskPath({ isAsked, language }: Pick<Reader, "isAsked" | "language">, at = ""): string {
  const path = at === "" ? DESK_PATH : `${DESK_PATH}/${at}`;
  return isAsked ? `${path}?lang=${language}` : path;
}

export const deskPart: Part = {
  routes: () => [DESK_PATH, `${DESK_PATH}/*`].map((path) => ({ path, all: asPage(deskRoute) })),
};

/** @throws HttpProblem without a session, and without ADMIN_TOKEN. */
async function deskRoute(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const token = fitToken(env.adminToken);
  if (token === null || env.mayTry === null) throw new HttpProblem(problemOf("nothing", 404));
  const session = await sessionOf(context, token);
  if (req.method === "POST") return take(context, token, session);
  if (req.method !== "GET" && req.method !== "HEAD")
    throw new HttpProblem(problemOf("posted", 405, { allow: "GET, HEAD, POST" }));
  const { pathname, search } = new URL(req.url);
  // A refused form has such an address, and its links to other languages lead there.
  if (/^\/admin\/log(?:in|out)$/u.test(pathname)) return seeOther(context, DESK_PATH + search);
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
  return page(context, renderLogin(reader, desk, refusal, to), status);
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
    const acts = GatewayDesk({ gatewayId: id, monitors: paused?.monitors ?? [], ...tools });
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
    if (!(await env.mayTry?.(req.header("cf-connecting-ip") ?? ""))) return login(context, "slow", 429);
    if (!(await areEqual(fieldOf(form, "token"), token))) return login(context, "wrong", 403);
    const name = fieldOf(form, "name").slice(0, LONGEST_NAME);
    return seeOther(context, to, await newSession(context, token, name));
  }
  const isOurs = session !== null && (await areEqual(fieldOf(form, "form"), session.formToken));
  if (!isOurs) return login(context, "outdated", 403);
  if (action === "logout") return seeOther(context, to, cookieWith(context, "", 0));
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
  /** In each form (CSRF). Other sites cannot know the cookie. The login form needs none: who can forge it knows the token. */
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

/** What the Ledger answers about a gateway. */
interface Paused {
  readonly monitors: readonly {
    readonly monitor: string;
    readonly pausedAt: string | null;
    readonly pausedUntil: string | null;
    readonly pausedBy: string | null;
  }[];
}

/** Of `assets/desk.json`, in the reader's language. */
type DeskWords = Readonly<Record<string, string>>;

interface Tools extends Session {
  readonly view: View;
  readonly desk: DeskWords;
}

/** @param to where the login leads. */
function renderLogin(reader: Reader, desk: DeskWords, refusal: Refusal | null, to: string): string {
  const { login: title = "", about: description = "" } = desk;
  return renderPlainPage(reader, {
    title,
    description,
    children: (
      <>
        <h1>{title}</h1>
        {refusal !== null && (
          <p class="notice" role="alert" id="refusal">
            {desk[refusal]}
          </p>
        )}
        <form class="box" method="post" action={deskPath(reader, "login")}>
          <Hidden fields={{ to }} />
          <p>
            <label for="token">{desk.token}</label>
          </p>
          <input
            id="token"
            name="token"
            type="password"
            required
            autocomplete="current-password"
            autofocus={refusal !== null}
            aria-describedby={refusal === null ? undefined : "refusal"}
          />
          <p>
            <label for="name">{desk.name}</label>
          </p>
          <input id="name" type="text" name="name" maxlength="60" autocomplete="name" />
          <p>
            <button type="submit">{title}</button>
          </p>
        </form>
      </>
    ),
  });
}

function Hidden({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface ActInput extends Tools {
  /** The page's own path below `/admin/`. */
  readonly at: string;
  readonly act: string;
  readonly children: Child;
  /** Whether it sends the name of the person. */
  readonly isSigned?: boolean;
}

function Act({ at, act, formToken, name, view, children, isSigned = true }: ActInput) {
  const fields = {
    form: formToken,
    to: deskPath(view, at),
    ...(isSigned && name && { by: name }),
  };
  return (
    <form class="asked" method="post" action={deskPath(view, act)}>
      <Hidden fields={fields} />
      {children}
    </form>
  );
}

/** For how long: the last without an end. */
function Buttons({ verb, desk }: { readonly verb: "pause" | "silence"; readonly desk: DeskWords }) {
  return (
    <>
      {["1h", "4h", ""].map((length) => (
        <button type="submit" class="quiet" name="for" value={length}>
          {desk[`${verb}${length}`]}
        </button>
      ))}
    </>
  );
}

/** @param isOpen as the Ledger says now. */
function IncidentDesk({
  incident,
  isOpen,
  ...tools
}: Tools & { incident: IncidentDocument; isOpen: boolean }) {
  const { desk } = tools;
  const at = `incidents/${incident.id}`;
  return (
    <Desk {...tools}>
      {isOpen && (
        <>
          <Act at={at} act={`${at}/acknowledge`} {...tools}>
            {incident.acknowledgedAt === null && <button type="submit">{desk.acknowledge}</button>}
            <button type="submit" class="quiet" formaction={deskPath(tools.view, `${at}/probe`)}>
              {desk.check}
            </button>
          </Act>
          <Act at={at} act={`${at}/silence`} {...tools}>
            <Buttons verb="silence" desk={desk} />
          </Act>
        </>
      )}
    </Desk>
  );
}

function GatewayDesk({ gatewayId, monitors, ...tools }: Tools & { gatewayId: string } & Paused) {
  const { desk, view } = tools;
  const { words, clock } = view;
  const at = `gateways/${gatewayId}`;
  const isPaused = monitors.some(({ pausedAt }) => pausedAt !== null);
  return (
    <Desk {...tools}>
      {monitors.map(({ monitor, pausedAt, pausedUntil, pausedBy }) =>
        pausedAt === null ? null : (
          <p>
            <code>{monitor}</code>
            {words.colon}
            {pausedUntil === null
              ? say(words.card.paused, <Age at={pausedAt} view={view} />)
              : say(
                  words.card.pausedUntil,
                  <Age at={pausedAt} view={view} />,
                  <Time at={pausedUntil} clock={clock} />,
                )}
            {pausedBy !== null && say(words.aside, <Said text={pausedBy} words={words} />)}
          </p>
        ),
      )}
      <Act at={at} act={`${at}/pause`} {...tools}>
        <Buttons verb="pause" desk={desk} />
      </Act>
      <Act at={at} act={`${at}/probe`} {...tools}>
        <button type="submit" class="quiet">
          {desk.check}
        </button>
        {isPaused && (
          <button type="submit" class="quiet" formaction={deskPath(view, `${at}/resume`)}>
            {desk.resume}
          </button>
        )}
      </Act>
      <Plan gatewayId={gatewayId} at={at} {...tools} />
    </Desk>
  );
}

type Option = readonly [value: string, words?: string | undefined];

function Choice({ name, label, options }: { name: string; label: Child; options: readonly Option[] }) {
  return (
    <label>
      {label}{" "}
      <select name={name}>
        {options.map(([value, words = value]) => (
          <option value={value}>{words}</option>
        ))}
      </select>
    </label>
  );
}

/** The start is in the time zone of the page. */
function Plan({ gatewayId, at, ...tools }: Tools & { readonly gatewayId: string; readonly at: string }) {
  const { desk, view } = tools;
  const { words, clock, nowMs } = view;
  const starts = [1, 4, 12, 24].map((hours) => {
    const from = instant(nowMs + hours * HOUR_MS);
    return [from, clock.show(from)] as const;
  });
  return (
    <Act at={at} act="maintenance" {...tools} isSigned={false}>
      <Hidden fields={{ gateways: gatewayId }} />
      <Choice name="from" label={desk.from} options={[["", words.incident.now], ...starts]} />
      <Choice name="for" label={desk.length} options={[["30m"], ["1h"], ["2h"], ["4h"], ["8h"], ["24h"]]} />
      <label>
        {desk.title} <input type="text" name="title" maxlength="120" />
      </label>
      <button type="submit" class="quiet">
        {desk.plan}
      </button>
    </Act>
  );
}

function Desk({ children, ...tools }: Tools & { readonly children?: Child }) {
  const { desk, name, view } = tools;
  return (
    <section class="box" aria-labelledby="desk">
      <h2 id="desk">{desk.heading}</h2>
      {children}
      <Act at="" act="logout" {...tools} isSigned={false}>
        {name !== null && <Said text={name} words={view.words} />}
        <a href={deskPath(view)}>{desk.all}</a>
        <button type="submit" class="quiet">
          {desk.logout}
        </button>
      </Act>
    </section>
  );
}

function renderDesk(tools: Tools): string {
  const { view } = tools;
  const { status, words } = view;
  const { heading: title = "", about: description = "" } = tools.desk;
  return renderStatusPage(view, {
    title,
    description,
    children: (
      <>
        <h1>{title}</h1>
        <ul>
          {status.incidents.map((incident) => {
            const { subject, matter } = titleOf(incident, view);
            return (
              <li>
                <a href={deskPath(view, `incidents/${incident.id}`)}>
                  <Said text={subject} words={words} />
                  {`${words.colon}${matter}`}
                </a>
              </li>
            );
          })}
          {status.gateways.map(({ id, name }) => (
            <li>
              <a href={deskPath(view, `gateways/${id}`)}>
                <Said text={name} words={words} />
              </a>
            </li>
          ))}
        </ul>
        <Desk {...tools} />
      </>
    ),
  });
}
