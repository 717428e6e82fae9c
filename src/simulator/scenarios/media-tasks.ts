/**
 * Images and videos that are made by tasks, in three styles, while the model list is good (spec 1, 3): how creations fail,
 * and what becomes of a task that was created. Everything that a scenario does not take over works, with any key.
 */
import { chatError, envelope, HANG, RESET, type Wire, json, raw } from "../wire.ts";
import type { Courses } from "../generation.ts";
import { type Call, type Expectation, type Scenario, type World, expects, scenario } from "../scenario.ts";
import { LENIENT, serve } from "../service.ts";
import type { Course, TaskKind } from "../tasks.ts";

/** The answer to a creation that was accepted. */
const CREATED = expects("task_pending", 200);
const DONE = expects("ok", 200);
const FAILED = expects("task_failed", 200);
const STALLED = expects("task_stalled", 200);
const GONE = { owner: "operator", health: "down" } as const;

const STYLES = {
  video: { create: "video_create", courseOf: (video: Course): Courses => ({ video }) },
  image: { create: "image_create", courseOf: (image: Course): Courses => ({ image }) },
  video_job: { create: "video_job_create", courseOf: (videoJob: Course): Courses => ({ videoJob }) },
} as const;

function course(name: string, says: string, kind: TaskKind, states: Course, outcome: Expectation): Scenario {
  const { create, courseOf } = STYLES[kind];
  return scenario(name, says, (call, world) => serve(call, world, LENIENT, courseOf(states)), CREATED, {
    kind: "task",
    takes: [create],
    outcome,
  });
}

const COURSES: readonly Scenario[] = [
  course(
    "video_failed",
    "A video task that ends as failed.",
    "video",
    ["queued", "running", "failed"],
    FAILED,
  ),
  course(
    "video_upper",
    "A video task whose states are in upper case.",
    "video",
    ["PENDING", "RUNNING", "SUCCEEDED"],
    DONE,
  ),
  course(
    "video_failed_upper",
    "A video task that ends as FAILED.",
    "video",
    ["PENDING", "RUNNING", "FAILED"],
    FAILED,
  ),
  course("image_made", "An image task that ends as SUCCEEDED.", "image", ["PENDING", "SUCCEEDED"], DONE),
  course(
    "image_failed",
    "An image task that ends as FAILED.",
    "image",
    ["PENDING", "RUNNING", "FAILED"],
    FAILED,
  ),
  course(
    "video_job_made",
    "A video task of the second style that ends as SUCCESS.",
    "video_job",
    ["NOT_START", "SUBMITTED", "IN_PROGRESS", "SUCCESS"],
    DONE,
  ),
  course(
    "video_job_failed",
    "A video task of the second style that ends as FAILURE.",
    "video_job",
    ["NOT_START", "IN_PROGRESS", "FAILURE"],
    FAILED,
  ),
  course("video_stuck", "A video task that runs for ever.", "video", ["queued", "running"], STALLED),
  course("video_stuck_queued", "A video task that stays queued.", "video", ["queued"], STALLED),
  course(
    "video_unknown_state",
    "A video task in a state that nobody named, then succeeded.",
    "video",
    ["queued", "warming_up", "succeeded"],
    DONE,
  ),
  course(
    "video_expired",
    "A video task that is gone (404) at the third question.",
    "video",
    ["queued", "running", "gone"],
    expects("not_found", 404, GONE),
  ),
];

/** A task that is created as ever, and whose every question is answered so. */
function question(name: string, says: string, play: Wire | Scenario["play"], outcome: Expectation): Scenario {
  return scenario(name, says, play, CREATED, { kind: "task", takes: ["video_task"], outcome });
}

const QUESTIONS: readonly Scenario[] = [
  question(
    "video_question_401",
    "A video task whose questions are refused with 401.",
    chatError(401, "authentication_error", "invalid_api_key", "The API key is not valid."),
    expects("authentication", 401),
  ),
  question(
    "video_question_402",
    "A video task whose questions are refused with 402.",
    chatError(402, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 402),
  ),
  question(
    "video_question_503",
    "A video task whose questions are answered 503.",
    chatError(503, "upstream_error", "upstream_unavailable", "The upstream is not available."),
    expects("upstream_unavailable", 503),
  ),
  question(
    "video_question_410",
    "A video task whose questions are answered 410.",
    chatError(410, "invalid_request_error", "task_expired", "The task has expired."),
    expects("not_found", 410, GONE),
  ),
  question(
    "video_question_lost",
    "A video task whose questions end in a TCP reset.",
    raw(RESET),
    expects("connection_failed", null),
  ),
  question(
    "video_task_envelope_4004",
    "A video task whose questions are answered 200 with code 4004.",
    envelope(4004, "It cannot be used."),
    expects("not_found", 200, GONE),
  ),
  question(
    "video_state_is_key",
    "A video task whose state is the key.",
    (call) => json(200, { id: call.path.split("/").at(-1), object: "video", status: call.key, error: null }),
    STALLED,
  ),
];

/** Creates the task, and says something else of it. */
function creation(
  name: string,
  says: string,
  play: (call: Call, world: World) => Wire,
  expect: Expectation,
  note: string | null = null,
): Scenario {
  return scenario(name, says, play, expect, { kind: "task", takes: ["video_create"], note });
}

const UNKNOWN_TASK = "The task exists, and nobody can ask about it.";

const CREATIONS: readonly Scenario[] = [
  creation(
    "video_envelope_5000",
    "A video creation that answers 200 with code 5000.",
    () => envelope(5000, "Internal failure."),
    expects("business_error", 200),
  ),
  creation(
    "video_config_error",
    "500 video_config_error at creation.",
    () => chatError(500, "server_error", "video_config_error", "The video channel is not configured."),
    expects("service_misconfigured", 500),
  ),
  creation(
    "video_creation_lost",
    "Creates the video task, and then resets the connection instead of answering.",
    (call, world) => {
      serve(call, world, LENIENT);
      return raw(RESET);
    },
    expects("connection_failed", null),
    "Whether a task exists nobody knows: it is not created again.",
  ),
  creation(
    "video_creation_hangs",
    "Creates the video task, and never answers.",
    (call, world) => {
      serve(call, world, LENIENT);
      return raw(HANG);
    },
    expects("timeout", null, { hangs: true }),
    "Whether a task exists nobody knows: it is not created again.",
  ),
  creation(
    "video_without_id",
    "Creates the video task, and does not tell its id.",
    (call, world) => {
      serve(call, world, LENIENT);
      return json(200, { object: "video", status: "queued" });
    },
    expects("unexpected_response", 200),
    UNKNOWN_TASK,
  ),
  creation(
    "video_id_is_key",
    "Creates a video task whose id is the key.",
    (call, world) =>
      world.gateway.tasks.create("video", "sim-video", ["queued", "succeeded"], call.nowMs, call.key ?? ""),
    expects("unexpected_response", 200),
    UNKNOWN_TASK,
  ),
  creation(
    "video_made_at_once",
    "A video task that is succeeded when it is created.",
    (call, world) => serve(call, world, LENIENT, { video: ["succeeded"] }),
    DONE,
  ),
];

export const MEDIA_TASKS: readonly Scenario[] = [...COURSES, ...QUESTIONS, ...CREATIONS];
