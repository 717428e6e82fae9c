/** Orders of administrators, handed to the Ledger. */
import * as z from "zod/mini";
import { durationText, flag, id, instant, setOf, parseDuration, pattern, text } from "../config/fields.ts";
import { fitToken } from "../config/secrets.ts";
import { MOST_BODY, STATUSES } from "../domain/announcement.ts";
import { DAY_MS, instant as instantText, MINUTE_MS } from "../domain/calendar.ts";
import { once } from "../domain/schema.ts";
import { MAX_NOTE_LENGTH } from "../domain/incident.ts";
import type { AdminRequest } from "../domain/tick.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { judgeBearer, notAdministrator } from "./auth.ts";
import { refused, STORE_ROUTES, type StoreRoute } from "./backup.ts";
import type { AppContext, AppDeps, Part } from "./deps.ts";
import {
  HttpProblem,
  faultsOf,
  jsonOf,
  problemOf,
  problemWith,
  readBody,
  respondWithProblem,
  type Fault,
  type Problem,
} from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

export interface AdminRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1/admin/`. Its groups are the ids. No id that exists has another form. */
  readonly path: RegExp;
  /** @param body parsed JSON; `{}` if there was no body. */
  order(ids: readonly string[], body: unknown, nowMs: number): AdminRequest;
}

function post<Schema extends z.ZodMiniType>(
  path: RegExp,
  fields: () => Schema,
  toOrder: (fields: z.output<Schema>, nowMs: number, ...ids: readonly string[]) => AdminRequest,
): AdminRoute {
  const order: AdminRoute["order"] = (ids, body, nowMs) => {
    const parsed = z.safeParse(fields(), body);
    if (!parsed.success) throw faulty(faultsOf(parsed.error));
    return toOrder(parsed.data, nowMs, ...ids);
  };
  return { method: "POST", path, order };
}

function faulty(errors: readonly Fault[]): HttpProblem {
  return new HttpProblem(problemWith(422, "The body has faults: see errors.", { errors }));
}

function bodyOf<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  return once(() => z.strictObject(shape(), "write a JSON object"));
}

/** Counts as the Ledger does: without white space around it, and a surrogate pair is one character. */
function longText(most: number) {
  const fix = `write 1 to ${most} characters, none of them a control character but tabs and line ends`;
  const isFit = (value: string): boolean =>
    !/[^\P{Cc}\t\r\n]|\p{Cs}/u.test(value) &&
    visibleText(value).trim() !== "" &&
    Array.from(value.trim()).length <= most;
  return z.string(fix).check(z.minLength(1, fix), z.refine(isFit, fix));
}

export const noteFields = bodyOf(() => ({
  text: longText(MAX_NOTE_LENGTH),
  public: z._default(flag(), true),
}));

const by = () => z.optional(text(60));

export const actFields = bodyOf(() => ({ by: by() }));

const FOR_FIX = 'write whole minutes from "1m" to "31d", like "2h"';
const period = () =>
  z.optional(durationText({ minMs: MINUTE_MS, stepMs: MINUTE_MS, maxMs: MOST_MS }, FOR_FIX));

export const untilFields = bodyOf(() => ({ for: period(), until: z.optional(instant()), by: by() }));

const EVENT_FIX = "write an event's id as GET /api/v1/admin/alerts lists it";
export const replayFields = bodyOf(() => ({
  channel: anyChannel(),
  event: z.optional(pattern(/^[a-z0-9-]{1,200}$/, EVENT_FIX)),
}));

export const testFields = bodyOf(() => ({ channel: anyChannel() }));

function anyChannel() {
  return z.optional(id());
}

const GATEWAYS_FIX = "name at least one gateway in a list, or leave it out for all of them";
export const windowFields = bodyOf(() => ({
  gateways: z.optional(setOf(id(), GATEWAYS_FIX)),
  from: z.optional(instant()),
  to: z.optional(instant()),
  for: period(),
  title: z._default(text(120), "Planned maintenance"),
}));

const STATUS_FIX = `write one of: ${STATUSES.join(", ")}`;
const said = () => ({
  body: longText(MOST_BODY),
  status: z.optional(z.enum(STATUSES, STATUS_FIX)),
  for: period(),
  until: z.optional(instant()),
});

export const updateFields = bodyOf(said);
export const announcementFields = bodyOf(() => ({
  ...said(),
  kind: z._default(z.enum(["announcement", "incident"], "write announcement or incident"), "announcement"),
  title: text(120),
  gateways: z.optional(setOf(id(), GATEWAYS_FIX)),
}));

/** Without secrets, and without the name of a person: everyone reads it. */
function saidIn(fields: z.output<ReturnType<typeof updateFields>>, nowMs: number) {
  const { body, status, for: length, until } = fields;
  const { untilMs } = termsOf({ for: length, until }, nowMs);
  const update = {
    at: instantText(nowMs),
    status: status ?? null,
    body: redact(body.replaceAll("\r\n", "\n").trim()),
  };
  return { update, until: untilMs === null ? null : instantText(untilMs) };
}

/** A gateway, or one of its monitors. */
const SUBJECT = "^gateways\\/([a-z0-9-]{1,40})(?:\\/monitors\\/([a-z0-9-]{1,40}))?";
const ANNOUNCEMENT = /^announcements\/([a-z0-9]{1,40})$/;
const INCIDENT = "^incidents\\/([a-z0-9.-]{1,81}-\\d{8}t\\d{6}z)";

function subjectOf([gateway = "", monitor]: readonly string[]): string {
  return monitor === undefined ? gateway : `${gateway}/${monitor}`;
}

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  post(new RegExp(`${SUBJECT}\\/(probe|resume)$`), actFields, (_fields, _now, ...ids) => ({
    type: ids.at(-1) === "resume" ? "resume" : "probe_now",
    subject: subjectOf(ids),
  })),
  post(new RegExp(`${SUBJECT}\\/pause$`), untilFields, (fields, nowMs, ...ids) => ({
    type: "pause",
    subject: subjectOf(ids),
    ...termsOf(fields, nowMs),
  })),
  {
    method: "GET",
    path: /^gateways\/([a-z0-9-]{1,40})$/,
    order: ([subject = ""]) => ({ type: "read_gateway", subject }),
  },
  {
    method: "GET",
    path: new RegExp(`${INCIDENT}$`),
    order: ([incidentId = ""]) => ({ type: "read_incident", incidentId }),
  },
  post(
    new RegExp(`${INCIDENT}\\/(acknowledge|probe)$`),
    actFields,
    ({ by: name }, _, incidentId = "", verb = "") => ({
      type: verb === "probe" ? "probe_incident" : "acknowledge",
      incidentId,
      by: name ?? null,
    }),
  ),
  post(new RegExp(`${INCIDENT}\\/silence$`), untilFields, (fields, nowMs, incidentId = "") => ({
    type: "silence",
    incidentId,
    ...termsOf(fields, nowMs),
  })),
  post(new RegExp(`${INCIDENT}\\/notes$`), noteFields, (note, _, incidentId = "") => ({
    type: "note",
    incidentId,
    text: note.text,
    isPublic: note.public,
  })),
  {
    method: "DELETE",
    path: new RegExp(`${INCIDENT}\\/notes\\/(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)$`),
    order: ([incidentId = "", at = ""]) => ({ type: "delete_note", incidentId, atMs: Date.parse(at) }),
  },
  { method: "GET", path: /^maintenance$/, order: () => ({ type: "list_maintenance" }) },
  post(/^maintenance$/, windowFields, ({ gateways = [], title, ...times }, nowMs) => ({
    type: "plan_maintenance",
    gateways,
    ...spanOf(times, nowMs),
    title,
  })),
  {
    method: "DELETE",
    path: /^maintenance\/([a-z0-9-]{1,40})$/,
    order: ([windowId = ""]) => ({ type: "cancel_maintenance", id: windowId }),
  },
  { method: "GET", path: /^announcements$/, order: () => ({ type: "list_announcements" }) },
  post(/^announcements$/, announcementFields, ({ kind, title, gateways = [], ...fields }, nowMs) => {
    if (kind !== "incident" && fields.status !== undefined)
      throw faulty([{ detail: 'leave it out, or write kind: "incident"', pointer: "#/status" }]);
    const { update, until } = saidIn(fields, nowMs);
    const status = kind === "incident" ? (update.status ?? "investigating") : null;
    const updates = [{ ...update, status }];
    return { type: "announce", said: { kind, title: redact(title), gateways, until, updates } };
  }),
  post(ANNOUNCEMENT, updateFields, (fields, nowMs, announcementId = "") => ({
    type: "update_announcement",
    id: announcementId,
    ...saidIn(fields, nowMs),
  })),
  {
    method: "DELETE",
    path: ANNOUNCEMENT,
    order: ([announcementId = ""]) => ({ type: "delete_announcement", id: announcementId }),
  },
  { method: "GET", path: /^alerts$/, order: () => ({ type: "list_alerts" }) },
  post(/^alerts\/replay$/, replayFields, ({ channel = null, event = null }) => ({
    type: "replay_alerts",
    channel,
    eventId: event,
  })),
  post(/^alerts\/test$/, testFields, ({ channel = null }) => ({ type: "test_alert", channel })),
  { method: "GET", path: /^quarantine$/, order: () => ({ type: "list_quarantine" }) },
  { method: "DELETE", path: /^quarantine$/, order: () => ({ type: "clear_quarantine" }) },
];

const MOST_MS = 31 * DAY_MS;

/** Of what begins now. @throws HttpProblem */
function termsOf({ by: name, ...terms }: Partial<z.output<ReturnType<typeof untilFields>>>, nowMs: number) {
  const { until, for: length } = terms;
  const isOpen = until === undefined && length === undefined;
  return { untilMs: isOpen ? null : endOf("until", until, length, nowMs, nowMs), by: name ?? null };
}

/** Of a window. @throws HttpProblem */
function spanOf(
  times: Pick<z.output<ReturnType<typeof windowFields>>, "from" | "to" | "for">,
  nowMs: number,
) {
  const { from, to, for: length } = times;
  const fromMs = from === undefined ? nowMs : Date.parse(from);
  return { fromMs, toMs: endOf("to", to, length, fromMs, nowMs) };
}

function endOf(
  name: "to" | "until",
  end: string | undefined,
  length: string | undefined,
  fromMs: number,
  nowMs: number,
): number {
  const endMs = end === undefined ? fromMs + (parseDuration(length ?? "") ?? Number.NaN) : Date.parse(end);
  const faults: readonly (readonly [isFault: boolean, detail: string])[] = [
    [end !== undefined && length !== undefined, "leave it out, or leave out for"],
    [Number.isNaN(endMs), "write an instant, or write for"],
    [endMs <= nowMs, "write an instant in the future"],
    [endMs > nowMs && endMs <= fromMs, "write an instant after from"],
    [endMs - fromMs > MOST_MS, "write an instant at most 31 days after the beginning"],
  ];
  const errors = faults.flatMap(([isFault, detail]) => (isFault ? { detail, pointer: `#/${name}` } : []));
  if (errors.length > 0) throw faulty(errors);
  return endMs;
}

const ADMIN_PATH = "/api/v1/admin/";

const MAX_BODY_BYTES = 16 * 1024;

export const adminPart: Part = { routes: () => [{ path: `${ADMIN_PATH}*`, all: respondToAdmin }] };

/** @throws HttpProblem if no ADMIN_TOKEN is set: then none of these addresses exists. */
async function respondToAdmin(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  if (fitToken(env.adminToken) === null) throw new HttpProblem(problemOf("nothing", 404));
  try {
    const bearer = await judgeBearer(context.req.header("authorization"), env.adminToken);
    if (bearer !== "right") throw notAdministrator();
    const path = context.req.path.slice(ADMIN_PATH.length);
    const stored = routeAmong(STORE_ROUTES, methodOf(context), path);
    if (stored !== null) return await stored.route.respond(context, stored.ids).catch(refused);
    const value = await carryOut(env, await readOrder(context, path));
    return await respond(request, { type: JSON_TYPE, caching: "private" }, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return respondWithProblem(request, env, error.problem, "private");
  }
}

/** @throws HttpProblem if the Ledger refuses, or does not answer. */
export async function carryOut(deps: AppDeps, order: AdminRequest) {
  const answer = await deps.administer(order).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : "unknown error";
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error("http: the Ledger did not answer", name);
    throw new HttpProblem(NO_ANSWER);
  });
  if (answer.ok) return answer.value;
  const { why, detail } = answer;
  const isUnsure = why === "incomplete";
  throw new HttpProblem(isUnsure ? { ...NO_ANSWER, detail } : problemWith(REFUSALS[why], detail));
}

async function readOrder(context: AppContext, path: string): Promise<AdminRequest> {
  const method = methodOf(context);
  const body = method === "POST" ? jsonOf(await readBody(context, MAX_BODY_BYTES, TOO_LARGE)) : {};
  return orderOf(method, path, body, context.env.now());
}

function methodOf({ req }: AppContext): string {
  return req.method === "HEAD" ? "GET" : req.method;
}

/** @param path below `/api/v1/admin/`. @throws HttpProblem */
export function orderOf(method: string, path: string, body: unknown, nowMs: number): AdminRequest {
  const found = routeAmong(ADMIN_ROUTES, method, path);
  if (found === null) throw new HttpProblem(problemWith(404, "There is nothing at this address."));
  return found.route.order(found.ids, body, nowMs);
}

/** Null: there is nothing at this address. @throws HttpProblem if there is something for other methods. */
function routeAmong<Route extends AdminRoute | StoreRoute>(
  all: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly ids: readonly string[] } | null {
  const routes = all.filter((route) => route.path.test(path));
  if (routes.length === 0) return null;
  const route = routes.find((candidate) => candidate.method === method);
  if (!route) throw new HttpProblem(otherMethod(routes));
  return { route, ids: route.path.exec(path)?.slice(1) ?? [] };
}

const REFUSALS = { not_found: 404, conflict: 409 } as const;

const TOO_LARGE = problemWith(413, `A body has at most ${MAX_BODY_BYTES} bytes.`);

/** If the Ledger ended during the call, it is not known whether the change was stored. */
const NO_ANSWER = problemWith(
  503,
  "The Ledger did not answer. It may have done what you asked: look before you ask again.",
  { headers: { "retry-after": "5" } },
);

function otherMethod(routes: readonly (AdminRoute | StoreRoute)[]): Problem {
  const allow = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
  return problemWith(405, `This address takes ${allow}.`, { headers: { allow } });
}
