/** Short ways to write down an answer and to diagnose it. */
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import type { Answer, Kind } from "../../src/protocol/observation.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
export const CONTEXT = { nowMs: NOW_MS, redact: (text: string): string => text };

export function answer(status: number, body: unknown, more: Partial<Answer> = {}): Answer {
  return {
    type: "answer",
    kind: "models",
    status,
    headers: {},
    body: typeof body === "string" ? body : JSON.stringify(body),
    bodyEnd: "complete",
    ...more,
  };
}

export function diagnosed(status: number, body: unknown, more: Partial<Answer> = {}): Diagnosis {
  return diagnose(answer(status, body, more), CONTEXT);
}

export function diagnosedAs(kind: Kind, status: number, body: unknown): Diagnosis {
  return diagnosed(status, body, { kind });
}
