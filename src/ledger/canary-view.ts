/**
 * What the status document tells of a canary besides what it tells of every monitor, and how a canary that is not asked
 * counts beside others. Pure.
 */
import type { CanaryConfig, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { addDays, type Calendar, instant } from "../domain/calendar.ts";
import { LONGEST_LANE_LEASE_MS } from "../domain/assignment.ts";
import type { CanaryState } from "../domain/canary.ts";
import { spentOn } from "../domain/canary-spending.ts";
import type { GenerationRollup } from "../domain/generation.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { isOverdue } from "../domain/overdue.ts";
import type { CanaryDocument } from "../history/documents.ts";
import { isOfUnknownFate } from "../protocol/canary-verdicts.ts";
import { isListed } from "./list-sight.ts";
import { publicDiagnosis } from "./public-text.ts";
import type { LedgerState } from "./state.ts";

interface ViewTime {
  readonly calendar: Calendar;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

export interface SeenCanary {
  readonly monitor: MonitorConfig;
  readonly rules: CanaryConfig;
  readonly state: MonitorState;
  readonly canary: CanaryState;
  readonly gateway: GatewayConfig;
}

/** @param lastDay of its generations; null: there were none. */
export function canaryView(
  seen: SeenCanary,
  lastDay: GenerationRollup | null,
  { monitors, journal }: LedgerState,
  time: ViewTime,
): CanaryDocument {
  const { monitor, rules, canary, gateway, state } = seen;
  const { figures, skip } = canary;
  const causesShown = gateway.publish === "causes";
  return {
    streaming: rules.isStreamed,
    generates: rules.isGeneration,
    listed: isListed(monitor, gateway, { monitors, gateways: journal.gateways }, time),
    skipped:
      skip === null || state.pausedAtMs !== null
        ? null
        : { reason: skip.reason, cause: causesShown ? skip.cause : null, since: instant(skip.sinceMs) },
    task: taskView(seen),
    interrupted: isInterrupted(seen, time),
    today: todayView(rules, canary, time),
    figures: figures && {
      firstTokenMs: figures.firstTokenMs,
      taskMs: figures.taskMs,
      tokensPerSecond: figures.tokensPerSecond,
      inputTokens: figures.inputTokens,
      outputTokens: figures.outputTokens,
    },
    firstTokenMs: lastDay?.firstTokenMs ?? null,
    taskMs: lastDay?.taskMs ?? null,
    tokensPerSecond: lastDay?.tokensPerSecond ?? null,
    balance: canary.balance,
    warnBelow: rules.warnBelow,
  };
}

/** Until it is overdue: then nobody can tell any more why nothing newer is known. */
function isInterrupted({ monitor, state }: SeenCanary, { nowMs, tickIntervalMs }: ViewTime): boolean {
  const { diagnosis, pausedAtMs } = state;
  if (diagnosis === null || pausedAtMs !== null || !isOfUnknownFate(diagnosis)) return false;
  return !isOverdue(state, 0, { everyMs: monitor.everyMs, tickIntervalMs, nowMs });
}

/** The id and the state are the gateway's own words, and are shown as its causes are. */
function taskView({ canary: { task }, gateway, state: { diagnosis } }: SeenCanary): CanaryDocument["task"] {
  if (task === null) return null;
  const causesShown = gateway.publish === "causes" && diagnosis !== null;
  const told = causesShown ? publicDiagnosis({ ...diagnosis, taskId: task.id }, gateway) : null;
  return {
    id: told?.taskId ?? null,
    state: told?.taskState ?? null,
    createdAt: instant(task.createdAtMs),
    deadline: instant(task.deadlineMs),
  };
}

function todayView(
  { perDay, prices }: CanaryConfig,
  { days }: CanaryState,
  { calendar, nowMs }: ViewTime,
): CanaryDocument["today"] {
  const { day, requests, inputTokens, outputTokens, costMicros } = spentOn(days, calendar.dayOf(nowMs));
  return {
    day,
    requests,
    perDay,
    inputTokens,
    outputTokens,
    cost: prices === null ? null : costMicros / 1_000_000,
    currency: prices?.currency ?? null,
  };
}

/** There is a reason why nothing newer is known of it. */
export function isAwaited({ run, task, skip }: CanaryState, nowMs: number): boolean {
  return task !== null || skip !== null || (run !== null && nowMs < run.sentAtMs + LONGEST_LANE_LEASE_MS);
}

/** When it may be asked next, at the earliest: of one whose requests are used up, with the next day. */
export function askedFromMs({ skip }: CanaryState, { calendar, nowMs }: ViewTime): number {
  return skip?.reason === "cap" ? calendar.startOfDay(addDays(calendar.dayOf(nowMs), 1)) : 0;
}
