/** However an answer was copied, it means what it means to the monitor: the real answers of `test/vectors`, in every form. */
import { expect, test } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { readVectors, type Vector, VECTOR_FILES } from "../vectors/read-vectors.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { spread } from "../extent.ts";

const VECTORS = spread(
  VECTOR_FILES.flatMap((file) => readVectors(file)),
  200,
);
const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Each prints one answer as people find it. */
const FORMS: Readonly<Record<string, (vector: Vector) => string>> = {
  "curl -i, HTTP/1.1": (vector) => printed("HTTP/1.1", vector, "\r\n"),
  "curl -i with LF": (vector) => printed("HTTP/1.1", vector, "\n"),
  "curl -i, HTTP/2": (vector) => printed("HTTP/2", vector, "\r\n"),
  "curl -i after an interim answer and a redirect": (vector) =>
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 307 Temporary Redirect\r\nLocation: /v1\r\n\r\n${printed("HTTP/1.1", vector, "\r\n")}`,
  "curl -i behind its command line": (vector) =>
    `$ curl -i https://api.example.com/x \\\n  -H 'Authorization: Bearer sk-aaaaaaaaaaaaaaaaaaaaaaaa'\n${printed("HTTP/1.1", vector, "\n")}`,
  "curl -sv": (vector) => verbose(vector),
  "a saved answer": ({ status, headers, body }) => JSON.stringify({ status, headers, body }),
  "a saved answer, indented, in a fence": ({ status, headers, body }) =>
    `\`\`\`json\n${JSON.stringify({ status, headers, body }, null, 2)}\n\`\`\`\n`,
  "a HAR log": (vector) => JSON.stringify({ log: { version: "1.2", entries: [entry(vector)] } }),
  "a HAR entry": (vector) => JSON.stringify(entry(vector)),
  "a HAR entry in base64": (vector) => JSON.stringify(entry(vector, "base64")),
};

test.each(Object.entries(FORMS))("%s", (_, print) => {
  const told = VECTORS.map((vector) => ({ id: vector.id, ...saidOf(print(vector), vector) }));
  const expected = VECTORS.map((vector) => ({ id: vector.id, diagnosis: judged(vector), isWhole: true }));
  expect(told).toEqual(expected);
});

function saidOf(text: string, { kind }: Vector) {
  const told = explain(text, { kind, nowMs: NOW_MS, timeZone: "UTC", redact });
  return { diagnosis: told?.diagnosis, isWhole: told?.takenFor.notes.includes("status_unknown") === false };
}

function judged({ kind, status, headers, body }: Vector): Diagnosis {
  return diagnose(
    { type: "answer", kind, status, headers, body, bodyEnd: "complete" },
    { nowMs: NOW_MS, redact },
  );
}

function printed(version: string, { status, headers, body }: Vector, end: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${titled(name)}: ${value}`);
  return [`${version} ${status}`, ...lines, "", body].join(end);
}

function titled(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function verbose({ status, headers, body }: Vector): string {
  const lines = Object.entries(headers).map(([name, value]) => `< ${name}: ${value}\r`);
  return [
    "* Connected to api.example.com (192.0.2.1) port 443",
    "> POST /x HTTP/1.1\r",
    "> Host: api.example.com\r",
    "> \r",
    `< HTTP/1.1 ${status} Some Reason\r`,
    ...lines,
    "< \r",
    "{ [120 bytes data]",
    `${body}* Connection #0 to host api.example.com left intact`,
  ].join("\n");
}

function entry({ status, headers, body }: Vector, encoding: "base64" | null = null): unknown {
  const text = encoding === null ? body : Buffer.from(body).toString(encoding);
  return {
    startedDateTime: "2026-11-20T12:00:00.000Z",
    request: { method: "POST", url: "https://api.example.com/x", headers: [] },
    response: {
      status,
      httpVersion: "HTTP/2",
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: { size: body.length, text, ...(encoding === null ? {} : { encoding }) },
    },
  };
}
