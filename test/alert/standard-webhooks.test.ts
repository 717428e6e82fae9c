import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signatureHeaders, signingKeyOf } from "../../src/alert/channels/webhook.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NEW_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const NOW_MS = 1_614_265_330_999;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function sign(body: string, ...secrets: readonly string[]) {
  const keys = secrets.map((secret) => signingKeyOf(secret)!);
  return await signatureHeaders({ id: ID, nowMs: NOW_MS, body }, keys);
}

test("the headers are the three of the standard, with the signature that its own library computes", async () => {
  const headers = await sign('{"test": 2432232314}', SECRET);
  expect(headers).toEqual({
    "webhook-id": ID,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("while a secret is rotated, whoever has either of them can verify", async () => {
  const headers = await sign('{"a":"ü"}', NEW_SECRET, SECRET);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  expect(new Webhook(SECRET).verify('{"a":"ü"}', headers)).toEqual({ a: "ü" });
  expect(new Webhook(NEW_SECRET).verify('{"a":"ü"}', headers)).toEqual({ a: "ü" });
});

test("another secret, body, id or time is not verified", async () => {
  const body = '{"a":1}';
  const headers = await sign(body, SECRET);
  expect(() => new Webhook(NEW_SECRET).verify(body, headers)).toThrow("No matching signature");
  expect(() => new Webhook(SECRET).verify('{"a":2}', headers)).toThrow("No matching signature");
  const otherId = { ...headers, "webhook-id": "msg_2" };
  expect(() => new Webhook(SECRET).verify(body, otherId)).toThrow("No matching signature");
  const otherTime = { ...headers, "webhook-timestamp": "1614265331" };
  expect(() => new Webhook(SECRET).verify(body, otherTime)).toThrow("No matching signature");
});

test("the package verifies whatever was signed, with keys of any allowed length", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.json(), async (bytes, body) => {
      const secret = `whsec_${Buffer.from(bytes).toString("base64")}`;
      expect(new Webhook(secret).verify(body, await sign(body, secret))).toEqual(JSON.parse(body));
    }),
  );
});

describe("signing secrets", () => {
  const encoded = (length: number) => Buffer.alloc(length, 7).toString("base64");

  test.each([24, 25, 26, 63, 64])("%i bytes are a key", (length) => {
    expect(signingKeyOf(`whsec_${encoded(length)}`)).toEqual(new Uint8Array(length).fill(7));
  });

  test.each([
    ["nothing", ""],
    ["no prefix", encoded(24)],
    ["the prefix alone", "whsec_"],
    ["23 bytes", `whsec_${encoded(23)}`],
    ["65 bytes", `whsec_${encoded(65)}`],
    ["no padding", `whsec_${encoded(25).replaceAll("=", "")}`],
    ["the alphabet of URLs", `whsec_${"-_".repeat(16)}`],
    ["a space", `whsec_ ${encoded(24)}`],
    ["the asymmetric kind", `whsk_${encoded(64)}`],
  ])("%s is none", (_, secret) => {
    expect(signingKeyOf(secret)).toBeNull();
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        signingKeyOf(text);
        expect(signingKeyOf(`whsec_${text}`)?.length ?? 24).toBeGreaterThanOrEqual(24);
      }),
    );
  });
});
