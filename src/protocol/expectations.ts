/**
 * What the configuration expects of an answer that is otherwise good: that it names certain models, and that it
 * comes in time. Pure.
 */
import { rowOf } from "./causes.ts";
import { clip } from "./error-facts.ts";
import type { KeptDiagnosis } from "./diagnosis.ts";

export interface Expectations {
  /** The ids of the list; null where the answer was no list, and then no model is missing. */
  readonly modelIds: readonly string[] | null;
  readonly expect: readonly string[];
  readonly latencyMs: number;
  /** Null: no limit. */
  readonly slowerThanMs: number | null;
}

export interface Judged {
  readonly diagnosis: KeptDiagnosis;
  readonly missingModels: readonly string[];
}

/** Turns an `ok` into `model_missing` or `slow`, the first before the second; leaves every other diagnosis alone. */
export function judgeExpectations(diagnosis: KeptDiagnosis, expectations: Expectations): Judged {
  if (diagnosis.cause !== "ok") return { diagnosis, missingModels: [] };
  const missingModels = missing(expectations);
  if (missingModels.length > 0) {
    const message = clip(`Missing from the list: ${missingModels.join(", ")}`);
    return { diagnosis: degraded(diagnosis, "model_missing", message), missingModels };
  }
  const { latencyMs, slowerThanMs } = expectations;
  const isSlow = slowerThanMs !== null && latencyMs > slowerThanMs;
  return { diagnosis: isSlow ? degraded(diagnosis, "slow", diagnosis.message) : diagnosis, missingModels };
}

function missing(expectations: Expectations): readonly string[] {
  if (expectations.modelIds === null || expectations.expect.length === 0) return [];
  const listed = new Set(expectations.modelIds);
  return expectations.expect.filter((model) => !listed.has(model));
}

function degraded(
  diagnosis: KeptDiagnosis,
  cause: "model_missing" | "slow",
  message: string | null,
): KeptDiagnosis {
  return { ...diagnosis, ...rowOf(cause), layer: null, message };
}
