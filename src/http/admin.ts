/** Orders of administrators, handed to the Ledger. */
import * as z from "zod/mini";
import { id, instant, listOf, pattern, text } from "../config/fields.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { MAX_NOTE_LENGTH } from "../domain/incident.ts";
import type { AdminAnswer, AdminRequest } from "../domain/tick.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { fitToken, judgeBearer } from "./auth.ts";
import type { AppContext } from "./deps.ts";
import {
  HttpProblem,
  faultsOf,
  jsonOf,
  notFound,
  readBody,
  respondWithProblem,
  unprocessable,
  type Fault,
  type Problem,
} from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

export interface AdminRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1/admin/`; its groups are the ids. Ids of another form belong to nothing that there is. */
  readonly path: RegExp;
  /** @param body parsed JSON; `{}` where none came. */
  order(ids: readonly string[], body: unknown, nowMs: number): AdminRequest;
}

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  {
    method: "POST",
    path: /^gateways\/([a-z0-9-]{1,40})\/monitors\/([a-z0-9-]{1,40})\/(probe|pause|resume)$/,
    order: ([gateway = "", monitor = "", verb], body) => {
      const type = verb === "pause" || verb === "resume" ? verb : "probe_now";
      return judge(noFields, body, () => ({ type, monitorId: `${gateway}/${monitor}` }));
    },
  },
  {
    method: "POST",
    path: /^incidents\/([a-z0-9.-]{1,81}-\d{8}t\d{6}z)\/acknowledge$/,
    order: ([incidentId = ""], body) => judge(noFields, body, () => ({ type: "acknowledge", incidentId })),
  },
  {
    method: "POST",
    path: /^incidents\/([a-z0-9.-]{1,81}-\d{8}t\d{6}z)\/notes$/,
    order: ([incidentId = ""], body) =>
      judge(noteFields, body, (note) => ({ type: "note", incidentId, text: note.text })),
  },
  { method: "GET", path: /^maintenance$/, order: () => ({ type: "list_maintenance" }) },
  { method: "POST", path: /^maintenance$/, order: (_, body, nowMs) => planOrder(body, nowMs) },
  {
    method: "DELETE",
    path: /^maintenance\/([a-z0-9-]{1,40})$/,
    order: ([windowId = ""]) => ({ type: "cancel_maintenance", id: windowId }),
  },
  { method: "GET", path: /^alerts$/, order: () => ({ type: "list_alerts" }) },
  {
    method: "POST",
    path: /^alerts\/replay$/,
    order: (_, body) =>
      judge(replayFields, body, ({ channel = null, event = null }) => ({
        type: "replay_alerts",
        channel,
        eventId: event,
      })),
  },
  {
    method: "POST",
    path: /^alerts\/test$/,
    order: (_, body) => judge(testFields, body, ({ channel = null }) => ({ type: "test_alert", channel })),
  },
  { method: "GET", path: /^quarantine$/, order: () => ({ type: "list_quarantine" }) },
  { method: "DELETE", path: /^quarantine$/, order: () => ({ type: "clear_quarantine" }) },
];

const OBJECT_FIX = "write a JSON object";

const noFields = z.lazy(() => z.strictObject({}, OBJECT_FIX));

const NOTE_FIX = `write 1 to ${MAX_NOTE_LENGTH} characters, none of them a control character but tabs and line ends`;
export const noteFields = z.lazy(() =>
  z.strictObject({ text: z.string(NOTE_FIX).check(z.refine(isNote, NOTE_FIX)) }, OBJECT_FIX),
);

/**
 * As the Ledger counts them: white space around it is dropped, and a pair of surrogates is one character. What cannot be
 * seen is no note.
 */
function isNote(value: string): boolean {
  if (/[^\P{Cc}\t\r\n]|\p{Cs}/u.test(value)) return false;
  return visibleText(value).trim() !== "" && Array.from(value.trim()).length <= MAX_NOTE_LENGTH;
}

const EVENT_FIX = "write an event's id as GET /api/v1/admin/alerts lists it";
export const replayFields = z.lazy(() =>
  z.strictObject(
    { channel: z.optional(id), event: z.optional(pattern(/^[a-z0-9-]{1,200}$/, EVENT_FIX)) },
    OBJECT_FIX,
  ),
);

export const testFields = z.lazy(() => z.strictObject({ channel: z.optional(id) }, OBJECT_FIX));

export const windowFields = z.lazy(() =>
  z.strictObject(
    {
      gateways: z.optional(
        listOf(id, "name at least one gateway in a list, or leave it out: then it is all"),
      ),
      from: instant,
      to: instant,
      title: z._default(text(120), "Planned maintenance"),
    },
    OBJECT_FIX,
  ),
);

function planOrder(body: unknown, nowMs: number): AdminRequest {
  const faults = spanFaults(body, nowMs);
  return judge(
    windowFields,
    body,
    ({ gateways = [], from, to, title }) => ({
      type: "plan_maintenance",
      gateways: [...new Set(gateways)],
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      title,
    }),
    faults,
  );
}

const LONGEST_WINDOW_MS = 31 * DAY_MS;

/** Judged whatever else is wrong; an instant that is none compares as false. */
function spanFaults(body: unknown, nowMs: number): readonly Fault[] {
  const written = Object(body) as Record<string, unknown>;
  const msOf = (value: unknown) =>
    instant.safeParse(value).success ? Date.parse(String(value)) : Number.NaN;
  const [fromMs, toMs] = [msOf(written["from"]), msOf(written["to"])];
  const details = [
    ...(toMs <= fromMs ? ["write an instant after from"] : []),
    ...(toMs <= nowMs ? ["write an instant in the future"] : []),
    ...(toMs - fromMs > LONGEST_WINDOW_MS ? ["write an instant at most 31 days after from"] : []),
  ];
  return details.map((detail) => ({ detail, pointer: "#/to" }));
}

function judge<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
  orderOf: (fields: z.output<Schema>) => AdminRequest,
  more: readonly Fault[] = [],
): AdminRequest {
  const parsed = z.safeParse(schema, body);
  if (parsed.success && more.length === 0) return orderOf(parsed.data);
  throw new HttpProblem(unprocessable([...(parsed.success ? [] : faultsOf(parsed.error)), ...more]));
}

const ADMIN_PATH = "/api/v1/admin/";

const MAX_BODY_BYTES = 16 * 1024;

/** Null: nobody administers here, and there is nothing at any of these addresses. */
export async function respondToAdmin(context: AppContext): Promise<Response | null> {
  const { env } = context;
  const request = context.req.raw;
  if (fitToken(env.adminToken) === null) return null;
  try {
    const order = await readOrder(context);
    const answer = await env.administer(order).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : "unknown error";
      // oxlint-disable-next-line no-console -- the platform's log is where operators look
      console.error("http: the Ledger did not answer", name);
      throw new HttpProblem(NO_ANSWER);
    });
    if (!answer.ok) throw new HttpProblem(problemOf(answer));
    return await respond(request, { type: JSON_TYPE, caching: "private" }, JSON.stringify(answer.value));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return respondWithProblem(request, error.problem, "private");
  }
}

async function readOrder(context: AppContext): Promise<AdminRequest> {
  const { req, env } = context;
  const bearer = await judgeBearer(req.header("authorization"), env.adminToken);
  if (bearer !== "right") throw new HttpProblem(UNAUTHORIZED);
  const path = req.path.slice(ADMIN_PATH.length);
  const routes = ADMIN_ROUTES.filter((route) => route.path.test(path));
  if (routes.length === 0) throw new HttpProblem(notFound("There is nothing at this address."));
  const method = req.method === "HEAD" ? "GET" : req.method;
  const route = routes.find((candidate) => candidate.method === method);
  if (!route) throw new HttpProblem(otherMethod(routes));
  const body = method === "POST" ? jsonOf(await readBody(context, MAX_BODY_BYTES, TOO_LARGE)) : {};
  return route.order(route.path.exec(path)?.slice(1) ?? [], body, env.now());
}

const TOO_LARGE: Problem = {
  status: 413,
  title: "Content too large",
  detail: `A body has at most ${MAX_BODY_BYTES} bytes.`,
};

const UNAUTHORIZED: Problem = {
  status: 401,
  title: "Unauthorized",
  detail: "This address asks for the administrator's token, as a bearer token.",
  headers: { "www-authenticate": "Bearer" },
};

/** A storage that fails changes nothing; of an object that was ended in between that is not known. */
const NO_ANSWER: Problem = {
  status: 503,
  title: "Service unavailable",
  detail: "The Ledger did not answer. It may have done what you asked, or not: look before you ask again.",
  headers: { "retry-after": "5" },
};

function otherMethod(routes: readonly AdminRoute[]): Problem {
  const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  const allow = methods.join(", ");
  return {
    status: 405,
    title: "Method not allowed",
    detail: `This address takes ${allow}.`,
    headers: { allow },
  };
}

function problemOf({ why, detail }: Extract<AdminAnswer, { ok: false }>): Problem {
  switch (why) {
    case "not_found":
      return notFound(detail);
    case "conflict":
      return { status: 409, title: "Conflict", detail };
    case "incomplete":
      return { ...NO_ANSWER, detail };
  }
}
