/**
 * Administration, under `/api/v1/admin/`: asks the Ledger. Who does not bear ADMIN_TOKEN learns nothing here, not even
 * which addresses there are: the token is looked at before anything else. Answers are for who asked alone.
 */
import type { AdminAnswer } from "../domain/administration.ts";
import { ADMIN_ROUTES, type AdminRoute } from "./admin-orders.ts";
import { fitToken, judgeBearer } from "./admin-token.ts";
import type { AppDeps } from "./deps.ts";
import { readJsonBody } from "./json-body.ts";
import { notFound, type Problem, respondWithProblem, unprocessable } from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

const ADMIN_PATH = "/api/v1/admin/";

const MAX_BODY_BYTES = 16 * 1024;

type AdminDeps = Pick<AppDeps, "adminToken" | "administer" | "now">;

/** Null: nobody administers here, and there is nothing at any of these addresses. */
export async function respondToAdmin(request: Request, deps: AdminDeps): Promise<Response | null> {
  if (fitToken(deps.adminToken) === null) return null;
  const bearer = await judgeBearer(request.headers.get("authorization"), deps.adminToken);
  if (bearer !== "right") return refuse(request, UNAUTHORIZED);
  const { pathname } = new URL(request.url);
  const path = pathname.startsWith(ADMIN_PATH) ? pathname.slice(ADMIN_PATH.length) : "";
  const routes = ADMIN_ROUTES.filter((route) => route.path.test(path));
  if (routes.length === 0) return refuse(request, notFound("There is nothing at this address."));
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = routes.find((candidate) => candidate.method === method);
  if (!route) return refuse(request, otherMethod(routes));
  const body = method === "POST" ? await readJsonBody(request, MAX_BODY_BYTES) : NO_BODY;
  if (!body.ok) return refuse(request, body.problem);
  const ids = route.path.exec(path)?.slice(1) ?? [];
  const order = route.order(ids, body.value, deps.now());
  if (!order.ok) return refuse(request, unprocessable(order.faults));
  try {
    return tell(request, await deps.administer(order.value));
  } catch (error) {
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error("http: the Ledger did not answer", error instanceof Error ? error.name : "unknown error");
    return refuse(request, NO_ANSWER);
  }
}

const NO_BODY = { ok: true, value: {} } as const;

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

function tell(request: Request, answer: AdminAnswer): Response {
  if (answer.ok) {
    const how = { type: JSON_TYPE, caching: "private", etag: null } as const;
    return respond(request, how, () => JSON.stringify(answer.value));
  }
  return refuse(request, problemOf(answer));
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

function refuse(request: Request, problem: Problem): Response {
  return respondWithProblem(request, problem, "private");
}
