import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REDACTED, redact } from "../../../src/protocol/redaction/redact.ts";
import { BESIDE_KEYS, NAMED, NEUTRAL, type Surround } from "./surroundings.ts";
import { fill, fixedParts } from "./templates.ts";
import { rounds } from "../../extent.ts";
import { readVectors, type Vector, VECTOR_FILES } from "../../vectors/read-vectors.ts";

interface RealAnswer extends Vector {
  readonly secrets?: readonly string[];
  readonly requestId: string | null;
  readonly requestIdAlt?: readonly string[];
  readonly errorType: string | number | null;
  readonly errorCode: string | number | null;
}

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

const SECRET_SHAPES = readVectors<SecretRow>("secret-shapes");
const KEPT_SHAPES = readVectors<KeptRow>("kept-by-shape");
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
  expect(SECRET_SHAPES.length).toBeGreaterThan(180);
  expect(KEPT_SHAPES.length).toBeGreaterThan(480);
  for (const { source } of [...SECRET_SHAPES, ...KEPT_SHAPES]) expect(source).toMatch(/^https:\/\/[\w.-]+\//);
});

describe("a secret goes", () => {
  test.each(SECRET_SHAPES)("$name", ({ needs, template }) => {
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
  test.each(KEPT_SHAPES)("$kind: $name", ({ kind, template }) => {
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
  const row = fc.constantFrom(...SECRET_SHAPES);
  const place = fc.constantFrom(...surroundOf(NEUTRAL, NAMED));
  const useful = fc.constantFrom(...KEPT_SHAPES.filter(({ kind }) => kind === "id" || kind === "model"));

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

const part = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");
const FRESH: Readonly<Record<string, string>> = {
  "<<anthropic-key>>": `sk-ant-api03-${part(69)}AA`,
  "<<jwt>>": `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")}.${part(40)}.${part(32)}`,
};
const filled = (text: string): string => text.replaceAll(/<<[\w-]+>>/g, (name) => FRESH[name] ?? name);
/** E-mail addresses, cookies, keys that the service itself masked, and made-up ones. */
const MAY_GO =
  /[\w.+-]+@[\w.-]+\.\w+|\bsk-[\w-]+|\b\w*\*{2,}[\w-]*|(?<=[?&]token=)\w+|(?<=^set-cookie: ).*/gm;

/** What stands around the secret goes with it, or less: of a masked key, a signed address, a login, a cookie. */
const MORE_GOES: ReadonlySet<string> = new Set(
  "deepseek-01 volcengine-ark-09 gpt-load-04 second-cohere-01 second-openai-23 second-openai-24 second-azure-openai-05 second-one-api-17".split(
    " ",
  ),
);

/** Ids of accounts and addresses stay for the owner; accounts.test.ts says who does not see them. Pictures are no secrets. */
const MAY_STAY = /^(?:org|proj|ak|user)[-_]|^[\d.]+$|^iVBOR/;

describe.each(VECTOR_FILES)("answers of %s", (file) => {
  const vectors = readVectors<RealAnswer>(file);

  test("hold secrets, some of them", () => {
    expect(vectors.filter(({ secrets }) => secrets !== undefined).length).toBeGreaterThan(5);
  });

  test.each(vectors)("$id keeps its ids and codes and loses nothing but its secrets", (vector) => {
    const secrets = (vector.secrets ?? [])
      .map(filled)
      .filter((secret) => !secret.startsWith("<<") && !MAY_STAY.test(secret));
    const lines = Object.entries(vector.headers).map(([name, value]) => `${name}: ${value}`);
    const { requestId, requestIdAlt = [], errorType, errorCode } = vector;
    const useful = [requestId, ...requestIdAlt, errorType, errorCode].map(String);
    for (const text of [vector.body, ...Object.values(vector.headers), lines.join("\r\n")].map(filled)) {
      const left = redact(text);
      const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
      for (const secret of secrets) expect(left).not.toContain(secret);
      if (!MORE_GOES.has(vector.id)) expect([bare, bare.replaceAll(MAY_GO, REDACTED)]).toContain(left);
      for (const value of useful) if (bare.includes(value)) expect(left).toContain(value);
    }
  });
});
