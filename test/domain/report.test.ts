import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildReport,
  listRequest,
  reproducingCurl,
  zonedInstant,
  type ReportInput,
} from "../../src/domain/report.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { rounds } from "../extent.ts";

const AT_MS = Date.UTC(2026, 10, 20, 12, 0, 0, 123);

const INPUT: ReportInput = {
  id: "inc-1-1",
  diagnosis: diagnosis("insufficient_balance", "blocked", {
    httpStatus: 402,
    errorType: "insufficient_quota",
    errorCode: "insufficient_balance",
    requestId: "req_1",
    message: "no credit",
  }),
  request: { baseUrl: "https://api.acme.example/proxy", sent: listRequest("/v1/models"), isPublic: false },
  modelId: null,
  requestedAtMs: AT_MS,
  timeZone: "Asia/Shanghai",
  streaming: false,
  attempts: 1,
  client: "gatepulse/0.1.0",
};

test("a report has every field of spec 7.5, and hides the host that is not public", () => {
  expect(buildReport(INPUT)).toEqual({
    id: "inc-1-1",
    schemaVersion: 1,
    endpoint: "$GATEWAY_BASE_URL/v1/models",
    modelId: null,
    requestedAt: "2026-11-20T20:00:00.123+08:00",
    timeZone: "Asia/Shanghai",
    httpStatus: 402,
    errorType: "insufficient_quota",
    errorCode: "insufficient_balance",
    businessCode: null,
    requestId: "req_1",
    taskId: null,
    streaming: false,
    retried: false,
    attempts: 1,
    client: "gatepulse/0.1.0",
    cause: "insufficient_balance",
    message: "no credit",
    reproduce: `curl -gsSi --max-time 30 -H "Authorization: Bearer $GATEWAY_API_KEY" -H 'Accept: application/json' --url "$GATEWAY_BASE_URL"'/v1/models'`,
  });
});

test("an answer whose request nobody knows has no endpoint and nothing to reproduce", () => {
  const report = buildReport({ ...INPUT, request: null, requestedAtMs: null });
  expect(report).toMatchObject({ endpoint: null, reproduce: null, requestedAt: null });
});

test.each([
  ["UTC", "2026-11-20T12:00:00.123+00:00"],
  ["Asia/Shanghai", "2026-11-20T20:00:00.123+08:00"],
  ["Asia/Kathmandu", "2026-11-20T17:45:00.123+05:45"],
])("in %s the instant is %s", (timeZone, text) => {
  expect(zonedInstant(AT_MS, timeZone)).toBe(text);
});

test("the offset is the one of that day: New York in summer and in winter, and on both sides of the change", () => {
  const inNewYork = (...parts: [number, number, number?, number?, number?, number?]) =>
    zonedInstant(Date.UTC(2026, ...parts), "America/New_York");
  expect(inNewYork(6, 1)).toBe("2026-06-30T20:00:00.000-04:00");
  expect(inNewYork(11, 1)).toBe("2026-11-30T19:00:00.000-05:00");
  expect(inNewYork(10, 1, 5, 59, 59, 999)).toBe("2026-11-01T01:59:59.999-04:00");
  expect(inNewYork(10, 1, 6)).toBe("2026-11-01T01:00:00.000-05:00");
});

/** What a POSIX shell hands to the program, argument by argument. */
function shellArguments(command: string, env: Record<string, string> = {}): readonly string[] {
  const script = command.replace(/^curl /, String.raw`printf '%s\0' `);
  return execFileSync("/bin/sh", ["-c", script], { env: { PATH: "/nowhere", ...env }, encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

test("the shell takes any address as one argument and runs nothing of it", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(...Array.from("'\"`$(){}[];&|<>*?!#~\\ \n\r\t%=a/-é🙂")),
    maxLength: 40,
  });
  fc.assert(
    fc.property(hostile, (path) => {
      const command = reproducingCurl("https://h.example", listRequest(`/${path}`));
      const args = shellArguments(command, { GATEWAY_API_KEY: "k" });
      expect(args).toHaveLength(9);
      expect(args[4]).toBe("Authorization: Bearer k");
      expect(args[8]).toBe(`https://h.example/${path.replace(/[ \n\r\t]/g, encodeURIComponent)}`);
    }),
    { numRuns: rounds(6, 60) },
  );
});

const CHAT = {
  method: "POST",
  path: "/v1/chat/completions",
  headers: { authorization: "Bearer {key}", "content-type": "application/json", "x-team": "it's {key}$(id)" },
  body: '{"model":"m-1","messages":[{"role":"user","content":"it\'s $HOME"}]}',
  timeoutMs: 45_500,
  isStreamed: true,
} as const;

test("a generation is sent again by its method, headers, body and time limit, and its events come as they come", () => {
  const command = reproducingCurl("https://h.example", CHAT);
  expect(command).toBe(
    `curl -gsSiN --max-time 46 -X POST -H "Authorization: Bearer $GATEWAY_API_KEY" -H 'Content-Type: application/json' -H 'X-Team: it'\\''s '"$GATEWAY_API_KEY"'$(id)' --data-raw '{"model":"m-1","messages":[{"role":"user","content":"it'\\''s $HOME"}]}' --url 'https://h.example/v1/chat/completions'`,
  );
  const options = ["-gsSiN", "--max-time", "46", "-X", "POST"];
  const headers = ["-H", "Authorization: Bearer a b", "-H", "Content-Type: application/json", "-H"];
  const body = ["X-Team: it's a b$(id)", "--data-raw", CHAT.body];
  const all = [...options, ...headers, ...body, "--url", "https://h.example/v1/chat/completions"];
  expect(shellArguments(command, { GATEWAY_API_KEY: "a b" })).toEqual(all);
});

test("the shell takes any body and any header as one argument, and JSON means the same", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(...Array.from("'\"`$!\\{}; \n\t\u2028\u0085é🙂{key}")),
    maxLength: 30,
  });
  fc.assert(
    fc.property(hostile, fc.nat(3), (text, indent) => {
      const body = JSON.stringify({ text }, null, indent);
      const headers = { "x-text": `{key}${text.replace(/[\n\t\u2028\u0085]/g, "")}` };
      const command = reproducingCurl("https://h.example", { ...CHAT, headers, body });
      expect(command).not.toMatch(/[\n\u2028\u0085]/);
      const args = shellArguments(command, { GATEWAY_API_KEY: "k" });
      expect(JSON.parse(args[8] ?? "")).toEqual({ text });
      expect(args[6]).toBe(`X-Text: ${headers["x-text"].replaceAll("{key}", "k")}`);
      expect(args).toHaveLength(11);
    }),
    { numRuns: rounds(6, 60) },
  );
});

test("a hidden address comes from the environment, whatever that holds", () => {
  const command = reproducingCurl(null, listRequest("/v1/models"));
  const env = { GATEWAY_API_KEY: "a b;c", GATEWAY_BASE_URL: "https://h.example/a b$(c)" };
  const args = shellArguments(command, env);
  expect(args[4]).toBe("Authorization: Bearer a b;c");
  expect(args[8]).toBe("https://h.example/a b$(c)/v1/models");
});
