/** How a canary's result changes the state: what it spent, the task that it leaves open, and the verdict, if there is one. Pure. */
import type { MonitorConfig } from "../../config/config.ts";
import { afterAnswer, NEW_AUDIT } from "../../domain/audit.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import {
  type CanaryAnswer,
  type CanaryState,
  LONGEST_BACK_OFF_MS,
  LONGEST_QUESTION_INTERVAL_MS,
  endQuestion,
  endRun,
  giveBackRun,
  hearLate,
  isRunOf,
  nextQuestion,
  stretchingFailures,
  zoneDay,
} from "../../domain/canary.ts";
import { NO_FIGURES, reachOf, type ProbeOutcome } from "../../domain/probe-outcome.ts";
import { moveByProbe } from "../../domain/incident-rules.ts";
import { inMaintenance, nextDue, type Rhythm } from "../../domain/schedule.ts";
import { applyOutcome, judgeByList, type MonitorState } from "../../domain/monitor-state.ts";
import type { BeginRequest, ProbeResult } from "../../domain/tick.ts";
import {
  apply,
  type Draft,
  heldUntil,
  isNews,
  judgeOutcome,
  type RecordingWorld,
  sampleOf,
  settle,
} from "./draft.ts";
import { isListed, referenceOf } from "../begin/canary-plan.ts";
import { entryOf } from "../state/state.ts";

interface Heard {
  readonly monitor: MonitorConfig;
  readonly before: MonitorState;
  readonly canary: CanaryState;
  readonly answer: CanaryAnswer;
  readonly withoutNetwork: boolean;
  readonly batch: BeginRequest;
  readonly world: RecordingWorld;
}

export function recordCanary(
  draft: Draft,
  monitor: MonitorConfig,
  { outcome, findings, withoutNetwork }: ProbeResult & { readonly withoutNetwork: boolean },
  batch: BeginRequest,
  world: RecordingWorld,
): void {
  const before = draft.monitors[monitor.id];
  const canary = draft.canaries[monitor.id];
  if (!before || !canary) return;
  const answer = { outcome, findings: findings?.type === "canary" ? findings : null };
  const heard: Heard = { monitor, before, canary, answer, withoutNetwork, batch, world };
  const isOwed = settle(draft, monitor, batch, world.nowMs);
  if (isRunOf(canary.run, batch)) {
    const own = judged(draft, heard, "own");
    move(draft, heard, audited(draft, heard, endRun(canary, canary.run, { ...answer, outcome: own })), own);
  } else if (isOwed && canary.run === null && canary.task !== null) {
    const after = endQuestion(canary, canary.task, answer, zoneDay(world.config, outcome.startedAtMs));
    move(draft, heard, after, judged(draft, heard, "question"));
  } else {
    recordLate(draft, heard);
  }
}

function audited(draft: Draft, { monitor, answer, world }: Heard, after: CanaryState): CanaryState {
  const isRight = answer.findings?.isRight;
  if (isRight === undefined) return after;
  const nowMs = answer.outcome.startedAtMs;
  const heardNow = { isRight, day: zoneDay(world.config, nowMs), nowMs };
  const reference = referenceOf(world.config, monitor);
  const days = reference === null ? null : (draft.canaries[reference.id]?.audit?.days ?? null);
  return { ...after, audit: afterAnswer(after.audit ?? NEW_AUDIT, heardNow, days) };
}

/** It was not sent after all, so it is due as before. */
export function giveBackCanary(draft: Draft, monitor: MonitorConfig, batch: BeginRequest): void {
  const canary = draft.canaries[monitor.id];
  if (!canary || !isRunOf(canary.run, batch)) return;
  draft.canaries[monitor.id] = giveBackRun(canary, canary.run);
}

function move(draft: Draft, heard: Heard, after: CanaryState, outcome: ProbeOutcome): void {
  const { monitor, before } = heard;
  draft.canaries[monitor.id] = after;
  if (after.task === null) keepSample(draft, heard, outcome);
  const moved =
    after.task === null ? withVerdict(draft, heard, after, outcome) : withoutAny(heard, after, outcome);
  draft.monitors[monitor.id] = moved;
  draft.changed ||=
    isNews(before, moved, 0, { ...heard.world, everyMs: monitor.everyMs }) ||
    after.task?.id !== heard.canary.task?.id ||
    after.served?.model !== heard.canary.served?.model;
  holdLanes(draft, monitor.gatewayId, outcome);
}

/** The late answer of a poll adds nothing: the task is polled until it ends. */
function recordLate(draft: Draft, heard: Heard): void {
  const { monitor, canary, answer, world, batch } = heard;
  const { startedAtMs } = answer.outcome;
  if (canary.task !== null && startedAtMs > canary.task.createdAtMs) return;
  const isNew = !world.isRecorded(monitor.id, startedAtMs);
  const day = zoneDay(world.config, startedAtMs);
  const after = hearLate(canary, answer, { isNew, day, tickMs: batch.tickMs });
  draft.canaries[monitor.id] = after;
  if ((answer.findings?.task ?? null) === null) keepSample(draft, heard, judged(draft, heard, "own"));
  if (after.task === null || canary.task !== null) return;
  const nextDueMs = nextQuestion(batch.tickMs, world.tickIntervalMs, { refused: 0, waitMs: 0 });
  draft.monitors[monitor.id] = { ...heard.before, nextDueMs };
  draft.changed = true;
}

function judged(draft: Draft, heard: Heard, asked: "own" | "question"): ProbeOutcome {
  const { monitor, before, withoutNetwork, world } = heard;
  const outcome = asked === "own" ? heard.answer.outcome : withTaskId(heard);
  const known = judgeOutcome(outcome, before.lastUpMs, withoutNetwork, "canary");
  const gateway = world.config.gateways.find(({ id }) => id === monitor.gatewayId);
  const listed = gateway && asked === "own" ? isListed(monitor, gateway, draft, world) : null;
  return { ...known, diagnosis: judgeByList(known.diagnosis, listed) };
}

/** The id in the answer may differ or be cut off, but a report must name the task that was polled. */
function withTaskId({ canary, answer: { outcome } }: Heard): ProbeOutcome {
  const taskId = canary.task?.id ?? outcome.diagnosis.taskId;
  return { ...outcome, diagnosis: { ...outcome.diagnosis, taskId } };
}

function withVerdict(draft: Draft, heard: Heard, after: CanaryState, outcome: ProbeOutcome): MonitorState {
  const { monitor, before, batch } = heard;
  if (before.pausedAtMs !== null) return before;
  const isPlanned = isPlannedAt(heard, outcome);
  const rhythm = rhythmOf(heard);
  const applied = applyOutcome(before, outcome, rhythm, { tickMs: batch.tickMs, inMaintenance: isPlanned });
  const nextDueMs = monitor.canary?.isGeneration
    ? nextDue(rhythm, batch.tickMs, stretchingFailures(after, applied, monitor), LONGEST_BACK_OFF_MS)
    : nextDue(rhythm, batch.tickMs, applied.refusalsInARow);
  const moved = moveByProbe(draft, { ...applied, nextDueMs }, monitor, { outcome, inMaintenance: isPlanned });
  apply(draft, moved);
  return moved.monitor;
}

/** While a task is open there is no verdict, whatever the poll's answer. */
function withoutAny(heard: Heard, after: CanaryState, outcome: ProbeOutcome): MonitorState {
  const { before, batch, world } = heard;
  if (before.pausedAtMs !== null) return before;
  const pending = { ...outcome, diagnosis: { ...outcome.diagnosis, health: "unknown" as const } };
  const time = { tickMs: batch.tickMs, inMaintenance: false };
  const applied = applyOutcome(before, pending, rhythmOf(heard), time);
  return {
    ...applied,
    refusalsInARow: before.refusalsInARow,
    nextDueMs: nextQuestion(batch.tickMs, world.tickIntervalMs, {
      refused: after.refusedQuestions,
      waitMs: questionWaitMs(outcome, batch),
    }),
  };
}

function questionWaitMs(
  { diagnosis: { cause, retry }, startedAtMs, durationMs }: ProbeOutcome,
  { tickMs }: BeginRequest,
): number {
  if (cause !== "task_pending" || retry.afterSeconds === null) return 0;
  return startedAtMs + durationMs + retry.afterSeconds * 1000 - tickMs;
}

function rhythmOf({ monitor, world }: Heard): Rhythm {
  return { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: world.tickIntervalMs };
}

function isPlannedAt({ monitor, world }: Heard, { startedAtMs }: ProbeOutcome): boolean {
  return inMaintenance(world.maintenance, monitor.gatewayId, startedAtMs);
}

function keepSample(draft: Draft, heard: Heard, outcome: ProbeOutcome): void {
  const { monitor, answer, world } = heard;
  if (world.isRecorded(monitor.id, answer.outcome.startedAtMs)) return;
  const generation = monitor.canary?.isGeneration ? (answer.findings?.figures ?? NO_FIGURES) : null;
  const sample = sampleOf(outcome, isPlannedAt(heard, outcome), generation);
  draft.samples.push({ monitorId: monitor.id, sample });
}

/** A Retry-After for a canary is mostly about its own limit, so it holds back the list only for a while. */
const LONGEST_LIST_HOLD_MS = LONGEST_QUESTION_INTERVAL_MS;

function holdLanes(draft: Draft, gatewayId: string, outcome: ProbeOutcome): void {
  const gateway = entryOf(draft.gateways, gatewayId);
  if (!gateway) return;
  draft.gateways[gatewayId] = {
    ...gateway,
    heldUntilMs: Math.max(gateway.heldUntilMs, heldUntil(outcome, LONGEST_LIST_HOLD_MS)),
    canaries: {
      ...gateway.canaries,
      heldUntilMs: Math.max(gateway.canaries.heldUntilMs, heldUntil(outcome, DAY_MS)),
    },
    unreachedSinceMs: reachOf(outcome.diagnosis) === "reached" ? null : gateway.unreachedSinceMs,
  };
}
