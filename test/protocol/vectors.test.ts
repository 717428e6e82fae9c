import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Cause, Diagnosis } from "../../src/protocol/diagnosis.ts";
import { readVectors, type Vector, VECTOR_FILES } from "../vectors/read-vectors.ts";
import { CONTEXT } from "./answers.ts";

interface Labelled extends Vector {
  readonly label: Cause;
  readonly altLabels: readonly Cause[];
  readonly requestId: string | null;
  readonly errorType?: string | number | null;
  readonly errorCode?: string | number | null;
  readonly businessCode?: number | null;
  readonly retry: boolean;
}

/** The table of causes gives these a name that is younger than their labels; the label's alternatives hold it. */
const NAMED_SINCE: Readonly<Record<string, Cause>> = {
  "cloudflare-edge-text-07": "edge_blocked",
  "aws-cloudfront-02": "edge_blocked",
};

describe.each(VECTOR_FILES)("%s.jsonl", (file) => {
  const vectors = readVectors(file) as readonly Labelled[];

  it("is not empty", () => expect(vectors.length).toBeGreaterThanOrEqual(120));

  it.each(vectors)("$id: $label", (vector) => {
    const found = diagnosisOf(vector);
    expect(found.cause).toBe(NAMED_SINCE[vector.id] ?? vector.label);
    expect([vector.label, ...vector.altLabels]).toContain(found.cause);
    expect(found.requestId).toBe(vector.requestId);
    expect(found.retry.allowed).toBe(vector.retry);
    if (vector.errorType !== undefined) expect(found.errorType).toBe(textOf(vector.errorType));
    if (vector.errorCode !== undefined) expect(found.errorCode).toBe(textOf(vector.errorCode));
    // The labels name failures alone: the 0 of a business success is null in them.
    if (vector.businessCode !== undefined) expect(found.businessCode || null).toBe(vector.businessCode);
  });
});

function diagnosisOf({ kind, status, headers, body }: Vector): Diagnosis {
  return diagnose({ type: "answer", kind, status, headers, body, bodyEnd: "complete" }, CONTEXT);
}

function textOf(value: string | number | null): string | null {
  return value === null ? null : String(value);
}
