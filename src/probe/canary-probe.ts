/** A canary's probe: sends one request to generate, or polls a task, then judges the answer and reads its figures. */
import type { CanaryConfig, MonitorConfig } from "../config/config.ts";
import { sentRequest, withKey } from "../config/request.ts";
import type { Errand, NamedModel, OpenTask } from "../domain/canary.ts";
import type { GenerationFigures, Probed } from "../domain/probe-outcome.ts";
import { bodyOfExercise, EXERCISES, type Exercise } from "../protocol/audit.ts";
import { judgeDifference, judgePace, rowOf } from "../protocol/causes.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { clip } from "../protocol/error-facts.ts";
import { type EndMark, endOfStream, StreamWatch } from "../protocol/event-stream.ts";
import {
  balanceLow,
  type CanaryExamination,
  examineCanary,
  modelSubstituted,
  type OtherModel,
  stalledTask,
  unaskableTask,
} from "../protocol/examine-canary.ts";
import { asObject, readJson } from "../protocol/json.ts";
import { compareModels, OTHERS_IN_A_ROW } from "../protocol/model-names.ts";
import type { Asked, Kind, Served, Told } from "../protocol/observation.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import type { ExchangeRequest } from "./exchange.ts";
import {
  askWith,
  NOT_SENT,
  type Answered,
  type ProbedKey,
  type RoundsDeps,
  type RoundsPlan,
} from "./rounds.ts";
import { USER_AGENT } from "./version.ts";

export interface CanaryTarget extends ProbedKey {
  readonly monitor: Pick<MonitorConfig, "model" | "slowerThanMs"> & { readonly canary: CanaryConfig };
  /** Already validated. */
  readonly baseUrl: string;
}

/** Never rejects for anything that a gateway does. */
export async function runCanaryProbe(target: CanaryTarget, errand: Errand, deps: RoundsDeps) {
  const { canary } = target.monitor;
  const asked = askedOf(canary, errand);
  const plan: RoundsPlan<CanaryExamination> = {
    ...requestOf(canary, errand, target),
    attempts: attemptsOf(canary, errand),
    examine: (observation, context) => examineCanary(observation, asked, context),
  };
  const answered = await askWith(target, plan, deps);
  return answered === null ? NOT_SENT : concluded(target, errand, answered);
}

function concluded(
  { monitor: { canary, slowerThanMs, model } }: CanaryTarget,
  errand: Errand,
  { examined, figures, sentAtMs, endedAtMs: nowMs }: Answered<CanaryExamination>,
): Probed {
  const conclusion: Conclusion =
    errand.task === null
      ? concludeRequest(examined, canary.task, sentAtMs)
      : concludeQuestion(examined, errand.task, sentAtMs);
  const taskMs = conclusion.isFinal && errand.task !== null ? nowMs - errand.task.createdAtMs : null;
  const balance = finite(examined.told.balance);
  const requests = errand.task === null ? figures.attempts.length : 1;
  const { figures: measured, estimatedMicros } = spendingOf(canary, conclusion.diagnosis, {
    told: examined.told,
    answerMs: figures.latencyMs ?? 0,
    isQuestion: errand.task !== null,
    taskMs,
    paidRequests: conclusion.task === null ? requests : null,
  });
  const tookMs = taskMs ?? figures.latencyMs ?? 0;
  const { named, other } = readName(examined.told.served, model, canary, errand);
  const found = { ...measured, balance, tookMs, slowerThanMs, other };
  const wished = judgeWishes(conclusion.diagnosis, canary, found);
  const { isRight } = examined.told;
  const diagnosis = isRight === undefined ? wished : judgeDifference(wished, errand.audit?.differs ?? null);
  return {
    type: "probed",
    outcome: { ...figures, modelCount: null, missingModels: [], diagnosis, failingFrom: [] },
    findings: {
      type: "canary",
      figures: measured,
      ...(estimatedMicros > 0 && { estimatedMicros }),
      balance,
      ...(diagnosis.ok && named !== null && { served: named }),
      ...(isRight !== undefined && { isRight }),
      task: conclusion.task,
    },
  };
}

/** Compares the model that the answer names with the one that was requested. */
export function readName(
  { model: named, fingerprint }: Served,
  requested: string | null,
  { accept }: Pick<CanaryConfig, "accept">,
  { differing }: Pick<Errand, "differing">,
): { readonly named: NamedModel | null; readonly other: OtherModel | null } {
  if (named === null) return { named, other: null };
  const differs = requested !== null && compareModels(requested, named, accept) === "different";
  return {
    named: { model: named, fingerprint, differs },
    other: differs ? { requested, named, inARow: differing + 1 } : null,
  };
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** `apiKey` null: none is set. Only headers that name the key contain it. */
function requestOf(
  canary: CanaryConfig,
  errand: Errand,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | null },
): { readonly request: ExchangeRequest; readonly needsKey: boolean } {
  const { task } = errand;
  const { method, path, headers, body } = sentRequest(canary, task?.id ?? null);
  const exercise = exerciseOf(errand);
  const request: ExchangeRequest = {
    kind: kindOf(canary, task !== null),
    method,
    url: baseUrl + path,
    headers: { "user-agent": USER_AGENT, ...withKey(headers, apiKey ?? "") },
    body: exercise === undefined ? body : asking(exercise, body),
    timeoutMs: canary.timeoutMs,
    isStreamed: task === null && canary.isStreamed,
    ...(canary.pointers.end === undefined ? { findEnd: endFinder(endOfStream(canary.kind) ?? "done") } : {}),
  };
  return { request, needsKey: Object.values(headers).some((value) => value.includes("{key}")) };
}

function exerciseOf({ audit }: Errand): Exercise | undefined {
  return EXERCISES.find(({ name }) => name === audit?.exercise);
}

function asking(exercise: Exercise, body: string | null): string {
  return JSON.stringify({ ...asObject(readJson(body ?? "")), ...bodyOfExercise(exercise) });
}

function askedOf({ evidence, isStreamed, task, pointers, expect }: CanaryConfig, errand: Errand): Asked {
  const isQuestion = errand.task !== null;
  const creation = task === null ? null : "creation";
  const exercise = exerciseOf(errand);
  return {
    ...(exercise !== undefined && { exercise }),
    evidence,
    isStreamed: isStreamed && !isQuestion,
    task: isQuestion ? "question" : creation,
    pointers,
    expect,
  };
}

/** A task is polled once per tick, and a request that creates a task is sent only once (spec 3, 7.3). */
function attemptsOf({ kind, task }: CanaryConfig, errand: Errand): number {
  const mayCreate = task !== null || kind === "image" || kind === "video";
  return errand.task !== null || mayCreate ? 1 : Math.min(errand.attempts, MAX_ATTEMPTS);
}

/** For a video, the state of the task is evidence enough. An image must be in the answer. */
function kindOf({ kind, isStreamed }: CanaryConfig, isQuestion: boolean): Kind {
  if (isQuestion) return kind === "image" ? "image" : "task";
  if (isStreamed) return "stream";
  if (kind === "audit") return "chat";
  if (kind === "video") return "task";
  return kind === "http" ? "console" : kind;
}

interface Conclusion {
  readonly diagnosis: KeptDiagnosis;
  readonly task: OpenTask | null;
  readonly isFinal: boolean;
}

/** For the canary's own request. An accepted task is open, and proves nothing yet. */
function concludeRequest(
  { diagnosis, told }: CanaryExamination,
  task: CanaryConfig["task"],
  sentAtMs: number,
): Conclusion {
  const over = { diagnosis, task: null, isFinal: false };
  if (task === null || diagnosis.cause !== "task_pending") return over;
  if (told.taskId === null) return { ...over, diagnosis: unaskableTask(diagnosis) };
  const open = { id: told.taskId, createdAtMs: sentAtMs, deadlineMs: sentAtMs + task.deadlineMs };
  return { ...over, task: open };
}

/** For the poll of a task. If the poll fails, it says nothing about the task before the deadline. */
function concludeQuestion({ diagnosis }: CanaryExamination, task: OpenTask, sentAtMs: number): Conclusion {
  if (isOver(diagnosis)) return { diagnosis, task: null, isFinal: diagnosis.cause !== "not_found" };
  const isLate = sentAtMs >= task.deadlineMs;
  const isPending = diagnosis.cause === "task_pending";
  if (isLate)
    return { diagnosis: isPending ? stalledTask(diagnosis) : diagnosis, task: null, isFinal: false };
  return { diagnosis: isPending ? diagnosis : { ...diagnosis, health: "unknown" }, task, isFinal: false };
}

/** The task succeeded, with or without evidence, failed, or no longer exists. */
function isOver({ ok, cause, layer }: KeptDiagnosis): boolean {
  return ok || cause === "not_found" || (layer === "task" && cause !== "task_pending");
}

type Wishes = Pick<
  CanaryConfig,
  "warnBelow" | "pointers" | "firstTokenSlowerThanMs" | "tokensPerSecondBelow"
>;

/** What is compared with the limits. `tookMs`: of the task, else of the last answer. */
interface Found extends Pick<GenerationFigures, "firstTokenMs" | "tokensPerSecond"> {
  readonly balance: number | null;
  readonly tookMs: number;
  readonly slowerThanMs: number | null;
  /** Null: the answer names the requested model, or none that is surely another. */
  readonly other: OtherModel | null;
}

export function judgeWishes(
  diagnosis: KeptDiagnosis,
  { warnBelow, pointers, firstTokenSlowerThanMs, tokensPerSecondBelow }: Wishes,
  { balance, tookMs, slowerThanMs, firstTokenMs, tokensPerSecond, other }: Found,
): KeptDiagnosis {
  if (!diagnosis.ok) return diagnosis;
  if (warnBelow !== null && balance === null) return balanceMissing(diagnosis, pointers.balance);
  const isLow = warnBelow !== null && balance !== null && balance < warnBelow;
  if (isLow) return balanceLow(diagnosis, balance, warnBelow);
  // It lasts, and slowness comes and goes.
  const judged =
    other !== null && other.inARow >= OTHERS_IN_A_ROW ? modelSubstituted(diagnosis, other) : diagnosis;
  return judgePace(judged, {
    firstTokenMs: [firstTokenMs, firstTokenSlowerThanMs],
    tokensPerSecond: [tokensPerSecond, tokensPerSecondBelow],
    answerMs: [tookMs, slowerThanMs],
  });
}

function balanceMissing(diagnosis: KeptDiagnosis, pointer: string | undefined): KeptDiagnosis {
  const place = pointer === undefined ? "where it usually is" : `at ${JSON.stringify(pointer)}`;
  return {
    ...diagnosis,
    ...rowOf("unexpected_response"),
    layer: "body",
    message: clip(`The answer has no balance ${place}.`),
    advice: "The answer was good, but has no balance. Check the pointer to it in the configuration.",
  };
}

export interface Measured {
  readonly told: Told;
  readonly answerMs: number;
  readonly isQuestion: boolean;
  /** From the creation to the final state; null: there is no task, or its final state was not seen. */
  readonly taskMs: number | null;
  /** How many of its own requests count as paid now; null: not known yet. */
  readonly paidRequests: number | null;
}

export function figuresOfCanary(
  { isStreamed, prices }: Pick<CanaryConfig, "isStreamed" | "prices">,
  { told, answerMs, isQuestion, taskMs, paidRequests }: Measured,
): GenerationFigures {
  // Each poll of a task may repeat its tokens: they count once, at its end.
  const isSettled = paidRequests !== null;
  const inputTokens = isSettled ? bounded(told.inputTokens, Math.round) : null;
  const outputTokens = isSettled ? bounded(told.outputTokens, Math.round) : null;
  const contentMs = isStreamed ? streamedMs(told, outputTokens) : answerMs;
  return {
    firstTokenMs: isStreamed && !isQuestion ? bounded(told.firstContentMs, Math.round) : null,
    taskMs: bounded(taskMs, Math.round),
    tokensPerSecond: isQuestion ? null : speed(outputTokens, contentMs),
    inputTokens,
    outputTokens,
    costMicros:
      prices !== null && isSettled
        ? bounded(
            paidRequests * prices.requestMicros +
              ((inputTokens ?? 0) * prices.inputMicros + (outputTokens ?? 0) * prices.outputMicros) /
                1_000_000,
            Math.round,
            MOST_MICROS,
          )
        : null,
  };
}

/** A stream that was cut may be billed to its end, whatever usage it had reported. */
function spendingOf(
  canary: Pick<CanaryConfig, "isStreamed" | "prices">,
  { ok, layer }: Pick<KeptDiagnosis, "ok" | "layer">,
  measured: Measured,
): { readonly figures: GenerationFigures; readonly estimatedMicros: number } {
  const figures = figuresOfCanary(canary, measured);
  const isCut = !ok && layer === "stream";
  if (!isCut || canary.prices === null || figures.costMicros === null) return { figures, estimatedMicros: 0 };
  const before = (measured.paidRequests ?? 1) - 1;
  const mostMicros = canary.prices.mostMicros + before * canary.prices.requestMicros;
  const costMicros = Math.max(figures.costMicros, mostMicros);
  return { figures: { ...figures, costMicros }, estimatedMicros: costMicros - figures.costMicros };
}

/** A single token has no speed. */
function streamedMs({ firstContentMs, lastContentMs }: Told, outputTokens: number | null): number {
  if (firstContentMs === null || lastContentMs === null || (outputTokens ?? 0) < 2) return 0;
  return lastContentMs - firstContentMs;
}

function speed(tokens: number | null, ms: number): number | null {
  if (tokens === null || tokens === 0 || !(ms > 0)) return null;
  return bounded((tokens * 1000) / ms, (value) => Math.round(value * 10) / 10);
}

const MOST = 1_000_000_000;
/** Ten million of the currency: a request may cost a million, and up to four requests may be paid. */
const MOST_MICROS = 10_000_000_000_000;

/** Gateways may report any number. */
function bounded(value: number | null, round: (value: number) => number, most = MOST): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.min(most, Math.max(0, round(value)));
}

/** Make one for each stream. True: its end mark has come, with its empty line (spec 6). */
function endFinder(mark: EndMark): () => (piece: string) => boolean {
  return () => {
    const watch = new StreamWatch(mark);
    return (piece) => {
      watch.feed(piece);
      // Gemini has no mark but its reason to finish.
      return watch.isEnded || (mark === "finish" && watch.isFinished);
    };
  };
}
