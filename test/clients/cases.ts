/** What a gateway does to its clients, and what they ask it for. The answers are those of the simulated gateway. */

export type Question = "models" | "generation";

export interface Case {
  /** What the gateway does, in the table. */
  readonly does: string;
  /** A scenario of the simulated gateway. */
  readonly scenario: string;
  readonly asks: Question;
  /** Of one request, where the gateway does not answer; null: the client's own. */
  readonly timeoutMs: number | null;
}

const list = (does: string, scenario: string): Case => ({ does, scenario, asks: "models", timeoutMs: null });
const generation = (does: string, scenario: string, timeoutMs: number | null): Case => ({
  does,
  scenario,
  asks: "generation",
  timeoutMs,
});

const SILENCE_MS = 2_000;

export const CASES: readonly Case[] = [
  list("429 `quota_exceeded`", "quota_429"),
  list("429 with `Retry-After: 31`", "rate_limited_31"),
  list("402 `insufficient_balance`", "balance_402"),
  list("503, always", "503_always"),
  list("503 once", "503_then_200"),
  list('200 with `{"code": 5000}`', "envelope_5000"),
  list("200 with an `error`", "error_object"),
  list("200 with a web page", "html_200"),
  list("302 to itself", "redirect_loop"),
  list("401 with the key in it", "echo_key_whole"),
  generation("generation: connection reset", "reset_before_headers", null),
  generation("generation: no answer for 2 s", "no_answer", SILENCE_MS),
];
