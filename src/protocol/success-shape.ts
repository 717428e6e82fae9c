/**
 * Whether a good answer holds what was asked for. Lenient everywhere but in the model listing, whose shape is fixed
 * (spec 2.4, 4.1). Pure.
 */
import { asList, asObject, asText, isEmptyValue } from "./json.ts";
import type { JsonObject } from "./json.ts";
import type { Kind } from "./observation.ts";

/** The evidence of success that an answer of this kind carries; tasks are judged by their state. */
export function hasExpectedShape(kind: Kind, body: JsonObject): boolean {
  switch (kind) {
    case "models":
      return asList(body["data"]) !== null;
    case "chat":
    case "messages":
    case "stream":
      return holders(body).some(hasGeneration);
    case "embeddings":
      return holders(body).some(hasVectors);
    case "image":
      return holders(body).some(hasImages);
    case "console":
      return true;
    case "task":
      return holders(body).some((holder) => hasImages(holder) || asText(holder["url"]) !== null);
  }
}

/** The body, and what its envelope holds. */
function holders(body: JsonObject): readonly JsonObject[] {
  const inner = ["data", "output", "result", "response", "Response", "payload"].map((key) =>
    asObject(body[key]),
  );
  return [body, ...inner.filter((holder) => holder !== null)];
}

const LISTS_OF_TEXT = ["choices", "content", "candidates", "generations", "results", "outputs", "Choices"];
const TEXTS = [
  "output_text",
  "generated_text",
  "completion",
  "text",
  "generation",
  "outputText",
  "output",
  "reply",
  "result",
  "response",
];

function hasGeneration(holder: JsonObject): boolean {
  return (
    LISTS_OF_TEXT.some((key) => (asList(holder[key])?.length ?? 0) > 0) ||
    (holder["type"] === "message" && asList(holder["content"]) !== null) ||
    holder["object"] === "response" ||
    !isEmptyValue(asObject(holder["message"])) ||
    TEXTS.some((key) => typeof holder[key] === "string") ||
    (asList(holder["output"])?.length ?? 0) > 0
  );
}

function hasVectors(holder: JsonObject): boolean {
  return [
    "data",
    "embeddings",
    "embedding",
    "results",
    "vectors",
    "predictions",
    "embeddingsByType",
    "scores",
  ].some((key) => asList(holder[key]) !== null || asObject(holder[key]) !== null);
}

function hasImages(holder: JsonObject): boolean {
  return (
    [
      "data",
      "images",
      "output",
      "artifacts",
      "predictions",
      "candidates",
      "results",
      "image_urls",
      "choices",
      "videos",
      "generated_images",
    ].some((key) => (asList(holder[key])?.length ?? 0) > 0) ||
    ["url", "image", "image_url", "b64_json", "video_url", "output", "sample"].some(
      (key) => asText(holder[key]) !== null,
    )
  );
}
