/**
 * What a saved or pasted answer means: the same judgement as the monitor's, with the report for whoever is asked for help.
 * Pure; linear in the text; nothing of it leaves unredacted.
 */
import { buildReport, type Report } from "../domain/report.ts";
import { diagnose } from "../protocol/diagnose.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import type { Kind } from "../protocol/observation.ts";
import type { Redact } from "../protocol/redaction/redact.ts";
import type { Form, Note, Pasted } from "./pasted.ts";
import { readPasted } from "./read-pasted.ts";

export interface ExplainOptions {
  /** What was asked of the gateway; null: it is guessed. */
  readonly kind: Kind | null;
  /** Unix time, for a Retry-After date in an answer without a Date of its own. */
  readonly nowMs: number;
  /** An IANA time zone, for the report. */
  readonly timeZone: string;
  readonly redact: Redact;
}

export interface Explanation {
  readonly takenFor: TakenFor;
  readonly diagnosis: Diagnosis;
  /** Null when ok. */
  readonly report: Report | null;
}

/** What the text was taken for. */
export interface TakenFor {
  readonly form: Form;
  /** More of the form, for people. */
  readonly detail: string | null;
  readonly kind: Kind;
  readonly notes: readonly Note[];
}

/** Null: there is nothing but white space. */
export function explain(text: string, options: ExplainOptions): Explanation | null {
  if (text.trim() === "") return null;
  return explainPasted(readPasted(text, options.kind), options);
}

/** The same for what was read already. */
export function explainPasted(pasted: Pasted, options: ExplainOptions): Explanation {
  const { redact, nowMs } = options;
  const { form, detail, observation, notes } = pasted;
  const found = diagnose(observation, { nowMs, redact });
  const diagnosis = notes.includes("status_unknown") ? { ...found, httpStatus: null } : found;
  return {
    takenFor: { form, detail, kind: observation.kind, notes },
    diagnosis,
    report: diagnosis.ok ? null : reportOf(pasted, diagnosis, options),
  };
}

function reportOf({ request }: Pasted, diagnosis: Diagnosis, { redact, timeZone }: ExplainOptions): Report {
  const model = request?.model ?? null;
  return buildReport({
    id: null,
    diagnosis,
    request: null,
    modelId: model === null ? null : redact(model),
    requestedAtMs: request?.sentAtMs ?? null,
    timeZone,
    streaming: request?.streaming ?? false,
    attempts: 1,
    client: redact(request?.client ?? ""),
  });
}
