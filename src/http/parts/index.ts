/** Every part by its name. A deployment has those of its configuration (`src/local/build.ts`). */
export { adminPart as admin } from "../admin.ts";
export { pages } from "../page-routes.ts";
export { routePart as route } from "../route.ts";
export { badges } from "./badges.ts";
export { compatible } from "./compatible.ts";
export { deskPart as desk } from "./desk.tsx";
export { embed } from "./embed.tsx";
export { explainPart as explain, explainPage } from "./explain.tsx";
export { calendar, feeds } from "./feeds.tsx";
export { mcp } from "./mcp.ts";
export { metrics } from "./metrics.ts";
export { statuspage } from "./statuspage.ts";
