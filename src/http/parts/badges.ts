/** Badges: pictures, and what shields.io draws. */
import {
  SVG_TYPE,
  badgeOf,
  badgeSvg,
  noBadge,
  shieldsEndpoint,
  type BadgeSubject,
} from "../../formats/badge.ts";
import type { StatusDocument } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { presentId } from "../history.ts";
import { HttpProblem, orThrow, problemWith } from "../problem.ts";
import { absentFrom, kept, readPublished } from "../published.ts";
import { cachingOf, JSON_TYPE, respond } from "../respond.ts";

export const badges: Part = {
  routes: () => [
    { path: "/badge/:file", get: kept(badgeRoute) },
    { path: "/badge/:gateway/:file", get: kept(badgeRoute) },
  ],
};

async function badgeRoute(context: AppContext): Promise<Response> {
  const { req } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) throw new HttpProblem(NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  const isImage = form === "svg";
  try {
    const id = gateway === undefined ? name : `${gateway}/${name}`;
    const published = orThrow(await readPublished(context.env));
    const { status, tail } = published;
    const subject = subjectOf(status, id) ?? subjectOf(status, presentId(id, tail));
    if (subject === null) throw absentFrom(published, NO_BADGE);
    const badge = badgeOf(subject, status, context.env.now(), req.query("label") || null);
    const type = isImage ? SVG_TYPE : JSON_TYPE;
    const caching = cachingOf(status.gaps);
    return await respond(req.raw, { type, caching }, isImage ? badgeSvg(badge) : shieldsEndpoint(badge));
  } catch (error) {
    if (!isImage || !(error instanceof HttpProblem)) throw error;
    // If an image was requested, the answer is an image even for a problem.
    const { status, headers } = error.problem;
    const svg = badgeSvg(noBadge(status === 404 ? "missing" : "unavailable"));
    return respond(req.raw, { status, type: SVG_TYPE, caching: "none", ...(headers && { headers }) }, svg);
  }
}

const NO_BADGE = problemWith(404, "There is no badge of this name here.");

function subjectOf({ gateways }: StatusDocument, id: string): BadgeSubject | null {
  for (const gateway of gateways) {
    if (gateway.id === id) return { gateway, monitor: null };
    const monitor = gateway.monitors.find((one) => one.id === id);
    if (monitor) return { gateway, monitor };
  }
  return null;
}
