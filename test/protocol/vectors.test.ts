/** The real answers: what each is labelled, and what holds for every one of them, whatever it says. */
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

/** Where the table of causes, or the specification, chooses another of the causes that the label allows. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, Cause>>>> = {
  "real-answers": { "cloudflare-edge-text-07": "edge_blocked", "aws-cloudfront-02": "edge_blocked" },
  "second-answers": {
    "second-openai-18": "permission_denied",
    "second-openai-19": "connection_failed",
    "second-anthropic-10": "connection_failed",
    "second-google-gemini-06": "authentication",
    "second-google-gemini-07": "malformed_request",
    "second-google-gemini-09": "permission_denied",
    "second-moonshot-01": "quota_exceeded",
    "second-openrouter-05": "insufficient_balance",
    "second-openrouter-06": "insufficient_balance",
    "second-midjourney-proxy-01": "task_pending",
    "second-one-api-11": "http_error",
    "second-one-api-14": "authentication",
    "second-portkey-02": "http_error",
    "second-portkey-03": "http_error",
    "second-cloudflare-ai-gateway-01": "malformed_request",
    "second-runpod-vllm-01": "not_found",
    "second-tgi-03": "malformed_request",
    "second-cloudflare-edge-html-04": "edge_blocked",
    "second-aws-api-gateway-01": "authentication",
    "second-spec-gateway-01": "malformed_request",
    "second-spec-gateway-11": "not_found",
    "second-openresty-02": "permission_denied",
    "second-openresty-03": "authentication",
    "second-one-api-16": "upstream_unavailable",
    // A limit that a day renews is a quota here, whatever the vendor calls it.
    "second-azure-openai-03": "quota_exceeded",
    "second-moonshot-03": "quota_exceeded",
  },
};

describe.each(VECTOR_FILES)("%s.jsonl", (file) => {
  const vectors = readVectors<Labelled>(file);

  it("is not empty", () => expect(vectors.length).toBeGreaterThanOrEqual(120));

  it.each(vectors)("$id: $label", (vector) => {
    const found = diagnosed(vector);
    const cause = OTHERWISE[file]?.[vector.id] ?? vector.label;
    expect(found.cause).toBe(cause);
    expect([vector.label, ...vector.altLabels]).toContain(found.cause);
    // Where no field has an id, the labels do not name those in text.
    const inText = found.requestId !== null && vector.body.includes(found.requestId);
    if (vector.requestId !== null || !inText) expect(found.requestId).toBe(vector.requestId);
    expect(found.retry.allowed).toBe(vector.retry && cause !== "quota_exceeded");
    if (vector.errorType !== undefined) expect(found.errorType).toBe(textOf(vector.errorType));
    if (vector.errorCode !== undefined) expect(found.errorCode).toBe(textOf(vector.errorCode));
    // The labels name failures alone: the 0 of a business success is null in them.
    if (vector.businessCode !== undefined) expect(found.businessCode || null).toBe(vector.businessCode);
  });
});

function diagnosed({ kind, status, headers, body: own }: Vector, body = own): Diagnosis {
  return diagnose({ type: "answer", kind, status, headers, body, bodyEnd: "complete" }, CONTEXT);
}

function textOf(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

const VECTORS = VECTOR_FILES.flatMap((file) => readVectors(file));

/** All but the spelling of a message: its white space, and what does not fit behind more of it. */
function told(diagnosis: Diagnosis): unknown {
  return { ...diagnosis, message: diagnosis.message?.replaceAll(/\s+/g, " ").slice(0, 200) ?? null };
}

/** Texts with a space or other letters than ASCII are words; a name, a code and an id have neither. A state is none. */
function withoutWords(value: unknown): unknown {
  if (typeof value === "string") {
    const inner = /^\s*[{[]/.test(value) ? jsonOf(value) : undefined;
    if (inner !== undefined) return JSON.stringify(withoutWords(inner));
    return /\s|[^\p{ASCII}]/u.test(value) ? "x y" : value;
  }
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    /^(?:status|state)$/.test(key) ? member : withoutWords(member),
  ]);
  return Object.fromEntries(members);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const JSON_VECTORS = VECTORS.filter(({ body }) => typeof jsonOf(body) === "object");

describe("words", () => {
  const turned = JSON_VECTORS.filter(
    (vector) =>
      diagnosed(vector, JSON.stringify(withoutWords(jsonOf(vector.body)))).cause !== diagnosed(vector).cause,
  );

  it("decide more than a hundred of the answers", () => expect(turned.length).toBeGreaterThan(100));

  it.each(turned)("never decide alone without saying so: $id", (vector) => {
    expect(diagnosed(vector).ambiguous).not.toEqual([]);
  });
});

describe("the same answer means the same", () => {
  it.each(VECTORS)("with a byte order mark, other line ends and white space behind it: $id", (vector) => {
    const { body } = vector;
    const found = told(diagnosed(vector));
    const lines = body.replaceAll(/\r?\n/g, "\r\n");
    for (const other of [`\ufeff${body}`, lines, `\ufeff${lines}`, `${body}\r\n`]) {
      expect(told(diagnosed(vector, other))).toEqual(found);
    }
  });
});
