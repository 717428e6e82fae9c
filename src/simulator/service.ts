/**
 * The simulated service in good health: the model API and the console (spec 2 to 8). Generations have the usual
 * public shapes, since spec 4.2 shows none.
 */
import { type Exercise, EXERCISES } from "../protocol/audit.ts";
import { type Course, type TaskKind, USUAL_COURSES } from "./gateways.ts";
import { refusalOf } from "./keys.ts";
import { ASYNC_IMAGE_MODEL, EMBEDDING_MODEL, MODEL_IDS, modelList } from "./models.ts";
import { answerOf, eventStream, framesOf, USUAL } from "./protocols.ts";
import { GEMINI_PATH, isTextRoute, type Route, type TextRoute } from "./routes.ts";
import type { Call, World } from "./scenario.ts";
import {
  chatError,
  envelope,
  type ErrorCode,
  html,
  json,
  parseJson,
  refusal,
  type Reply,
  type Wire,
} from "./wire.ts";

export type Courses = Readonly<Partial<Record<TaskKind, Course>>>;

/** @param anyKey whether every key is good except those known to be bad. */
export function serve(call: Call, world: World, anyKey: boolean, courses: Courses = {}): Wire {
  const { key, route } = call;
  if (route === "none") return html(404, "Page not found");
  if (route === "wrong_method") return chatError("method_not_allowed");
  const code = refusalOf(key, anyKey);
  if (code !== null) return refusal(code, route);
  const { tasks } = world.gateway;
  switch (route) {
    case "models":
      return json(200, modelList());
    case "console":
      return answerConsole(call, BALANCE);
    case "image_task":
      return tasks.ask("image", lastPart(call.path));
    case "video_task":
      return tasks.ask("video", lastPart(call.path));
    case "video_job_task":
      return tasks.ask("video_job", lastPart(call.path));
    case "chat":
    case "messages":
    case "responses":
    case "gemini":
    case "embeddings":
    case "image_create":
    case "video_create":
    case "video_job_create":
      return generate(call, route, world, courses);
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Of a user with enough left. */
const BALANCE = 12.5;
/** In which some consoles count a balance instead. */
const UNITS_IN_A_DOLLAR = 500_000;

/** The console: HTTP 200 with `code`, `message` and `data`, failures too (spec 2.3, 7.2). */
export function answerConsole({ method, path }: Call, balance: number): Reply {
  switch (`${method} ${path}`) {
    case "GET /api/user/balance":
      return envelope(0, "success", { balance, currency: "USD" });
    case "GET /api/user/self": {
      const quota = balance * UNITS_IN_A_DOLLAR;
      return envelope(0, "success", { id: 7, name: "alice", group: "default", quota });
    }
    default:
      return envelope(4004, "The resource is missing or not accessible.");
  }
}

type GenerationRoute = TextRoute | Extract<Route, "embeddings" | `${string}_create`>;

interface Order {
  readonly model: string;
  readonly isStreamed: boolean;
}

function generate(call: Call, route: GenerationRoute, world: World, courses: Courses): Wire {
  const order = readOrder(call);
  if (typeof order === "string") return refusal(order, route);
  const task = (kind: TaskKind) =>
    world.gateway.tasks.create(kind, order.model, courses[kind] ?? USUAL_COURSES[kind], call.nowMs);
  const exercise = EXERCISES.find(({ prompt }) => call.body.includes(JSON.stringify(prompt)));
  if (exercise !== undefined) return auditAnswer(exercise, order.model);
  if (isTextRoute(route)) return textOf(call, route, order);
  switch (route) {
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

function textOf(call: Call, route: TextRoute, { model, isStreamed }: Order): Wire {
  const origin = { ...call, model };
  return isStreamed ? eventStream(framesOf(route, origin)) : answerOf(route, origin, USUAL);
}

/** Of any model. `nameOf`: what the answer calls it. */
export function answerAs(call: Call, nameOf: (asked: string) => string): Wire {
  const order = readAsked(call);
  if (typeof order === "string" || !isTextRoute(call.route)) return chatError("missing_model");
  return textOf(call, call.route, { ...order, model: nameOf(order.model) });
}

function readOrder(call: Call): Order | ErrorCode {
  const order = readAsked(call);
  if (typeof order === "string") return order;
  if (!MODEL_IDS.includes(order.model)) return "model_not_found";
  return call.route === "embeddings" && order.model !== EMBEDDING_MODEL ? "embedding_not_supported" : order;
}

function readAsked({ body: text, path }: Call): Order | ErrorCode {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "invalid_json";
  const [, named = null, way] = GEMINI_PATH.exec(path) ?? [];
  const model = named ?? ("model" in body ? body.model : "");
  if (typeof model !== "string" || model === "") return "missing_model";
  const isStreamed = way === "streamGenerateContent" || ("stream" in body && body.stream === true);
  return { model, isStreamed };
}

/** As a good model answers in a chat. */
function auditAnswer({ prompt, right, tool }: Exercise, model: string): Reply {
  const words = typeof right === "string" ? right : JSON.stringify(right);
  const call = { id: "call_0", type: "function", function: { name: tool?.name, arguments: words } };
  const message = tool === undefined ? { content: words } : { content: null, tool_calls: [call] };
  const inputTokens = prompt.split(/\s+/).length + 7;
  return json(200, {
    object: "chat.completion",
    model,
    choices: [{ index: 0, message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: inputTokens, completion_tokens: 8 },
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

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";

function imageAtOnce(call: Call): Wire {
  return json(200, { created: Math.floor(call.nowMs / 1000), data: [{ b64_json: PIXEL }] });
}
