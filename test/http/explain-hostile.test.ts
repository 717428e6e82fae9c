/** Whatever is handed over: no secret of it comes back, its markup is inert, and nothing of it breaks an answer. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { ask, BROWSER, post, postForm, postJson } from "./explain-asking.ts";
import { readHtml } from "./html.ts";

/** By their shapes, each with a part that nothing else has. */
const SECRETS = {
  "a bare key": "sk-Zk3vT9qLw8XbN2mR7cYd5HfJ1gPs6AeUZk3vT9qLw8XbN2m",
  "a user and a password": "https://reader:Zk3vT9qLw8XbN2mR7@gateway.example/v1",
} as const;
const PART = "Zk3vT9";

/** Whether a part of the secret is in a header or in the body. */
async function leaks(answer: Response): Promise<boolean> {
  const told = JSON.stringify([...answer.headers]) + (await answer.text());
  return told.includes(PART);
}

describe.each(Object.entries(SECRETS))("%s", (_, secret) => {
  const error = JSON.stringify({ error: { message: `Refused: ${secret}`, code: "invalid_api_key" } });
  const http = `HTTP/1.1 401 Unauthorized\nx-request-id: req_1\nwww-authenticate: Bearer ${secret}\n\n${error}`;
  const named = { authorization: `Bearer ${secret}`, "x-request-id": secret };
  const saved = { status: 401, headers: { ...named, "set-cookie": [`session=${secret}`] }, body: error };

  test.each([
    ["the body of an answer", saved],
    ["a text", { text: error }],
    ["a text with headers", { text: http }],
    ["words alone", { text: `Error: ${secret}` }],
    ["a kind", { ...saved, kind: secret }],
    ["the kind of a text", { text: "x", kind: secret }],
    ["a status", { status: secret }],
    ["the name of a header", { status: 401, headers: { [secret]: 7 } }],
    ["the name of a member", { [secret]: 1 }],
    ["a member too many", { ...saved, [secret]: secret }],
  ])("does not come back from the API, where it stood in %s", async (_where, body) => {
    expect(await leaks(await postJson(body))).toBe(false);
    expect(await leaks(await post("text/plain", JSON.stringify(body)))).toBe(false);
  });

  test("nor where what was sent is refused", async () => {
    for (const answer of [
      await post("application/json", `{"status":401,"body":"${secret}`),
      await post("text/plain", error, `?kind=${encodeURIComponent(secret)}`),
      await post(`text/${secret.replaceAll(/[^\w-]/gu, "")}`, error),
      await ask("/api/v1/explain", { method: "PUT", headers: { "x-key": secret }, body: secret }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await leaks(answer)).toBe(false);
    }
  });

  test("nor from the page, in either language", async () => {
    for (const query of ["", "?lang=zh"]) {
      const texts = [error, http, JSON.stringify(saved), `Error: ${secret}`];
      const asked = texts.map((text) => [{ text, kind: "chat" }, 200] as const);
      for (const [fields, status] of [...asked, [{ text: error, kind: secret }, 400] as const]) {
        const answer = await postForm(fields, query);
        expect(answer.status).toBe(status);
        expect(await leaks(answer)).toBe(false);
      }
    }
  });
});

const MARKUP = [
  "</textarea><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "<!--",
  "]]>",
  "</pre></main></html>",
  "&lt;b&gt;&amp;#60;",
  "`` ` ``` \n# A heading\n[a](javascript:alert(1))",
];

test("markup is text, wherever it stands", async () => {
  const plain = readHtml(await (await postForm({ text: savedWith("plain") })).text()).tags;
  for (const markup of MARKUP) {
    const html = await (await postForm({ text: savedWith(markup) })).text();
    expect(readHtml(html).tags).toEqual(plain);
    const alone = await (await postForm({ text: markup })).text();
    expect(alone).not.toMatch(/<script|<img|onerror=(?!alert)/u);
    expect(() => readHtml(alone)).not.toThrow();
  }
});

function savedWith(text: string): string {
  const error = { message: `It says ${text}`, type: text, code: text };
  const headers = { "x-request-id": "req_1" };
  return JSON.stringify({ status: 500, headers, body: JSON.stringify({ error }) });
}

const PAIRLESS = ["\ud800", "x\udc00\ud800y"];
const ODD = ["\0", "a\0b", "\u202e\u2066", "\ufeff", "\u0085\u2028", "\x1b[31mred", "\r\r\n", ...PAIRLESS];

test("bytes that are no UTF-8 are read as well as may be as text, and refused as JSON", async () => {
  const bytes = new Uint8Array([...Buffer.from('{"error":{"message":"'), 0xff, 0xc3, ...Buffer.from('("}}')]);
  expect((await post("text/plain", bytes)).status).toBe(200);
  expect((await post("application/json", bytes)).status).toBe(400);
  const form = new TextEncoder().encode("text=%ff%c3%28&kind=");
  const headers = { ...BROWSER, "content-type": "application/x-www-form-urlencoded" };
  expect((await ask("/explain", { method: "POST", headers, body: form })).status).toBe(200);
});

const OF_HTTP = ["HTTP/1.1 ", "200 ", "\r\n", "\n", "data: ", "{", "}", '"', ":", "a", "<", "&"];
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.json(),
  fc.constantFrom(...MARKUP, ...ODD),
  fc.string({ unit: fc.constantFrom(...OF_HTTP), maxLength: 60 }),
);

test("whatever is pasted has an answer as it is described, and a page that is whole", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const api = await post("text/plain", text);
      expect([200, 400]).toContain(api.status);
      const page = await postForm({ text });
      expect([200, 400]).toContain(page.status);
      const html = await page.text();
      expect(html).not.toMatch(/[^\P{Cc}\t\n]/u);
      readHtml(html);
    }),
    { numRuns: rounds(25, 200) },
  );
});

test("any answer is explained or refused", async () => {
  const saved = fc.record(
    {
      status: fc.oneof(fc.integer({ min: 90, max: 1000 }), fc.anything()),
      headers: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.anything()),
      body: fc.oneof(anyText, fc.anything()),
      kind: fc.anything(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(saved, async (body) => {
      const plain = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
      const text = JSON.stringify(body, plain);
      expect([200, 400]).toContain((await post("application/json", text)).status);
    }),
    { numRuns: rounds(25, 200) },
  );
});
