/** The first check of a gateway, with what a person must know of its result. */
import type { Io, Output } from "../../cli/command.ts";
import { diagnosisText, filled, painterFor, progressWords } from "../../cli/terminal.ts";
import { readModels, type ReadModels } from "../../probe/models-probe.ts";
import { causeDocs, completed } from "../../protocol/causes.ts";
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
  const { attempts, latencyMs, modelCount } = outcome;
  const rows = filled([
    ["address", createRedactor([key])(baseUrl)],
    ["models", modelCount],
    ["latency", latencyMs === null ? null : `${latencyMs} ms`],
    ["status", diagnosis.httpStatus],
    ["message", diagnosis.message],
    ["attempts", attempts.length > 1 ? attempts.length : null],
    ["more", diagnosis.ok ? null : causeDocs(diagnosis.cause)],
  ]);
  return diagnosisText(diagnosis, rows, [diagnosis.advice], painterFor(io.stdout.isTTY, io.env));
}
