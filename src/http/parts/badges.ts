/** Badges: pictures, and what shields.io draws. */
import {
  SVG_TYPE,
  badgeOf,
  badgeSvg,
  noBadge,
  shieldsEndpoint,
  type Badge,
  type BadgeSubject,
} from "../../formats/badge.ts";
import type { StatusDocument } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { presentId } from "../history.ts";
import { HttpProblem, orThrow, problemWith } from "../problem.ts";
import { absentFrom, kept, type Published, readPublished } from "../published.ts";
import { cachingOf, JSON_TYPE, respond } from "../respond.ts";

export const badges: Part = {
  routes: () => [
    { path: "/badge/:file", get: kept(badgeRoute) },
    { path: "/badge/:gateway/:file", get: kept(badgeRoute) },
  ],
};

async function badgeRoute(context: AppContext): Promise<Response> {
  const { req, env } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) throw new HttpProblem(NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  return answerBadge(context, form === "svg", ({ status, tail }) => {
    const id = gateway === undefined ? name : `${gateway}/${name}`;
    const subject = subjectOf(status, id) ?? subjectOf(status, presentId(id, tail));
    return subject && badgeOf(subject, status, env.now(), req.query("label") || null);
  });
}

/** @param badgeFrom null: there is none. */
export async function answerBadge(
  { env, req }: AppContext,
  isImage: boolean,
  badgeFrom: (published: Published) => Badge | null,
): Promise<Response> {
  try {
    const published = orThrow(await readPublished(env));
    const badge = badgeFrom(published);
    if (badge === null) throw absentFrom(published, NO_BADGE);
    const type = isImage ? SVG_TYPE : JSON_TYPE;
    const caching = cachingOf(published.gaps);
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
