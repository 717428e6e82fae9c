/** Image and video tasks: created once, then asked about; each question moves a task on by a state (spec 3). */
import { chatError, type Reply, json } from "./wire.ts";

/** The states a task shows to one question after another; the last one stays. `gone`: it has expired. */
export type Course = readonly [string, ...(readonly string[])];

/** `video_job`: the second style of videos that is common, with a record inside an envelope. */
export type TaskKind = "image" | "video" | "video_job";

export const USUAL_COURSES: Readonly<Record<TaskKind, Course>> = {
  video: ["queued", "running", "succeeded"],
  image: ["PENDING", "RUNNING", "SUCCEEDED"],
  video_job: ["NOT_START", "IN_PROGRESS", "SUCCESS"],
};

interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly model: string;
  readonly createdAtMs: number;
  readonly course: Course;
  asked: number;
}

export class Tasks {
  readonly #tasks = new Map<string, Task>();
  #created = 0;

  /** @param id default: a fresh one. */
  create(kind: TaskKind, model: string, course: Course, nowMs: number, id?: string): Reply {
    this.#created += 1;
    const ownId = id ?? `${kind}_sim_${String(this.#created).padStart(6, "0")}`;
    const task: Task = { id: ownId, kind, model, createdAtMs: nowMs, course, asked: 0 };
    this.#tasks.set(ownId, task);
    return json(200, record(task, course[0]));
  }

  ask(kind: TaskKind, id: string): Reply {
    const task = this.#tasks.get(id);
    if (task === undefined || task.kind !== kind) return chatError("task_not_found");
    const state = task.course[Math.min(task.asked, task.course.length - 1)] ?? task.course[0];
    task.asked += 1;
    return state === "gone" ? chatError("task_not_found") : json(200, record(task, state));
  }
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
