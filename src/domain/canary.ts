/**
 * What is remembered of a canary between ticks besides its health: the request that is under way, the task that was
 * created, what was spent, and why it is not asked. Pure data.
 */
import type { Cause } from "../protocol/diagnosis.ts";
import type { GenerationFigures } from "./generation.ts";

/** What a tick is to do for a canary. */
export interface Errand {
  readonly monitorId: string;
  /** The task to be asked about; null: the canary's own request is sent. */
  readonly task: OpenTask | null;
  /** Requests that it may send, repetitions included; at least one. */
  readonly attempts: number;
}

/** The canaries of one gateway, one after the other. */
export interface CanaryAssignment {
  readonly gatewayId: string;
  readonly errands: readonly Errand[];
}

/** A task that was created and is not known to be over: it is asked about, and never created again. */
export interface OpenTask {
  /** As the gateway gave it; it holds no secret. */
  readonly id: string;
  /** When its creation was sent. */
  readonly createdAtMs: number;
  /** What is pending then has stalled. */
  readonly deadlineMs: number;
}

/** A request that left, or was about to: noted before it is sent, so that a crash spends nothing twice. */
export interface CanaryRun {
  readonly tickMs: number;
  readonly invocation: string;
  readonly sentAtMs: number;
  /** Requests that were counted for it beforehand, on this day. */
  readonly attempts: number;
  readonly day: string;
}

/** What one canary spent on a day of the configured zone. */
export interface DaySpending {
  readonly day: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
}

/**
 * Why a canary that is due is not asked. `cap`: `perDay` is used up. `gateway`: the gateway's list shows a cause that would
 * fail it too. `unlisted`: its model is not in the list.
 */
export const SKIP_REASONS = ["cap", "gateway", "unlisted"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface Skip {
  readonly reason: SkipReason;
  /** That of the list, where it is for the gateway's sake; else null. */
  readonly cause: Cause | null;
  readonly sinceMs: number;
}

export interface CanaryState {
  /** Changes with a key of its own; null: it has the gateway's. */
  readonly keyIdentity: string | null;
  /** Changes with what it asks for; null: that was not noted yet. */
  readonly asks: string | null;
  readonly run: CanaryRun | null;
  readonly task: OpenTask | null;
  /** Questions about the task in a row that were refused; they stretch the interval. */
  readonly refusedQuestions: number;
  /** Null: it is asked when it is due. */
  readonly skip: Skip | null;
  /** The days that were counted last, the latest of them first. */
  readonly days: readonly DaySpending[];
  /** Failures in a row; they stretch the interval of what costs money. */
  readonly failures: number;
  /** When its own request was last sent. */
  readonly askedAtMs: number | null;
  /** When the newest task was created that was ever taken up; an older one is not, however late it is told. */
  readonly lastTaskMs: number | null;
  /** Of the last probe that told them. */
  readonly figures: GenerationFigures | null;
  readonly balance: number | null;
}

export const NEW_CANARY: CanaryState = {
  keyIdentity: null,
  asks: null,
  run: null,
  task: null,
  refusedQuestions: 0,
  skip: null,
  days: [],
  failures: 0,
  askedAtMs: null,
  lastTaskMs: null,
  figures: null,
  balance: null,
};

/** Which of the models that canaries ask for a list holds. */
export interface ListedModels {
  readonly listed: readonly string[];
  readonly unlisted: readonly string[];
}

/** What a list told of them, and when it was asked for. */
export interface SeenModels extends ListedModels {
  readonly atMs: number;
}

/** What a probe found besides its outcome. */
export type Findings =
  | ({ readonly type: "list" } & ListedModels)
  | {
      readonly type: "canary";
      readonly figures: GenerationFigures;
      readonly balance: number | null;
      /** What is open after it: the task that it created, or asked about. */
      readonly task: OpenTask | null;
    };
