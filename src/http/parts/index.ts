/** Every part by its name. A deployment has those of its configuration (`src/local/build.ts`). */
export { adminPart as admin } from "../admin.ts";
export { deskPart as desk } from "../desk/routes.ts";
export { explainPart as explain } from "../explain.ts";
export { pages } from "../page-routes.ts";
export { routePart as route } from "../route.ts";
export { badges } from "./badges.ts";
export { compatible } from "./compatible.ts";
export { embed } from "./embed.tsx";
export { explainPage } from "./explain-page.ts";
export { calendar } from "./calendar.ts";
export { feeds } from "./feeds.ts";
export { mcp } from "./mcp.ts";
export { metrics } from "./metrics.ts";
export { statuspage } from "./statuspage.ts";
