import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { deps, probed, target } from "./models-play.ts";
import { status } from "./serve-in-turn.ts";
import { serveHttp } from "./small-server.ts";
import { rounds } from "../extent.ts";

/** One attempt's outcome as it would be stored. */
async function stored(baseUrl: string, apiKey: string): Promise<string> {
  const leave = { ...ALWAYS, mayRepeat: () => false };
  return JSON.stringify(await probed(target(baseUrl, { apiKey }), deps({ leave })));
}

/** Every place in which a gateway could echo the key, whole, in part, or in another writing. */
function echo(key: string): RequestListener {
  const bytes = Buffer.from(key);
  const encoded = [
    encodeURIComponent(key),
    bytes.toString("base64"),
    bytes.toString("hex"),
    key.toUpperCase(),
  ];
  const forms = [key, key.slice(2), ...encoded].join(" ");
  const error = { message: forms, type: key, code: key, request_id: key };
  const headers = {
    "x-request-id": key,
    "retry-after": key,
    server: key,
    location: `https://h.example/?k=${key}`,
  };
  return status(429, JSON.stringify({ error, message: forms, request_id: key, code: key }), headers);
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
