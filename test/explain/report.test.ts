/** What the report of a pasted text says about the request, and what it hides. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import { explained, NO_MONEY } from "./pasted-text.ts";
import { rounds } from "../extent.ts";

interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly body?: unknown;
  readonly client?: string;
  readonly time?: string;
}

function reported({ method = "GET", url, body, client = "a/1", time }: Asked): Report {
  const request = {
    method,
    url,
    headers: [{ name: "user-agent", value: client }],
    postData: { text: JSON.stringify(body) },
  };
  const response = { status: 402, httpVersion: "HTTP/2", headers: [], content: { text: NO_MONEY } };
  const { report } = explained(JSON.stringify({ startedDateTime: time, request, response }));
  if (report === null) throw new Error("there is no report");
  return report;
}

describe("the endpoint", () => {
  test.each([
    ["https://api.example.com/v1/models", "https://api.example.com/v1/models"],
    ["HTTPS://api.example.com:8443/v1/models", "https://api.example.com:8443/v1/models"],
    ["https://me:my-own-secret-word@api.example.com/v1/models", "https://api.example.com/v1/models"],
    ["https://a@b:my-own-secret-word@api.example.com/v1/models", "https://api.example.com/v1/models"],
    ["https://api.example.com/v1/models?k=my-own-secret-word", "https://api.example.com/v1/models"],
    ["https://api.example.com/v1/models#my-own-secret-word", "https://api.example.com/v1/models"],
    ["/v1/models", "$GATEWAY_BASE_URL/v1/models"],
    ["//api.example.com/v1/models", null],
    ["https:///v1/models", null],
    ["my-own-secret-word", null],
    ["", null],
  ])("of %s", (url, endpoint) => expect(reported({ url }).endpoint).toBe(endpoint));
});

test("the time is the request's, else the answer's", () => {
  const url = "https://a.example/v1/models";
  expect(reported({ url, time: "2026-11-20T12:00:00Z" }).requestedAt).toBe("2026-11-20T20:00:00.000+08:00");
  expect(reported({ url, time: "yesterday" }).requestedAt).toBeNull();
  expect(reported({ url, time: "9999-12-31T23:59:59Z" }).requestedAt).toBeNull();
  const dated = `HTTP/1.1 402 X\nDate: Fri, 20 Nov 2026 12:00:00 GMT\n\n${NO_MONEY}`;
  expect(explained(dated).report?.requestedAt).toBe("2026-11-20T20:00:00.000+08:00");
});

test("a client that nobody names is unknown", () => {
  expect(explained(`HTTP/1.1 402 X\nA: b\n\n${NO_MONEY}`).report?.client).toBe("unknown");
  expect(reported({ url: "https://a.example/", client: " " }).client).toBe("unknown");
});

const letters = fc.string({
  minLength: 40,
  maxLength: 40,
  unit: fc.constantFrom(..."abcdefghkmnpqrstuvwxyzABCDEFGHKMN23456789".split("")),
});
const key = letters.map((rest) => `sk-proj-${rest}`);
const URL_OF = "https://api.example.com/v1/messages";

/** Places of a request; a key in them is the caller's own. */
const PLACES: Readonly<Record<string, (key: string) => string>> = {
  "user info of a command": (at) => `curl -i https://x:${at}@api.example.com/v1/models\n`,
  "a query of a command": (at) => `curl -i 'https://api.example.com/v1/models?key=${at}'\n`,
  "a path": (at) => `curl -i https://api.example.com/v1/${at}/models\n`,
  "a header of a command": (at) => `curl -i ${URL_OF} -H 'x-api-key: ${at}' -d '{"model":"m"}'\n`,
  "a model": (at) => `curl -i ${URL_OF} -d '{"model":"${at}"}'\n`,
  "a header of curl -v": (at) => `> GET /v1/models HTTP/1.1\n> Host: a.example\n> X-Api-Key: ${at}\n> \n`,
  "the agent of curl -v": (at) => `> GET /v1/models HTTP/1.1\n> Host: a.example\n> User-Agent: ${at}\n> \n`,
  "the host of curl -v": (at) => `> GET /v1/models HTTP/1.1\n> Host: ${at}\n> \n`,
  "the target of curl -v": (at) => `> GET /v1/models?a=${at} HTTP/1.1\n> Host: a.example\n> \n`,
  "a browser's panel": (at) =>
    `Request URL: https://a.example/v1/models?key=${at}\nStatus Code: 402\nAuthorization: ${at}\n`,
};

test.each(Object.entries(PLACES))("no key leaves from %s", (_, place) => {
  fc.assert(
    fc.property(key, (secret) => {
      const endings = [
        `HTTP/1.1 402 X\nA: b\n\n${NO_MONEY}`,
        `< HTTP/1.1 402 X\n< A: b\n< \n${NO_MONEY}`,
        "curl: (6) Could not resolve host: a.example",
        "something else",
      ];
      for (const ending of endings) {
        expect(JSON.stringify(explained(place(secret) + ending))).not.toContain(secret.slice(0, 20));
      }
    }),
    { numRuns: rounds(10, 30) },
  );
});
