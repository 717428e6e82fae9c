/** The gateways that one simulator plays at once, and their tasks. Each question about a task moves it to its next state (spec 3). */
import type { Route } from "./api.ts";
import { chatError, type Reply, json } from "./wire.ts";

export interface Gateway {
  /** Scenario names: one a request, the last one for all that follow. */
  readonly playlist: readonly [string, ...(readonly string[])];
  readonly tasks: Tasks;
  /** Requests so far, since it began to play what it plays. */
  count: number;
  readonly countByRoute: Map<Route, number>;
}

export class Gateways {
  readonly #gateways = new Map<string, Gateway>();

  /** The gateway of that name; a new one begins to play `scenario`. */
  open(name: string, scenario: string): Gateway {
    return this.#gateways.get(name) ?? this.change(name, [scenario]);
  }

  /** Plays another scenario from now on. Tasks stay, the count starts at 0. */
  change(name: string, playlist: Gateway["playlist"]): Gateway {
    const tasks = this.#gateways.get(name)?.tasks ?? new Tasks();
    const gateway = { tasks, playlist, count: 0, countByRoute: new Map() };
    this.#gateways.set(name, gateway);
    return gateway;
  }

  clear(): void {
    this.#gateways.clear();
  }
}

/** The states that a task shows, one for each question; the last one stays. `gone`: it has expired. */
export type Course = readonly [string, ...(readonly string[])];

export type TaskKind = "image" | "video";

export const USUAL_COURSES: Readonly<Record<TaskKind, Course>> = {
  video: ["queued", "running", "succeeded"],
  image: ["PENDING", "RUNNING", "SUCCEEDED"],
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
  const hasFailed = /^failed$/i.test(state);
  const hasSucceeded = /^succeeded$/i.test(state);
  const extension = task.kind === "image" ? "png" : "mp4";
  const url = `https://files.simulator.invalid/${task.id}.${extension}`;
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
