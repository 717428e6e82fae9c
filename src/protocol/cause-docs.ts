/** Where a cause is explained: its entry in docs/causes.md. Pure. */
import type { Cause, Diagnosis, KeptDiagnosis } from "./diagnosis.ts";

export const CAUSES_DOCUMENT = "https://github.com/gatepulse/gatepulse/blob/main/docs/causes.md";

export function causeDocs(cause: Cause): string {
  return `${CAUSES_DOCUMENT}#${cause}`;
}

/** As it is told to anybody. */
export function withDocs(diagnosis: KeptDiagnosis): Diagnosis {
  return { ...diagnosis, docs: causeDocs(diagnosis.cause) };
}
