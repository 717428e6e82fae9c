import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import { type ModelsProbeDeps, runModelsProbe } from "../../src/probe/models-probe.ts";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { handClock } from "./hand-clock.ts";
import { serveHttp } from "./small-server.ts";
import { rounds } from "../extent.ts";

/** One attempt's outcome as it would be stored. */
async function stored(baseUrl: string, apiKey: string, over: Partial<ModelsProbeDeps> = {}): Promise<string> {
  const probed = await runModelsProbe(
    { baseUrl, apiKey, secretName: "ACME_API_KEY", expect: [], watched: [], slowerThanMs: null },
    {
      fetch,
      clock: handClock(),
      random: () => 0,
      readFailure: readThrown,
      leave: { ...ALWAYS, mayRepeat: () => false },
      ...over,
    },
  );
  return JSON.stringify(probed);
}

function status(code: number, headers: Record<string, string>, body: string): RequestListener {
  return (_request, response) => void response.writeHead(code, headers).end(body);
}

test("a second redactor is applied to all that leaves", async () => {
  const body = JSON.stringify({ error: { message: "backend db7 is down", code: "db7", type: "db7" } });
  const url = await serveHttp(status(500, { "x-request-id": "db7", "retry-after": "db7" }, body));
  const redact = (text: string): string => text.replaceAll("db7", "***");
  expect(await stored(url, "sk-test-0123456789abcdef", { redact })).not.toContain("db7");
});

/** Every place in which a gateway could echo the key, whole, in part, or in another writing. */
function echo(key: string): RequestListener {
  const forms = [
    key,
    key.slice(2),
    encodeURIComponent(key),
    Buffer.from(key).toString("base64"),
    Buffer.from(key).toString("hex"),
    key.toUpperCase(),
  ].join(" ");
  const error = { message: forms, type: key, code: key, request_id: key };
  return status(
    429,
    { "x-request-id": key, "retry-after": key, server: key, location: `https://h.example/?k=${key}` },
    JSON.stringify({ error, message: forms, request_id: key, code: key }),
  );
}

test("a random key that the gateway echoes in every place and writing is nowhere in the outcome", async () => {
  let key = "";
  const url = await serveHttp((request, response) => echo(key)(request, response));
  const keys = fc.stringMatching(/^[A-Za-z0-9_.~-]{16,64}$/);
  await fc.assert(
    fc.asyncProperty(keys, async (random) => {
      key = random;
      const text = await stored(url, key);
      for (let start = 0; start + 12 <= key.length; start += 1) {
        expect(text).not.toContain(key.slice(start, start + 12));
      }
      expect(text).not.toContain(Buffer.from(key).toString("base64").slice(0, 16));
      expect(text).not.toContain(Buffer.from(key).toString("hex").slice(0, 24));
    }),
    { numRuns: rounds(10, 60) },
  );
});
