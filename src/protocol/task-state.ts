/** The state of an asynchronous task, in both spellings of the service and in the words of the field (spec 2.5, 3). Pure. */
import { verdict, type Verdict } from "./diagnosis.ts";
import { asList, asObject, asText, firstOf, isEmptyValue, type JsonObject } from "./json.ts";

export type TaskPhase = "pending" | "succeeded" | "failed";

export interface TaskFacts {
  readonly taskId: string | null;
  /** As found; null where the answer only acknowledges the task. */
  readonly state: string | null;
  /** An unknown word counts as pending. */
  readonly phase: TaskPhase | null;
  readonly isKnown: boolean;
  readonly reason: string | null;
}

/** What a parsed body says about a task; `phase` is null where it says nothing. */
export function readTask(json: unknown): TaskFacts {
  const body = asObject(json);
  if (body === null) return NO_TASK;
  const records = taskRecords(body);
  const taskId = firstOf(records, idOf) ?? firstOf(records, requestIdOf);
  const reason = firstOf(records, reasonOf);
  const { data } = body;
  const bare = typeof data === "string" ? phaseOfWord(data) : null;
  if (bare !== null && typeof data === "string") {
    return { taskId: anyIdOf(body), state: data, phase: bare, isKnown: true, reason };
  }
  const state = isOnlyAcknowledged(body, records[0]) ? null : firstOf(records, stateOf);
  if (state !== null) {
    const phase = phaseOfWord(state);
    return { taskId, state, phase: phase ?? "pending", isKnown: phase !== null, reason };
  }
  const operation = phaseOfOperation(body);
  if (operation !== null) return { taskId, state: null, phase: operation, isKnown: true, reason };
  return { taskId, state: null, phase: taskId === null ? null : "pending", isKnown: true, reason };
}

export function phaseOfWord(word: string): TaskPhase | null {
  if (/^-\d{1,9}$/.test(word)) return "failed";
  const plain = word
    .toLowerCase()
    .replace(/[^a-z0-9\u4e00-\u9fff]/g, "")
    .replace(/^(?:job|task)?(?:state|status)(?=.)/, "");
  if (PENDING.has(plain)) return "pending";
  if (SUCCEEDED.has(plain)) return "succeeded";
  if (FAILED.has(plain) || /(?:failed|failure|error|exception|moderated)$/.test(plain)) return "failed";
  return null;
}

export function failedTask({ reason }: TaskFacts): Verdict {
  return { ...verdict("task_failed", "task"), message: reason };
}

export function pendingTask({ isKnown, state }: TaskFacts): Verdict {
  const pending = verdict("task_pending", "task");
  return isKnown ? pending : { ...pending, message: `unknown task state: ${state ?? ""}` };
}

const NO_TASK: TaskFacts = { taskId: null, state: null, phase: null, isKnown: true, reason: null };

const PENDING = new Set(
  (
    "pending queued queueing queuing queue inqueue running processing inprogress progress preparing prepare submitted submit " +
    "created creating starting started start waiting wait scheduled dreaming generating rendering accepted notstart notstarted " +
    "initializing initialized init throttled validating finalizing preprocessing suspended paused new active working executing " +
    "textsuccess firstsuccess modal partial uploading downloading retrying deferred todo doing run ready2run enqueued " +
    "排队中 处理中 生成中 等待中 进行中 运行中"
  ).split(" "),
);
const SUCCEEDED = new Set(
  (
    "success succeed succeeded successful completed complete done finished finish ready ok ended allcompleted composed rendered generated " +
    "成功 已完成 完成 生成成功"
  ).split(" "),
);
const FAILED = new Set(
  (
    "fail failed failure error errored canceled cancelled cancel cancelling canceling aborted abort expired rejected timeout " +
    "timedout timeouted terminated dead crashed incomplete stopped deleted notfound tasknotfound systemfailed inputmoderated " +
    "contentmoderated requestmoderated sensitivewordblocked blocked killed banned nsfw " +
    "失败 已失败 生成失败 已取消 已过期 超时"
  ).split(" "),
);

/** Where records are found, the innermost of an envelope first. */
function taskRecords(body: JsonObject): readonly JsonObject[] {
  const inner = memberOrFirst(body, "data");
  const records: JsonObject[] = [];
  for (const holder of [inner, body]) {
    if (holder === null) continue;
    records.push(holder);
    for (const key of HOLDERS_OF_RECORDS) {
      const nested = LISTS_OF_RECORDS.has(key) ? memberOrFirst(holder, key) : asObject(holder[key]);
      if (nested !== null) records.push(nested);
    }
  }
  return records;
}

const LISTS_OF_RECORDS: ReadonlySet<string> = new Set(["data", "jobs", "tasks"]);
const HOLDERS_OF_RECORDS =
  "output task job jobs tasks result response Response video movie generation generations_by_pk sdGenerationJob data Result".split(
    " ",
  );

function memberOrFirst(holder: JsonObject, key: string): JsonObject | null {
  return asObject(holder[key]) ?? asObject(asList(holder[key])?.[0]);
}

const STATE_KEYS =
  "task_status taskStatus status state job_status jobStatus Status TaskStatus processing_status".split(" ");
const ID_KEYS =
  "task_id taskId TaskId id job_id jobId JobId generation_id generationId video_id prompt_id invocationArn".split(
    " ",
  );

/** "generateUuid", "renderId", "workflow_run_id" and their like: what was made is named, and then that it is its id. */
const OTHER_ID_KEY =
  /^(?:_id|uuid|(?:generate|render|order|creation|work|audio|music|image|song|clip|run|batch|workflow_?run|prediction|inference|operation)_?(?:uu)?id)$/i;

function stateOf(record: JsonObject): string | null {
  for (const key of STATE_KEYS) {
    const value = record[key];
    // "ok" is the answer's, not the task's.
    if (typeof value === "string" && !/^\s*(?:ok)?\s*$/i.test(value)) return value;
    // What other numbers mean is the vendor's knowledge.
    if (typeof value === "number" && value < 0 && idOf(record) !== null) return String(value);
  }
  return null;
}

function idOf(record: JsonObject): string | null {
  const usual = firstOf(ID_KEYS, (key) => asText(record[key]));
  if (usual !== null) return usual;
  for (const key in record) {
    const id = OTHER_ID_KEY.test(key) ? asText(record[key]) : null;
    if (id !== null) return id;
  }
  const result = record["result"];
  if (typeof result === "string" && /^[\w-]{6,64}$/.test(result)) return result;
  const name = record["name"];
  if (typeof name === "string" && /(?:^|\/)operations\//.test(name)) return name;
  return null;
}

/** Some ask about a task by the id of its request; any other id in the answer is a better one. */
function requestIdOf(record: JsonObject): string | null {
  const isRecord =
    stateOf(record) !== null || (record["code"] ?? record["message"] ?? record["msg"]) === undefined;
  return isRecord ? asText(record["request_id"]) : null;
}

function anyIdOf(record: JsonObject): string | null {
  return idOf(record) ?? requestIdOf(record);
}

const REASON_KEYS =
  "fail_reason failReason failure_reason failureReason task_status_msg failed_reason failure err_msg error_message errorMessage failCode".split(
    " ",
  );

function reasonOf(record: JsonObject): string | null {
  const error = asObject(record["error"]);
  const told = firstOf(REASON_KEYS, (key) => asText(record[key])) ?? asText(error?.["message"]);
  return told ?? (error === null ? asText(record["error"]) : null);
}

/** The outer "success" of `{"status": "success", "data": {"task_id": …}}` is the envelope's, not the task's. */
function isOnlyAcknowledged(body: JsonObject, inner: JsonObject | undefined): boolean {
  if (inner === undefined || inner === body || anyIdOf(inner) === null || stateOf(inner) !== null)
    return false;
  const hasResult = ["url", "video_url", "image_url", "images", "videos", "task_result", "results"].some(
    (key) => !isEmptyValue(inner[key]),
  );
  return !hasResult && phaseOfWord(stateOf(body) ?? "") === "succeeded";
}

/** A long-running operation: `done`, and then `error` or `response`. */
function phaseOfOperation(body: JsonObject): TaskPhase | null {
  if (typeof body["name"] !== "string" && typeof body["done"] !== "boolean") return null;
  if (!isEmptyValue(body["error"])) return "failed";
  if (body["done"] === true) return "succeeded";
  return anyIdOf(body) === null && body["done"] !== false ? null : "pending";
}
