/** What the simulated service has: routes (spec 4), models (spec 2.4 says that entries have fields, but shows none) and keys (spec 5). Pure. */
import type { ErrorCode } from "./wire.ts";

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
} as const;

export type Route = (typeof ROUTES)[keyof typeof ROUTES] | "console" | "wrong_method" | "none";

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
    .replace(/^(\/v1\/(?:images\/generations|videos))\/[^/]+$/, "$1/:id")
    .replace(GEMINI_PATH, "/v1beta/models/:model");
  const route = BY_REQUEST.get(`${method} ${place}`);
  if (route !== undefined) return route;
  return [...BY_REQUEST.keys()].some((known) => known.endsWith(` ${place}`)) ? "wrong_method" : "none";
}

export const SMALL_CHAT_MODEL = "sim-chat-small";
export const EMBEDDING_MODEL = "sim-embedding";
const IMAGE_MODEL = "sim-image";
/** Its images are made by a task. */
export const ASYNC_IMAGE_MODEL = "sim-image-async";
const VIDEO_MODEL = "sim-video";

export const MODEL_IDS: readonly string[] = [
  SMALL_CHAT_MODEL,
  "sim-chat-large",
  EMBEDDING_MODEL,
  IMAGE_MODEL,
  ASYNC_IMAGE_MODEL,
  VIDEO_MODEL,
];

export const MODEL_COUNT = MODEL_IDS.length;

function modelEntry(id: string) {
  return { id, object: "model", created: 1_700_000_000, owned_by: "simulator" };
}

export function modelList(ids: readonly string[] = MODEL_IDS) {
  return { object: "list", data: ids.map(modelEntry) };
}

/** They open nothing but a simulator. */
export const SIMULATOR_KEYS = { good: "sim-key-good", revoked: "sim-key-revoked" } as const;

/** Null: admitted. @param anyKey whether other keys are good too. */
export function refusalOf(key: string, anyKey: boolean): ErrorCode | null {
  if (key === "") return "missing_api_key";
  if (key === SIMULATOR_KEYS.revoked) return "api_key_revoked";
  return anyKey || key === SIMULATOR_KEYS.good ? null : "invalid_api_key";
}
