/** What holds for every real answer, whatever it says. */
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { readVectors, type Vector, VECTOR_FILES } from "../vectors/read-vectors.ts";
import { CONTEXT } from "./answers.ts";

const VECTORS = VECTOR_FILES.flatMap((file) => readVectors(file));

function diagnosed({ kind, status, headers }: Vector, body: string): Diagnosis {
  return diagnose({ type: "answer", kind, status, headers, body, bodyEnd: "complete" }, CONTEXT);
}

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
      diagnosed(vector, JSON.stringify(withoutWords(jsonOf(vector.body)))).cause !==
      diagnosed(vector, vector.body).cause,
  );

  it("decide more than a hundred of the answers", () => expect(turned.length).toBeGreaterThan(100));

  it.each(turned)("never decide alone without saying so: $id", (vector) => {
    expect(diagnosed(vector, vector.body).ambiguous).not.toEqual([]);
  });
});

describe("the same answer means the same", () => {
  it.each(VECTORS)("with a byte order mark, other line ends and white space behind it: $id", (vector) => {
    const { body } = vector;
    const found = told(diagnosed(vector, body));
    const lines = body.replaceAll(/\r?\n/g, "\r\n");
    for (const other of [`\ufeff${body}`, lines, `\ufeff${lines}`, `${body}\r\n`]) {
      expect(told(diagnosed(vector, other))).toEqual(found);
    }
  });
});
