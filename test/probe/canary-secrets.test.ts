import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { errand, probeCanary, type Written } from "./probing.ts";
import { status } from "./serve-in-turn.ts";
import { serveHttp } from "./small-server.ts";
import { rounds } from "../extent.ts";

const SSE = { "content-type": "text/event-stream" };
const word = (key: string) =>
  `data: ${JSON.stringify({ id: key, choices: [{ delta: { content: key } }] })}\n\n`;

/** Every place of an answer in which a gateway could echo the key. */
const ECHOES: Readonly<Record<string, (key: string) => RequestListener>> = {
  "a stream's text, error and id": (key) =>
    status(
      200,
      `${word(key)}data: ${JSON.stringify({ error: { message: key, code: key, type: key } })}\n\n`,
      SSE,
    ),
  "a stream that is cut": (key) => status(200, `${word(key)}data: ${key}`, SSE),
  "a stream that is none": (key) => status(200, key, { ...SSE, "x-request-id": key }),
  "a task's id and state": (key) =>
    status(200, JSON.stringify({ id: key, status: key }), { "x-request-id": key }),
  "an id with the key in it": (key) =>
    status(200, JSON.stringify({ id: `task-${key}-1`, status: "queued", message: key })),
  "a task's failure": (key) =>
    status(200, JSON.stringify({ id: key, status: "failed", error: { message: key, code: key } })),
  "a console's envelope": (key) =>
    status(200, JSON.stringify({ code: key, message: key, data: { quota: key }, request_id: key })),
  "a refusal": (key) => status(429, JSON.stringify({ error: { message: key } }), { "retry-after": key }),
};

const WRITTEN: readonly Written[] = [
  { kind: "chat", model: "m", stream: true },
  { kind: "messages", model: "m", stream: true },
  { kind: "chat", model: "m" },
  { kind: "image", model: "m" },
  { kind: "video", model: "m" },
  { kind: "console", warnBelow: 5 },
];

test.each(Object.entries(ECHOES))("a random key in %s is nowhere in what is found", async (_where, echo) => {
  let key = "";
  const url = await serveHttp((request, response) => echo(key)(request, response));
  const keys = fc.stringMatching(/^[A-Za-z0-9_~-]{16,48}$/);
  await fc.assert(
    fc.asyncProperty(keys, fc.constantFrom(...WRITTEN), fc.boolean(), async (random, written, isQuestion) => {
      key = random;
      const creates = written["kind"] === "video" || written["kind"] === "image";
      const task = { id: "t", createdAtMs: 0, deadlineMs: 2_000_000 };
      const probed = await probeCanary(written, url, {
        errand: errand(isQuestion && creates ? task : null),
        target: { apiKey: random },
      });
      const text = JSON.stringify(probed);
      for (let start = 0; start + 12 <= key.length; start += 1) {
        expect(text).not.toContain(key.slice(start, start + 12));
      }
    }),
    { numRuns: rounds(5, 40) },
  );
});
