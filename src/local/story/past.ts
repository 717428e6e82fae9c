/** What the local runner and the Ledger tell each other at the start: the story's past, what is open. Pure types. */
import type { Probed } from "../../domain/probe-outcome.ts";
import type { Asked } from "./story.ts";

export type Answer = Extract<Probed, { type: "probed" }>;

export interface Past {
  /** When the story starts, Unix time in milliseconds. */
  readonly startMs: number;
  /** From tick to tick of the present. */
  readonly tickMs: number;
  /** What the probe found where a scenario was played, by `answerKey`. */
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
