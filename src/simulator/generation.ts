/** Chat, messages, embeddings and images, answered at once: the shapes that are public custom, as spec 4.2 shows none. */
import { type ErrorCode, type Wire, json, parseJson, refusal } from "./wire.ts";
import { chatFrames, eventStream, messagesFrames } from "./event-stream.ts";
import { SIMULATOR_KEYS, SMALL_QUOTA } from "./keys.ts";
import { ASYNC_IMAGE_MODEL, EMBEDDING_MODEL, MODEL_IDS, SMALL_CHAT_MODEL } from "./models.ts";
import type { GenerationRoute } from "./routes.ts";
import type { Call, World } from "./scenario.ts";
import { type Course, type TaskKind, USUAL_COURSES } from "./tasks.ts";

/** What a well-formed order for a generation asks for. */
interface Order {
  readonly model: string;
  readonly isStreamed: boolean;
}

/** Other courses of tasks, for scenarios. */
export type Courses = Readonly<Partial<Record<TaskKind, Course>>>;

export function generate(call: Call, route: GenerationRoute, world: World, courses: Courses): Wire {
  const order = readOrder(call);
  if (typeof order === "string") return refusal(order, route === "messages");
  const code = spend(call, world, order);
  if (code !== null) return refusal(code, route === "messages");
  const task = (kind: TaskKind) =>
    world.gateway.tasks.create(kind, order.model, courses[kind] ?? USUAL_COURSES[kind], call.nowMs);
  switch (route) {
    case "chat":
      return chat(call, order);
    case "messages":
      return messages(call, order);
    case "embeddings":
      return embeddings(order);
    case "image_create":
      return order.model === ASYNC_IMAGE_MODEL ? task("image") : imageAtOnce(call);
    case "video_create":
      return task("video");
    case "video_job_create":
      return task("video_job");
  }
}

/** The code of what is wrong with it otherwise. */
function readOrder({ body: text, route }: Call): Order | ErrorCode {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "invalid_json";
  const model = "model" in body ? body.model : "";
  if (typeof model !== "string" || model === "") return "missing_model";
  if (!MODEL_IDS.includes(model)) return "model_not_found";
  if (route === "embeddings" && model !== EMBEDDING_MODEL) return "embedding_not_supported";
  return { model, isStreamed: "stream" in body && body.stream === true };
}

/** Takes a generation off the key's quota, or says why it may have none. */
function spend({ key }: Call, { gateway }: World, { model }: Order): ErrorCode | null {
  if (key === SIMULATOR_KEYS.oneModel && model !== SMALL_CHAT_MODEL) return "model_not_allowed";
  if (key !== SIMULATOR_KEYS.smallQuota) return null;
  gateway.spent += 1;
  return gateway.spent > SMALL_QUOTA ? "quota_exceeded" : null;
}

function chat(call: Call, order: Order): Wire {
  const id = `chatcmpl-${call.requestId}`;
  const created = Math.floor(call.nowMs / 1000);
  if (order.isStreamed) return eventStream(chatFrames(id, order.model, created));
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
  if (order.isStreamed) return eventStream(messagesFrames(id, order.model));
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
