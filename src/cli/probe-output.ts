/** The result of `gatepulse probe`, for programs and for people. Pure; everything in it was redacted before. */
import { instant } from "../domain/calendar.ts";
import type { Attempt, ProbeOutcome } from "../domain/probe-outcome.ts";
import type { Report } from "../domain/report.ts";
import { causeDocs, withDocs } from "../protocol/cause-docs.ts";
import type { Output } from "./io.ts";
import { harmless, painterFor, table, verdictLine, wrap } from "./terminal.ts";

export interface ProbeResult {
  readonly endpoint: string;
  readonly outcome: ProbeOutcome;
  /** Null when ok. */
  readonly report: Report | null;
}

/** One object on one line. */
export function probeJson({ endpoint, outcome, report }: ProbeResult): string {
  const { startedAtMs, durationMs, attempts, modelCount } = outcome;
  const startedAt = instant(startedAtMs);
  const diagnosis = withDocs(outcome.diagnosis);
  return `${JSON.stringify({ startedAt, durationMs, endpoint, attempts, modelCount, diagnosis, report })}\n`;
}

export function probeText(
  { endpoint, outcome, report }: ProbeResult,
  { isTTY, columns }: Output,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const paint = painterFor(isTTY, env);
  const { diagnosis } = outcome;
  const advice = harmless(diagnosis.advice);
  return [
    `${verdictLine(diagnosis, paint)}\n\n`,
    table(rowsOf(harmless(endpoint), outcome), paint),
    `\n${isTTY ? wrap(advice, columns, "") : advice}\n`,
    laterLine(outcome),
    report?.reproduce == null ? "" : `\n${paint("To see it for yourself:", "dim")}\n${report.reproduce}\n`,
  ].join("");
}

function rowsOf(endpoint: string, outcome: ProbeOutcome): readonly (readonly [string, string])[] {
  const { diagnosis, modelCount, attempts } = outcome;
  const optional: readonly (readonly [string, string | number | null])[] = [
    ["status", diagnosis.httpStatus],
    ["models", modelCount],
    ["error", [diagnosis.errorType, diagnosis.errorCode].filter((word) => word !== null).join(" / ") || null],
    ["code", diagnosis.businessCode],
    ["request id", diagnosis.requestId],
    ["message", diagnosis.message],
    ["rule", diagnosis.rule],
    ["ambiguous", diagnosis.ambiguous.join(", ") || null],
  ];
  const filled = optional.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, harmless(String(value))]],
  );
  return [
    ["endpoint", endpoint],
    ...filled,
    ["attempts", attempts.length === 0 ? "none" : attemptsLine(outcome)],
    ["more", causeDocs(diagnosis.cause)],
  ];
}

function attemptsLine({ attempts, latencyMs, waitedMs }: ProbeOutcome): string {
  const seen = attempts
    .map(({ httpStatus, error }: Attempt) => [httpStatus, error?.code].filter(Boolean).join(" "))
    .join(", ");
  const waits = waitedMs === 0 ? "" : `; waited ${(waitedMs / 1000).toFixed(1)} s between them`;
  return `${attempts.length} (${seen}); the last took ${latencyMs ?? 0} ms${waits}`;
}

function laterLine({ diagnosis: { retry } }: ProbeOutcome): string {
  if (!retry.allowed || retry.afterSeconds === null || retry.afterSeconds === 0) return "";
  return `Run later: the gateway asks to wait ${retry.afterSeconds} s.\n`;
}
