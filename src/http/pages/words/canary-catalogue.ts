/**
 * The words of canaries: why one is not asked, what it costs, and how fast it is. Part of the catalogue.
 */
import type { Child } from "../../jsx/jsx-runtime.ts";

export interface CanaryWords {
  /** Why it is not asked, and since when. */
  readonly cap: (since: Child, perDay: number) => Child;
  /** @param cause of the list; empty where it is not published. */
  readonly gateway: (since: Child, cause: string) => Child;
  readonly unlisted: (since: Child) => Child;
  /** A task that was created, and is not over. */
  readonly task: (created: Child, deadline: Child) => Child;
  readonly taskState: (state: Child) => Child;
  readonly listedOnly: string;
  readonly servedOnly: string;
  /** In place of the instant of the next check. */
  readonly whenThatChanges: string;
  readonly terms: Readonly<
    Record<"firstToken" | "speed" | "duration" | "tokens" | "taskId" | "today" | "balance", string>
  >;
  /** Of the last 24 hours, after the last figure or by itself. */
  readonly range: (p50: string, p95: string) => string;
  readonly tokens: (input: number, output: number) => string;
  readonly requests: (count: number) => string;
  readonly requestsOf: (count: number, perDay: number) => string;
  readonly warnsBelow: (limit: string) => string;
  readonly columns: Readonly<Record<"firstToken" | "speed" | "duration" | "tokens", string>>;
  /** Of a probe: in and out, in few letters. */
  readonly tokensBrief: (input: string, output: string) => string;
}
