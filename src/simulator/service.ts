/** The simulated service while nothing is wrong with it: the whole model API and the console (spec 2 to 8). */
import { answerConsole } from "./console-api.ts";
import { chatError, refusalReply, type Wire, html, json } from "./wire.ts";
import { type Courses, generate } from "./generation.ts";
import { admit, loginToken, type Limits, refuseOverLimit } from "./keys.ts";
import { modelList } from "./models.ts";
import type { Call, World } from "./scenario.ts";

export interface ServiceRules {
  /** Every key but none at all is good. */
  readonly anyKey: boolean;
  readonly limits: Limits;
}

export const STRICT: ServiceRules = { anyKey: false, limits: {} };
export const LENIENT: ServiceRules = { anyKey: true, limits: {} };

export function serve(call: Call, world: World, rules: ServiceRules, courses: Courses = {}): Wire {
  if (call.route === "none") return html(404, "Page not found");
  if (call.route === "wrong_method") {
    return chatError(405, "invalid_request_error", "method_not_allowed", "This route has another method.");
  }
  const isConsole = call.route === "console";
  const admission = admit(call.key, rules.anyKey || (isConsole && call.key === loginToken()));
  if (!admission.admitted) return refusalReply(admission.refusal, call.route === "messages");
  const who = { ip: call.ip, user: admission.user, key: admission.key };
  const refusal = refuseOverLimit(world.gateway.buckets, rules.limits, who, call.nowMs);
  if (refusal !== null) return refusal;
  switch (call.route) {
    case "models":
      return json(200, modelList());
    case "console":
      return answerConsole(call);
    case "image_task":
      return world.gateway.tasks.ask("image", lastPart(call.path));
    case "video_task":
      return world.gateway.tasks.ask("video", lastPart(call.path));
    case "video_job_task":
      return world.gateway.tasks.ask("video_job", lastPart(call.path));
    case "chat":
    case "messages":
    case "embeddings":
    case "image_create":
    case "video_create":
    case "video_job_create":
      return generate(call, call.route, world, courses);
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
