/** The simulated service in good health: the model API and the console (spec 2 to 8), generations in the usual public shapes. */
import { EXERCISES } from "../protocol/audit.ts";
import { type Course, type TaskKind, USUAL_COURSES } from "./gateways.ts";
import {
  refusalOf,
  ASYNC_IMAGE_MODEL,
  EMBEDDING_MODEL,
  MODEL_IDS,
  modelList,
  GEMINI_PATH,
  isTextRoute,
  type Route,
  type TextRoute,
} from "./api.ts";
import { answerOf, eventStream, framesOf, type Saying, USUAL } from "./protocols.ts";
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

const ASKED: Partial<Record<Route, TaskKind>> = { image_task: "image", video_task: "video" };

/** @param anyKey whether every key is good except those known to be bad. */
export function serve(call: Call, world: World, anyKey: boolean, courses: Courses = {}): Wire {
  const { key, route, path } = call;
  if (route === "none") return html(404, "Page not found");
  if (route === "wrong_method") return chatError("method_not_allowed");
  const code = refusalOf(key, anyKey);
  if (code !== null) return refusal(code, route);
  const asked = ASKED[route];
  if (asked !== undefined) return world.gateway.tasks.ask(asked, path.slice(path.lastIndexOf("/") + 1));
  if (route === "models") return json(200, modelList());
  return route === "console" ? answerConsole(call, BALANCE) : generate(call, world, courses);
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

interface Order {
  readonly model: string;
  readonly isStreamed: boolean;
}

function generate(call: Call, { gateway }: World, courses: Courses): Wire {
  const { route, nowMs } = call;
  const order = readOrder(call);
  if (typeof order === "string") return refusal(order, route);
  if (isTextRoute(route)) return textOf(call, route, order);
  if (route === "embeddings") return json(200, EMBEDDINGS);
  const kind = route === "video_create" ? "video" : "image";
  if (kind === "image" && order.model !== ASYNC_IMAGE_MODEL) return json(200, IMAGE);
  return gateway.tasks.create(kind, order.model, courses[kind] ?? USUAL_COURSES[kind], nowMs);
}

function textOf(call: Call, route: TextRoute, { model, isStreamed }: Order, other: Partial<Saying> = {}) {
  const origin = { ...call, model };
  const saying = { ...sayingTo(call.body), ...other };
  return isStreamed ? eventStream(framesOf(route, origin, saying)) : answerOf(route, origin, saying);
}

/** The questions of an audit are answered as a good model does. */
function sayingTo(body: string): Saying {
  const exercise = EXERCISES.find(({ prompt }) => body.includes(JSON.stringify(prompt)));
  if (exercise === undefined) return USUAL;
  const { prompt, right, tool } = exercise;
  const said = { ...USUAL, inputTokens: prompt.split(/\s+/).length + 7 };
  const words = typeof right === "string" ? right : JSON.stringify(right);
  return tool === undefined
    ? { ...said, words: [words] }
    : { ...said, words: [], call: { name: tool.name, arguments: words } };
}

/** Of any model. `nameOf`: what the answer calls it. @param other what it says otherwise. */
export function answerAs(call: Call, nameOf: (asked: string) => string, other?: Partial<Saying>): Wire {
  const order = readAsked(call);
  if (typeof order === "string" || !isTextRoute(call.route)) return chatError("missing_model");
  return textOf(call, call.route, { ...order, model: nameOf(order.model) }, other);
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

const EMBEDDINGS = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.6, -0.8, 0] }],
  model: EMBEDDING_MODEL,
  usage: { prompt_tokens: 2, total_tokens: 2 },
};

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";
const IMAGE = { created: 1_700_000_000, data: [{ b64_json: PIXEL }] };
