/** What the local runner and the Ledger exchange at the start: the story's past and the open incidents. Pure types. */
import type { Probed } from "../../domain/probe-outcome.ts";
import type { Asked } from "./story.ts";

export type Answer = Extract<Probed, { type: "probed" }>;

export interface Past {
  /** When the story starts, Unix time in milliseconds. */
  readonly startMs: number;
  /** The interval of ticks in the present. */
  readonly tickMs: number;
  /** What a probe found for each scenario, by `answerKey`. */
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface OpenIncidents {
  /** A line each. */
  readonly open: readonly string[];
  readonly shards: number;
}

export function answerKey(asked: Asked, scenario: string): string {
  return `${asked} ${scenario}`;
}
