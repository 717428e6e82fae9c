/** What the local runner hands to the Ledger so that it records the story's past. Pure types. */
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

export function answerKey(asked: Asked, scenario: string): string {
  return `${asked} ${scenario}`;
}
