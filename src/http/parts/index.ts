/** Every part by its name. A deployment has those of its configuration (`src/local/build.ts`). */
export { adminPart as admin } from "../admin.ts";
export { pages } from "../page-routes.ts";
export { routePart as route } from "../route.ts";
export { deskPart as desk } from "./desk.tsx";
export { embed } from "./embed.tsx";
export { explainPart as explain, explainPage } from "./explain.tsx";
export { calendar, feeds } from "./feeds.tsx";
export { badges, compatible, metrics, statuspage } from "./formats.ts";
export { mcp } from "./mcp.ts";
export { push } from "./push.ts";
