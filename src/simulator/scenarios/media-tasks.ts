/**
 * Images and videos that are made by tasks while the model list is good (spec 1, 3). How creations fail,
 * and what happens to a task that was created. Everything that a scenario does not take over works, with any key.
 */
import { chatError, envelope, HANG, RESET, type Wire, json, raw } from "../wire.ts";
import {
  type Call,
  type Expectation,
  type Row,
  type Scenario,
  type World,
  expects,
  scenarios,
} from "../scenario.ts";
import type { Course } from "../gateways.ts";
import { type Courses, serve } from "../service.ts";

const CREATED = expects("task_pending", 200);
const DONE = expects("ok", 200);
const FAILED = expects("task_failed", 200);
const STALLED = expects("task_stalled", 200);
const GONE = { owner: "operator", health: "down" } as const;

const served = (courses: Courses) => (call: Call, world: World) => serve(call, world, true, courses);

const videos = (...video: Course) => ({ play: served({ video }), takes: ["video_create"] }) as const;
const images = (...image: Course) => ({ play: served({ image }), takes: ["image_create"] }) as const;
/** A task that is created as ever, and whose every question is answered so. */
const questions = (answer: Wire | Scenario["play"]) => ({ play: answer, takes: ["video_task"] }) as const;

const TASKS = [
  ["video_failed", videos("queued", "running", "failed"), FAILED],
  ["video_upper", videos("PENDING", "RUNNING", "SUCCEEDED"), DONE],
  ["image_made", images("PENDING", "SUCCEEDED"), DONE],
  ["video_stuck", videos("queued", "running"), STALLED],
  ["video_stuck_queued", videos("queued"), STALLED],
  ["video_expired", videos("queued", "running", "gone"), expects("not_found", 404, GONE)],
  ["video_question_401", questions(chatError("invalid_api_key")), expects("authentication", 401)],
  ["video_question_402", questions(chatError("insufficient_balance")), expects("insufficient_balance", 402)],
  ["video_question_503", questions(chatError("upstream_unavailable")), expects("upstream_unavailable", 503)],
  ["video_question_410", questions(chatError("task_expired")), expects("not_found", 410, GONE)],
  ["video_question_lost", questions(raw(RESET)), expects("connection_failed", null)],
  [
    "video_task_envelope_4004",
    questions(envelope(4004, "It cannot be used.")),
    expects("not_found", 200, GONE),
  ],
  [
    "video_state_is_key",
    questions(({ path, key }) =>
      json(200, { id: path.split("/").at(-1), object: "video", status: key, error: null }),
    ),
    STALLED,
  ],
] as const;

const ACCEPTED: readonly Scenario[] = scenarios(
  CREATED,
  TASKS.map(([name, { play, takes }, outcome]): Row => [name, play, { takes, outcome }]),
  { kind: "task" },
);

/** Creates the task, and answers something else. */
const hiding = (answer: Wire) => (call: Call, world: World) => {
  world.serve(call);
  return answer;
};

const creations = (expect: Expectation, ...rows: readonly Row[]) =>
  scenarios(expect, rows, { kind: "task", takes: ["video_create"] });
const CREATIONS: readonly Scenario[] = [
  ...creations(expects("business_error", 200), ["video_envelope_5000", envelope(5000, "Internal failure.")]),
  ...creations(expects("service_misconfigured", 500), [
    "video_config_error",
    chatError("video_config_error"),
  ]),
  ...creations(expects("connection_failed", null), ["video_creation_lost", hiding(raw(RESET))]),
  ...creations(expects("timeout", null, { hangs: true }), ["video_creation_hangs", hiding(raw(HANG))]),
  ...creations(
    expects("unexpected_response", 200),
    ["video_without_id", hiding(json(200, { object: "video", status: "queued" }))],
    [
      "video_id_is_key",
      ({ nowMs, key }, { gateway }) =>
        gateway.tasks.create("video", "sim-video", ["queued", "succeeded"], nowMs, key),
    ],
  ),
  ...creations(DONE, ["video_made_at_once", served({ video: ["succeeded"] })]),
];

export const MEDIA_TASKS: readonly Scenario[] = [...ACCEPTED, ...CREATIONS];
