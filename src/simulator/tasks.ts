/** Image and video tasks: created once, then asked about; each question moves a task on by a state (spec 3). */
import { chatError, type Reply, json } from "./wire.ts";

/** The states a task shows to one question after another; the last one stays. `gone`: it has expired. */
export type Course = readonly [string, ...(readonly string[])];

export const VIDEO_COURSE: Course = ["queued", "running", "succeeded"];
export const IMAGE_COURSE: Course = ["PENDING", "RUNNING", "SUCCEEDED"];
export const VIDEO_JOB_COURSE: Course = ["NOT_START", "IN_PROGRESS", "SUCCESS"];

/** `video_job`: the second style of videos that is common, with a record inside an envelope. */
export type TaskKind = "image" | "video" | "video_job";

interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly model: string;
  readonly createdAtMs: number;
  readonly course: Course;
  asked: number;
}

const MAX_TASKS = 1000;

export class Tasks {
  readonly #tasks = new Map<string, Task>();
  #created = 0;

  /** How many were ever created. */
  get created(): number {
    return this.#created;
  }

  /** @param id default: a fresh one. */
  create(kind: TaskKind, model: string, course: Course, nowMs: number, id?: string): Reply {
    this.#created += 1;
    const ownId = id ?? `${kind}_sim_${String(this.#created).padStart(6, "0")}`;
    const task: Task = { id: ownId, kind, model, createdAtMs: nowMs, course, asked: 0 };
    this.#tasks.set(ownId, task);
    const oldest = this.#tasks.keys().next().value;
    if (this.#tasks.size > MAX_TASKS && oldest !== undefined) this.#tasks.delete(oldest);
    return json(200, record(task, course[0]));
  }

  ask(kind: TaskKind, id: string): Reply {
    const task = this.#tasks.get(id);
    if (task === undefined || task.kind !== kind) return noSuchTask();
    const state = task.course[Math.min(task.asked, task.course.length - 1)] ?? task.course[0];
    task.asked += 1;
    return state === "gone" ? noSuchTask() : json(200, record(task, state));
  }
}

function noSuchTask(): Reply {
  return chatError(404, "invalid_request_error", "task_not_found", "The task does not exist or has expired.");
}

const GIVEN_UP = "The worker gave up on this task.";

function record(task: Task, state: string): unknown {
  const hasFailed = /^fail(?:ed|ure)$/i.test(state);
  const hasSucceeded = /^succe(?:ss|eded)$/i.test(state);
  const extension = task.kind === "image" ? "png" : "mp4";
  const url = `https://files.simulator.invalid/${task.id}.${extension}`;
  if (task.kind === "video_job") {
    const reason = hasFailed ? GIVEN_UP : "";
    const data = { task_id: task.id, action: "generate", status: state, fail_reason: reason };
    return { code: 0, message: "", data: { ...data, ...(hasSucceeded ? { url } : {}) } };
  }
  return {
    id: task.id,
    object: task.kind,
    model: task.model,
    status: state,
    created_at: Math.floor(task.createdAtMs / 1000),
    error: hasFailed ? { code: "generation_failed", message: GIVEN_UP } : null,
    ...(hasSucceeded ? { url } : {}),
  };
}
