/** The routes of the simulated service: what a method and a path below the base URL ask for. Pure; spec 4. */

/** Those whose requests cost money. */
export type GenerationRoute =
  | "chat"
  | "messages"
  | "embeddings"
  | "image_create"
  | "video_create"
  | "video_job_create";

export type Route =
  | GenerationRoute
  | "models"
  | "image_task"
  | "video_task"
  | "video_job_task"
  | "console"
  | "wrong_method"
  | "none";

const FIXED: Readonly<Record<string, { readonly method: string; readonly route: Route }>> = {
  "/v1/models": { method: "GET", route: "models" },
  "/v1/chat/completions": { method: "POST", route: "chat" },
  "/v1/messages": { method: "POST", route: "messages" },
  "/v1/embeddings": { method: "POST", route: "embeddings" },
  "/v1/images/generations": { method: "POST", route: "image_create" },
  "/v1/videos": { method: "POST", route: "video_create" },
  "/v1/video/generations": { method: "POST", route: "video_job_create" },
};

const TASKS: Readonly<Record<string, Route>> = {
  "images/generations": "image_task",
  videos: "video_task",
  "video/generations": "video_job_task",
};

export function routeOf(method: string, path: string): Route {
  if (path === "/api" || path.startsWith("/api/")) return "console";
  const fixed = FIXED[path];
  if (fixed !== undefined) return fixed.method === method ? fixed.route : "wrong_method";
  const route = TASKS[/^\/v1\/(.+)\/[^/]+$/.exec(path)?.[1] ?? ""];
  if (route === undefined) return "none";
  return method === "GET" ? route : "wrong_method";
}
