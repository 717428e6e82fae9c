/** The id that a monitor has when it gives none. Pure. */

/** Kinds whose request names a model. */
const MODEL_KINDS = ["chat", "messages", "embeddings", "image", "video"] as const;

const MAX_ID_LENGTH = 40;

/** The kind, and of what asks a model the model too, as far as an id can hold it: `chat-gpt-4o-mini`. */
export function usualMonitorId(kind: string, model: unknown): string {
  if (!hasModel(kind) || typeof model !== "string") return kind;
  const fit = `${kind}-${model.toLowerCase()}`.replaceAll(/[^a-z0-9]+/g, "-");
  return fit.slice(0, MAX_ID_LENGTH).replace(/-+$/, "");
}

export function hasModel(kind: string): boolean {
  return MODEL_KINDS.some((name) => name === kind);
}
