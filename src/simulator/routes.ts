/** The routes of the simulated service: what a method and a path below the base URL ask for. Pure; spec 4. */

const ROUTES = {
  "GET /v1/models": "models",
  "POST /v1/chat/completions": "chat",
  "POST /v1/messages": "messages",
  "POST /v1/responses": "responses",
  "POST /v1beta/models/:model": "gemini",
  "POST /v1/embeddings": "embeddings",
  "POST /v1/images/generations": "image_create",
  "GET /v1/images/generations/:id": "image_task",
  "POST /v1/videos": "video_create",
  "GET /v1/videos/:id": "video_task",
  "POST /v1/video/generations": "video_job_create",
  "GET /v1/video/generations/:id": "video_job_task",
} as const;

export type Route = (typeof ROUTES)[keyof typeof ROUTES] | "console" | "wrong_method" | "none";

/** What makes text. */
export const TEXT_ROUTES = ["chat", "messages", "responses", "gemini"] as const;
export type TextRoute = (typeof TEXT_ROUTES)[number];

export function isTextRoute(route: Route): route is TextRoute {
  return TEXT_ROUTES.some((known) => known === route);
}

/** What asks Gemini, and its two ways to answer. */
export const GEMINI_PATH = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

const BY_REQUEST: ReadonlyMap<string, Route> = new Map(Object.entries(ROUTES));

export function routeOf(method: string, path: string): Route {
  if (path === "/api" || path.startsWith("/api/")) return "console";
  const place = path
    .replace(/^(\/v1\/(?:images\/generations|videos|video\/generations))\/[^/]+$/, "$1/:id")
    .replace(GEMINI_PATH, "/v1beta/models/:model");
  const route = BY_REQUEST.get(`${method} ${place}`);
  if (route !== undefined) return route;
  return [...BY_REQUEST.keys()].some((known) => known.endsWith(` ${place}`)) ? "wrong_method" : "none";
}
