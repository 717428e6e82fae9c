import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { redact } from "../../../src/protocol/redaction/redact.ts";

interface Vector {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secrets?: readonly string[];
  readonly requestId: string | null;
  readonly requestIdAlt?: readonly string[];
  readonly errorType: string | number | null;
  readonly errorCode: string | number | null;
}

function linesOf(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../vectors/${file}.jsonl`, import.meta.url), "utf8");
  return text.trim().split("\n");
}

describe("real answers", () => {
  const vectors = linesOf("real-answers").map((line): Vector => JSON.parse(line));
  const part = (bytes: number): string =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");
  const fresh: Readonly<Record<string, string>> = {
    "<<anthropic-key>>": `sk-ant-api03-${part(69)}AA`,
    "<<jwt>>": `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")}.${part(40)}.${part(32)}`,
  };
  const fill = (text: string): string => text.replaceAll(/<<[\w-]+>>/g, (name) => fresh[name] ?? name);

  test("there are vectors, and some hold secrets", () => {
    expect(vectors.length).toBeGreaterThan(100);
    expect(vectors.filter(({ secrets }) => secrets !== undefined).length).toBeGreaterThan(5);
  });

  test.each(vectors)("$id keeps its ids and codes and loses its secrets", (vector) => {
    const texts = [vector.body, ...Object.values(vector.headers)].map(fill);
    const left = texts.map(redact).join("\n");
    const secrets = (vector.secrets ?? []).map(fill);
    for (const secret of secrets) expect(left).not.toContain(secret);
    for (const value of [
      vector.requestId,
      ...(vector.requestIdAlt ?? []),
      vector.errorType,
      vector.errorCode,
    ]) {
      if (value !== null && !secrets.includes(String(value))) expect(left).toContain(String(value));
    }
    // All other texts stay as they are, but for one key that the service itself masked.
    if (secrets.length === 0 && vector.id !== "deepseek-01") expect(left).toBe(texts.join("\n"));
  });
});

describe("answers from the field", () => {
  const vectors = linesOf("field-answers").map((line): Vector => JSON.parse(line));
  /** E-mail addresses, cookies, keys that the service itself masked, and made-up ones. */
  const SECRETS =
    /[\w.+-]+@[\w.-]+\.\w+|\bsk-[\w-]+|\b\w*\*{2,}[\w-]*|(?<=[?&]token=)\w+|(?<=^set-cookie: ).*/gm;

  test.each(vectors)("$id loses nothing but such", (vector) => {
    const lines = Object.entries(vector.headers).map(([name, value]) => `${name}: ${value}`);
    for (const text of [vector.body, ...Object.values(vector.headers), lines.join("\r\n")]) {
      const left = redact(text);
      const secrets = (vector.secrets ?? []).filter((secret) => !secret.startsWith("<<"));
      const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
      for (const secret of secrets) expect(left).not.toContain(secret);
      expect([bare, bare.replaceAll(SECRETS, "[redacted]")]).toContain(left);
      for (const value of [vector.requestId, vector.errorType, vector.errorCode]) {
        if (text.includes(String(value))) expect(left).toContain(String(value));
      }
    }
  });
});
