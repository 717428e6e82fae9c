/** The simulated service while nothing is wrong with it: the whole model API and the console (spec 2 to 8). */
import { chatError, envelope, refusal, type Reply, type Wire, html, json } from "./wire.ts";
import { type Courses, generate } from "./generation.ts";
import { type Limit, refusalOf, refuseOverLimit } from "./keys.ts";
import { modelList } from "./models.ts";
import type { Call, World } from "./scenario.ts";

export interface ServiceRules {
  /** Every key but none at all is good. */
  readonly anyKey: boolean;
  readonly limit: Limit | null;
}

export const STRICT: ServiceRules = { anyKey: false, limit: null };
export const LENIENT: ServiceRules = { anyKey: true, limit: null };

export function serve(call: Call, world: World, rules: ServiceRules, courses: Courses = {}): Wire {
  const { key, route } = call;
  if (route === "none") return html(404, "Page not found");
  if (route === "wrong_method") return chatError("method_not_allowed");
  const code = refusalOf(key, rules.anyKey);
  if (code !== null) return refusal(code, route === "messages");
  const overLimit = rules.limit === null ? null : count(call, world, rules.limit);
  if (overLimit !== null) return overLimit;
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
    case "embeddings":
    case "image_create":
    case "video_create":
    case "video_job_create":
      return generate(call, route, world, courses);
  }
}

function count(call: Call, { gateway }: World, limit: Limit): Reply | null {
  const sender = { ip: call.ip, user: "", key: call.key ?? "" }[limit.level];
  const times = gateway.letThrough.get(sender) ?? [];
  gateway.letThrough.set(sender, times);
  return refuseOverLimit(times, limit, call.nowMs);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Of a user who may spend a while yet. */
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
