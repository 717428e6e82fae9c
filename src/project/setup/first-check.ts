/** The first check of a gateway, with what a person must know of its result. */
import { t } from "../../config/spoken.ts";
import type { Io, Output } from "../../cli/command.ts";
import {
  adviceWords,
  diagnosisText,
  filled,
  joined,
  messageWords,
  painterFor,
  progressWords,
} from "../../cli/terminal.ts";
import { MODELS_PATH } from "../../config/base-url.ts";
import type { Attempt, ProbeOutcome } from "../../domain/probe-outcome.ts";
import { readModels, type ReadModels } from "../../probe/models-probe.ts";
import { causeDocs, completed } from "../../protocol/causes.ts";
import { shownNames } from "../../protocol/synonyms.ts";
import { createRedactor } from "../../protocol/redaction/redact.ts";
import { readThrown } from "../../protocol/thrown.ts";

export interface Checked extends ReadModels {
  readonly isGood: boolean;
}

export interface CheckedGateway {
  readonly baseUrl: string;
  readonly key: string;
  readonly keyName: string;
}

/** Null: nothing was sent. @param progress null: it is not shown. */
export function readGateway(
  { baseUrl, key, keyName }: CheckedGateway,
  io: Io,
  progress: Output | null,
): Promise<ReadModels | null> {
  return readModels(
    { baseUrl, apiKey: key, secretName: keyName, expect: [], watched: [], slowerThanMs: null },
    {
      ...io,
      random: () => io.random(),
      readFailure: readThrown,
      onProgress: (state) => progress?.write(`${progressWords(state)}\n`),
    },
  );
}

/** Prints the result, too. Null: nothing was sent. */
export async function firstCheck(gateway: CheckedGateway, io: Io): Promise<Checked | null> {
  const read = await readGateway(gateway, io, io.stdout);
  if (read === null) return null;
  io.stdout.write(`\n${checkText(gateway, read, io)}\n`);
  return { ...read, isGood: read.outcome.diagnosis.ok };
}

function checkText({ baseUrl, key }: CheckedGateway, { outcome }: ReadModels, io: Io): string {
  const diagnosis = completed(outcome.diagnosis, null);
  const rows = checkRows(createRedactor([key])(baseUrl + MODELS_PATH), outcome);
  return diagnosisText(diagnosis, rows, [adviceWords(diagnosis)], painterFor(io.stdout.isTTY, io.env));
}

/** What is shown of a check. */
export function checkRows(endpoint: string, outcome: ProbeOutcome): readonly (readonly [string, string])[] {
  const { diagnosis, modelCount, attempts } = outcome;
  const names = shownNames(diagnosis);
  return filled([
    ["endpoint", endpoint],
    ["status", diagnosis.httpStatus],
    ["models", modelCount],
    ["error", joined([names.errorType, names.errorCode], " / ")],
    ["code", names.businessCode],
    ["request id", diagnosis.requestId],
    ["message", messageWords(diagnosis)],
    ["rule", diagnosis.rule],
    ["ambiguous", joined(diagnosis.ambiguous, ", ")],
    ["attempts", attempts.length === 0 ? t`none` : attemptsLine(outcome)],
    ["more", causeDocs(diagnosis.cause)],
  ]);
}

function attemptsLine({ attempts, latencyMs, waitedMs }: ProbeOutcome): string {
  const seen = attempts
    .map(({ httpStatus, error }: Attempt) => [httpStatus, error?.code].filter(Boolean).join(" "))
    .join(", ");
  const waits = waitedMs === 0 ? "" : t`; waited ${(waitedMs / 1000).toFixed(1)} s between them`;
  return t`${attempts.length} (${seen}); the last took ${latencyMs ?? 0} ms${waits}`;
}
