/**
 * `GET /badge/<gateway>.svg` and `/badge/<gateway>/<monitor>.svg`: an image for a README, or with `.json` what shields.io
 * makes one of. Where an image was asked for, a failure is an image too.
 */
import { badgeOf, type BadgeSubject, noBadge, shieldsEndpoint } from "../formats/badge.ts";
import { badgeSvg, SVG_TYPE } from "../formats/badge-svg.ts";
import type { StatusDocument } from "../history/documents.ts";
import type { Read } from "../history/reader.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { notFound, type Problem, respondWithProblem, unavailable } from "./problem.ts";
import { missingPart, readPublished, readStatusNow } from "./published.ts";
import { presentId } from "./renamed.ts";
import { JSON_TYPE, respond } from "./respond.ts";

export async function badgeRoute(context: AppContext): Promise<Response> {
  const { req } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) return respondWithProblem(req.raw, NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  const isImage = form === "svg";
  const found = await findSubject(context, gateway === undefined ? name : `${gateway}/${name}`);
  if (!found.ok) return fail(req.raw, unavailable(found.failure), isImage);
  if (found.value === null) return fail(req.raw, NO_BADGE, isImage);
  const { subject, status } = found.value;
  const badge = badgeOf(subject, status, context.env.now(), req.query("label") || null);
  const body = isImage ? badgeSvg(badge) : shieldsEndpoint(badge);
  const type = isImage ? SVG_TYPE : JSON_TYPE;
  return respond(req.raw, { type, caching: "shared", etag: await tagOf(body) }, () => body);
}

const NO_BADGE = notFound("There is no badge of this name here.");

interface Found {
  readonly subject: BadgeSubject;
  readonly status: StatusDocument;
}

/** @param id of a gateway or of a monitor; null: there is none. */
async function findSubject({ env }: AppContext, id: string): Promise<Read<Found | null>> {
  const read = await readStatusNow(env);
  if (!read.ok) return read;
  const status = read.value;
  const subject = subjectOf(status, id);
  if (subject) return { ok: true, value: { subject, status } };
  // Only here the rest of the snapshot is needed.
  const published = await readPublished(env);
  if (!published.ok) return published;
  const renamed = subjectOf(status, presentId(id, published.value.tail));
  const missing = renamed === null ? missingPart(published.value) : null;
  if (missing !== null) return { ok: false, failure: missing };
  return { ok: true, value: renamed && { subject: renamed, status } };
}

function subjectOf({ gateways }: StatusDocument, id: string): BadgeSubject | null {
  for (const gateway of gateways) {
    if (gateway.id === id) return { gateway, monitor: null };
    const monitor = gateway.monitors.find((one) => one.id === id);
    if (monitor) return { gateway, monitor };
  }
  return null;
}

function fail(request: Request, problem: Problem, asImage: boolean): Response {
  if (!asImage) return respondWithProblem(request, problem);
  const { status, headers } = problem;
  const badge = noBadge(status === 404 ? "missing" : "unavailable");
  return respond(
    request,
    { status, type: SVG_TYPE, caching: "none", etag: null, ...(headers && { headers }) },
    () => badgeSvg(badge),
  );
}
