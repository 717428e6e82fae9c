/** An asynchronous task from its creation to its final state (spec 3): created once, and then only asked about. */
import {
  examineCanary,
  goneTask,
  stalledTask,
  unansweredTask,
  unaskableTask,
} from "../../protocol/examine-canary.ts";
import { readJson } from "../../protocol/json.ts";
import type { Asked } from "../../protocol/observation.ts";
import { completed } from "../../protocol/causes.ts";
import type { Cause, KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { createRedactor, type Redact } from "../../protocol/redaction/redact.ts";
import { type Failure, GatewayError, REDACTED_BEFORE } from "./gateway-error.ts";
import {
  atLeast,
  type FetchClock,
  type FetchInit,
  type FetchInput,
  type Signal,
  SYSTEM_CLOCK,
} from "./options.ts";
import type { GatewayFetch } from "./create-fetch.ts";
import { readHeaders } from "../given-answer.ts";
import { mayBeAccepted, secretsOfCall } from "./sent-request.ts";

/** As the two arguments of `fetch`. */
export type TaskRequest = readonly [input: FetchInput, init?: FetchInit];

export interface RunTaskOptions {
  /** The request that creates the task, sent once; or the id of an existing task, as the gateway gave it. */
  readonly create: TaskRequest | { readonly taskId: string };
  /** How the task is asked about; `taskId` is encoded for a path. */
  readonly query: (taskId: string) => TaskRequest;
  /** Between two questions, in milliseconds; default: 5,000. */
  readonly everyMs?: number | undefined;
  /** From the creation, or the first question where it is resumed, in milliseconds; default: 600,000. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: Signal | undefined;
  /** Called with the id as soon as it is known: keep it, and the task can be resumed. */
  readonly onCreated?: ((taskId: string) => void) | undefined;
  /** Called after each question, with the state in the gateway's words, redacted. */
  readonly onState?: ((state: string | null) => void) | undefined;
  readonly clock?: FetchClock | undefined;
}

export interface TaskResult {
  /** Null: the gateway made it at once, without a task. */
  readonly taskId: string | null;
  /** The last answer, parsed. */
  readonly record: unknown;
  readonly questions: number;
}

/**
 * @throws GatewayError `task_failed`; `task_stalled` at the deadline; `not_found` where the task is gone; what a `fetch`
 * of `createFetch` throws. The signal's reason. What was lost or refused for a while is asked again at the next time.
 */
export async function runTask(fetch: GatewayFetch, options: RunTaskOptions): Promise<TaskResult> {
  return new TaskRun(fetch, options).run();
}

class TaskRun {
  readonly #fetch: GatewayFetch;
  readonly #options: RunTaskOptions;
  readonly #clock: FetchClock;
  readonly #everyMs: number;
  readonly #redact: Redact;
  readonly #deadline = new AbortController();
  #questions = 0;
  #last: KeptDiagnosis | null = null;

  constructor(fetch: GatewayFetch, options: RunTaskOptions) {
    this.#fetch = fetch;
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#everyMs = atLeast(0, "everyMs", options.everyMs ?? 5000);
    const created = "taskId" in options.create ? [] : secretsOfCall(...options.create);
    this.#redact = createRedactor([...created, ...secretsOfCall(...options.query("id"))]);
  }

  async run(): Promise<TaskResult> {
    const { create, deadlineMs = 600_000, onCreated } = this.#options;
    atLeast(1, "deadlineMs", deadlineMs);
    let id: string;
    if ("taskId" in create) {
      id = create.taskId;
    } else {
      const created = await this.#create(create);
      if (created.diagnosis.ok) return { taskId: created.taskId, record: created.record, questions: 0 };
      if (created.taskId === null)
        throw asError(unaskableTask(created.diagnosis), 1, { mayHaveBeenAccepted: true });
      id = created.taskId;
      this.#last = created.diagnosis;
      onCreated?.(id);
    }
    const endsAtMs = this.#clock.now() + deadlineMs;
    const cancelDeadline = this.#clock.timeout(deadlineMs, () => this.#deadline.abort());
    try {
      return await this.#follow(id, endsAtMs, "taskId" in create ? 0 : this.#everyMs);
    } finally {
      cancelDeadline();
    }
  }

  async #create(call: TaskRequest): Promise<TaskAnswer> {
    try {
      return await this.#send(call, "creation", this.#options.signal);
    } catch (error) {
      throw error instanceof GatewayError && error.mayHaveBeenAccepted ? lostCreation(error) : error;
    }
  }

  async #follow(id: string, endsAtMs: number, firstWaitMs: number): Promise<TaskResult> {
    const { signal: own } = this.#options;
    const ends = this.#deadline.signal;
    const signal = own === undefined ? ends : AbortSignal.any([own, ends]);
    let waitMs = firstWaitMs;
    for (;;) {
      const restMs = endsAtMs - this.#clock.now();
      if (waitMs >= restMs) throw this.#stalled(id);
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      own?.throwIfAborted();
      const { diagnosis, record } = await this.#ask(id, signal);
      if (diagnosis.ok) return { taskId: id, record, questions: this.#questions };
      this.#last = { ...diagnosis, taskState: diagnosis.taskState ?? this.#last?.taskState ?? null };
      waitMs = Math.max(this.#everyMs, (diagnosis.retry.afterSeconds ?? 0) * 1000);
    }
  }

  /** A question that was lost, or refused for a while, leaves the task as it is. */
  async #ask(id: string, signal: AbortSignal): Promise<TaskAnswer> {
    const { query, onState, signal: own } = this.#options;
    this.#questions += 1;
    try {
      const answer = await this.#send(query(encodeURIComponent(id)), "question", signal);
      onState?.(answer.diagnosis.taskState);
      return answer;
    } catch (error) {
      own?.throwIfAborted();
      if (this.#deadline.signal.aborted) throw this.#stalled(id);
      if (!(error instanceof GatewayError)) throw error;
      const { diagnosis, headers, requests, cause } = error;
      if (isPassing(diagnosis)) return { taskId: id, record: null, diagnosis };
      // The caller needs the id of the task, however the questions ended.
      const told = named(isGone(diagnosis) ? goneTask(diagnosis) : diagnosis, id);
      throw asError(told, requests, { headers, thrown: cause });
    }
  }

  /** The answer of a task that is done or under way. It is sent again only where it was refused. */
  async #send(
    [input, init]: TaskRequest,
    task: "creation" | "question",
    signal: AbortSignal | undefined,
  ): Promise<TaskAnswer> {
    const rules = { kind: "task", idempotent: false } as const;
    const sent = { ...init, ...(signal && { signal }), gatepulse: rules };
    const response = await this.#fetch(input, sent);
    const body = await response.text();
    const { status } = response;
    const headers = readHeaders(response.headers);
    const answer = { type: "answer", kind: "task", status, headers, body, bodyEnd: "complete" } as const;
    const asked: Asked = { evidence: "media", isStreamed: false, task, pointers: {}, expect: [] };
    const context = { nowMs: this.#clock.now(), redact: this.#redact };
    const { diagnosis, told } = examineCanary(answer, asked, context);
    if (diagnosis.ok || diagnosis.cause === "task_pending")
      return { taskId: told.taskId ?? diagnosis.taskId, record: readJson(body), diagnosis };
    const mayHaveBeenAccepted = task === "creation" && mayBeAccepted("POST", diagnosis);
    throw asError(diagnosis, 1, { mayHaveBeenAccepted });
  }

  #stalled(id: string): GatewayError {
    return asError(named(stalledTask(this.#last ?? unansweredTask()), id), this.#questions);
  }
}

interface TaskAnswer {
  /** As the task must be asked about; null: there is none. */
  readonly taskId: string | null;
  readonly record: unknown;
  readonly diagnosis: KeptDiagnosis;
}

/** A browser does not say how a question was lost; a name that resolved for the creation will do so again. */
const LOST: ReadonlySet<Cause> = new Set(["connection_failed", "timeout", "network_error", "dns_failure"]);

function isPassing({ cause, retry }: KeptDiagnosis): boolean {
  return retry.allowed || LOST.has(cause);
}

function isGone({ cause, httpStatus }: KeptDiagnosis): boolean {
  return cause === "not_found" || httpStatus === 404 || httpStatus === 410;
}

function named(diagnosis: KeptDiagnosis, id: string): KeptDiagnosis {
  return { ...diagnosis, taskId: id.slice(0, 100) };
}

/** The diagnosis was redacted where it was made. */
function asError(diagnosis: KeptDiagnosis, requests: number, over: Partial<Failure> = {}): GatewayError {
  const failure = { headers: {}, mayHaveBeenAccepted: false, requests, ...over };
  return new GatewayError({ ...failure, diagnosis: completed(diagnosis, null) }, REDACTED_BEFORE);
}

function lostCreation({ diagnosis, headers, requests }: GatewayError): GatewayError {
  const advice =
    "The task may have been created. Look for it at the gateway, or in its logs; do not create it again.";
  return asError({ ...diagnosis, advice }, requests, { headers, mayHaveBeenAccepted: true });
}
