import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REDACTED, redact } from "../../../src/protocol/redaction/redact.ts";
import { BESIDE_KEYS, NAMED, NEUTRAL, type Surround } from "./surroundings.ts";
import { fill, fixedParts } from "./templates.ts";
import { rounds } from "../../extent.ts";

interface Row {
  readonly name: string;
  readonly source: string;
  readonly template: string;
}
interface SecretRow extends Row {
  /** Whether it goes by its own shape, or only beside a name of a secret. */
  readonly needs: "nothing" | "name";
}
interface KeptRow extends Row {
  readonly kind: "id" | "model" | "code" | "time" | "version" | "number" | "address" | "header";
}

function linesOf(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../vectors/${file}.jsonl`, import.meta.url), "utf8");
  return text.trim().split("\n");
}

const secrets = linesOf("secret-shapes").map((line): SecretRow => JSON.parse(line));
const kept = linesOf("kept-by-shape").map((line): KeptRow => JSON.parse(line));
const seed = fc.noBias(fc.integer());
const surroundOf = (...sets: readonly Readonly<Record<string, Surround>>[]): readonly Surround[] =>
  sets.flatMap((set) => Object.values(set));

/** Without the escapes that the surroundings put around a value. */
function unescaped(text: string): string {
  let current = text;
  for (let level = 0; level < 3; level += 1) {
    current = current
      .replaceAll("&amp;", "&")
      .replaceAll("\\n", "\n")
      .replaceAll("\\\\", "\\")
      .replaceAll(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }
  return current;
}

/** What is left of a secret, 12 characters in a row, but for what all secrets of its kind have in common. */
function leftOf(secret: string, template: string, text: string): readonly string[] {
  const common = fixedParts(template);
  const found = unescaped(text);
  return Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12)).filter(
    (part) => found.includes(part) && !common.some((fixed) => fixed.includes(part)),
  );
}

test("there are vectors of many issuers, each with its source", () => {
  expect(secrets.length).toBeGreaterThan(180);
  expect(kept.length).toBeGreaterThan(480);
  for (const { source } of [...secrets, ...kept]) expect(source).toMatch(/^https:\/\/[\w.-]+\//);
});

describe("a secret goes", () => {
  test.each(secrets)("$name", ({ needs, template }) => {
    const places = needs === "nothing" ? surroundOf(NEUTRAL, NAMED) : surroundOf(NAMED);
    fc.assert(
      fc.property(seed, (number) => {
        const secret = fill(template, number);
        for (const put of places) expect(leftOf(secret, template, redact(put(secret)))).toEqual([]);
      }),
      { numRuns: rounds(1, 5) },
    );
  });
});

describe("what is no secret stays, to the last character", () => {
  test.each(kept)("$kind: $name", ({ kind, template }) => {
    const places = kind === "id" ? surroundOf(NEUTRAL, BESIDE_KEYS) : surroundOf(NEUTRAL);
    fc.assert(
      fc.property(seed, (number) => {
        for (const put of places) {
          const text = put(fill(template, number));
          expect(redact(text)).toBe(text);
        }
      }),
      { numRuns: template.includes("{") ? rounds(1, 5) : 1 },
    );
  });
});

describe("a text with secrets among useful things", () => {
  const row = fc.constantFrom(...secrets);
  const place = fc.constantFrom(...surroundOf(NEUTRAL, NAMED));
  const useful = fc.constantFrom(...kept.filter(({ kind }) => kind === "id" || kind === "model"));

  test("is the same when it is redacted again", () => {
    fc.assert(
      fc.property(row, place, seed, ({ template }, put, number) => {
        const once = redact(put(fill(template, number)));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: rounds(200, 3000) },
    );
  });

  test("stays JSON, and keeps what stands in other strings", () => {
    fc.assert(
      fc.property(row, place, useful, seed, ({ template }, put, { template: other }, number) => {
        const secret = fill(template, number);
        const id = fill(other, number);
        const text = JSON.stringify({ request_id: id, message: put(secret), api_key: secret, model: id });
        expect(JSON.parse(redact(text))).toMatchObject({ request_id: id, api_key: REDACTED, model: id });
      }),
      { numRuns: rounds(150, 2000) },
    );
  });
});
