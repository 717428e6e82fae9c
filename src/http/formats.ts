/**
 * What was published, in the formats of other programs.
 */
import { badgeRoute } from "./badges.ts";
import type { Route } from "./deps.ts";
import { feedRoute } from "./feed.ts";
import { STATUSPAGE_ROUTES } from "./statuspage.ts";

/** The paths, and what answers there. */
export const FORMAT_ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ["/feed.atom", feedRoute],
  ["/badge/:file", badgeRoute],
  ["/badge/:gateway/:file", badgeRoute],
  ...STATUSPAGE_ROUTES,
];
