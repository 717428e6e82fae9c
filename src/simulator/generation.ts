/** Chat, messages, embeddings and images, answered at once: the shapes that are public custom, as spec 4.2 shows none. */
import { refusalReply, type Wire, json } from "./wire.ts";
import { chatFrames, eventStream, messagesFrames } from "./event-stream.ts";
import { type Refusal, SIMULATOR_KEYS, SMALL_QUOTA } from "./keys.ts";
import { ASYNC_IMAGE_MODEL, EMBEDDING_MODEL, MODEL_IDS, SMALL_CHAT_MODEL } from "./models.ts";
import type { GenerationRoute } from "./routes.ts";
import type { Call, World } from "./scenario.ts";
import { type Course, IMAGE_COURSE, VIDEO_COURSE, VIDEO_JOB_COURSE } from "./tasks.ts";

type Body = Readonly<Record<string, unknown>>;

/** What a well-formed order for a generation asks for. */
interface Order {
  readonly model: string;
  readonly body: Body;
}

/** Another course of the task, for scenarios. */
export interface Courses {
  readonly image?: Course;
  readonly video?: Course;
  readonly videoJob?: Course;
}

export function generate(call: Call, route: GenerationRoute, world: World, courses: Courses): Wire {
  const order = readOrder(call);
  if ("refusal" in order) return refusalReply(order.refusal, route === "messages");
  const refusal = spend(call, world, order);
  if (refusal !== null) return refusalReply(refusal, route === "messages");
  switch (route) {
    case "chat":
      return chat(call, order);
    case "messages":
      return messages(call, order);
    case "embeddings":
      return embeddings(order);
    case "image_create":
      return order.model === ASYNC_IMAGE_MODEL
        ? world.gateway.tasks.create("image", order.model, courses.image ?? IMAGE_COURSE, call.nowMs)
        : imageAtOnce(call);
    case "video_create":
      return world.gateway.tasks.create("video", order.model, courses.video ?? VIDEO_COURSE, call.nowMs);
    case "video_job_create": {
      const course = courses.videoJob ?? VIDEO_JOB_COURSE;
      return world.gateway.tasks.create("video_job", order.model, course, call.nowMs);
    }
  }
}

function readOrder(call: Call): Order | { readonly refusal: Refusal } {
  let body: unknown;
  try {
    body = JSON.parse(call.body);
  } catch {
    return bad("invalid_json", "The body is not JSON.");
  }
  if (!isRecord(body)) return bad("invalid_json", "The body is not a JSON object.");
  const model = body["model"];
  if (typeof model !== "string" || model === "")
    return bad("missing_model", "The parameter model is missing.");
  if (!MODEL_IDS.includes(model)) return notFound(`The model ${model} does not exist.`);
  if (call.route === "embeddings" && model !== EMBEDDING_MODEL) {
    return bad("embedding_not_supported", `The model ${model} makes no embeddings.`);
  }
  const image = imageUrlOf(body);
  if (image !== null && !/^(https?:\/\/|data:image\/)/.test(image)) {
    return bad("invalid_image_url", "The image's URL cannot be read.");
  }
  return { model, body };
}

function bad(code: string, message: string): { readonly refusal: Refusal } {
  return { refusal: { status: 400, type: "invalid_request_error", code, message } };
}

function notFound(message: string): { readonly refusal: Refusal } {
  return { refusal: { status: 404, type: "invalid_request_error", code: "model_not_found", message } };
}

/** Takes a generation off the key's quota, or says why it may have none. */
function spend(call: Call, world: World, order: Order): Refusal | null {
  if (call.key === SIMULATOR_KEYS.oneModel && order.model !== SMALL_CHAT_MODEL) {
    const message = `The key may not use the model ${order.model}.`;
    return { status: 403, type: "permission_error", code: "model_not_allowed", message };
  }
  if (call.key !== SIMULATOR_KEYS.smallQuota) return null;
  const spent = world.gateway.spent.get(call.key) ?? 0;
  if (spent >= SMALL_QUOTA) {
    const message = "The quota of this key is used up.";
    return { status: 429, type: "insufficient_quota", code: "quota_exceeded", message };
  }
  world.gateway.spent.set(call.key, spent + 1);
  return null;
}

function chat(call: Call, order: Order): Wire {
  const id = `chatcmpl-${call.requestId}`;
  const created = Math.floor(call.nowMs / 1000);
  if (order.body["stream"] === true) return eventStream(chatFrames(id, order.model, created));
  return json(200, {
    id,
    object: "chat.completion",
    created,
    model: order.model,
    choices: [{ index: 0, message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
  });
}

function messages(call: Call, order: Order): Wire {
  const id = `msg_${call.requestId}`;
  if (order.body["stream"] === true) return eventStream(messagesFrames(id, order.model));
  return json(200, {
    id,
    type: "message",
    role: "assistant",
    model: order.model,
    content: [{ type: "text", text: "pong" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 2 },
  });
}

function embeddings(order: Order): Wire {
  return json(200, {
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.6, -0.8, 0] }],
    model: order.model,
    usage: { prompt_tokens: 2, total_tokens: 2 },
  });
}

/** One grey pixel, as PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";

function imageAtOnce(call: Call): Wire {
  return json(200, { created: Math.floor(call.nowMs / 1000), data: [{ b64_json: PIXEL }] });
}

/** The first image URL in the content of a chat message, as public custom has it. */
function imageUrlOf(body: Body): string | null {
  const turns = Array.isArray(body["messages"]) ? body["messages"] : [];
  const parts = turns.flatMap((turn: unknown) =>
    isRecord(turn) && Array.isArray(turn["content"]) ? turn["content"] : [],
  );
  for (const part of parts) {
    const image = isRecord(part) ? part["image_url"] : undefined;
    if (isRecord(image) && typeof image["url"] === "string") return image["url"];
  }
  return null;
}

function isRecord(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
