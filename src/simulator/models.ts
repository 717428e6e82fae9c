/** The models that the simulated service lists. Pure; spec 2.4 says that entries have fields, but shows none. */

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

export function modelEntry(id: string): unknown {
  return { id, object: "model", created: 1_700_000_000, owned_by: "simulator" };
}

export function modelList(ids: readonly string[] = MODEL_IDS): {
  readonly object: string;
  readonly data: readonly unknown[];
} {
  return { object: "list", data: ids.map(modelEntry) };
}
