import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeBaseUrl, judgePublicUrl } from "../../src/config/base-url.ts";
import { words } from "./parsed.ts";

function judge(text: string, insecureHttp = false): string {
  const judged = judgeBaseUrl(text, { insecureHttp });
  return judged.ok ? judged.baseUrl : judged.faults.map(({ problem }) => problem).join("; ");
}

test.each([
  ["https://api.example.com", "https://api.example.com"],
  ["https://api.example.com//", "https://api.example.com"],
  ["HTTPS://API.Example.com:443/Proxy/", "https://api.example.com/Proxy"],
  ["https://api.example.com/v1beta", "https://api.example.com/v1beta"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["https://api.example.com/a@b", "https://api.example.com/a@b"],
])("%s is taken as %s", (text, baseUrl) => {
  expect(judge(text)).toBe(baseUrl);
});

test.each([
  [
    "contains /v1, which every path already has",
    "https://api.example.com/V1/ https://api.example.com/proxy/v1/models https://api.example.com/a/../v1",
  ],
  ["contains user info", "https://user:pass@api.example.com https://user@api.example.com"],
  ["has a query", "https://api.example.com?key=1"],
  ["has a fragment", "https://api.example.com/#a"],
  [
    "is neither https nor http",
    "ftp://api.example.com javascript://api.example.com/%0aalert(1) wss://api.example.com",
  ],
  ["is not a web address", "api.example.com localhost:8080 https:// https:///path https:api.example.com"],
  [
    "is not a web address",
    `https:\\\\api.example.com https://api.example.com:99999 https://api.example.com/${"a".repeat(2_000)}`,
  ],
])("%s: each of %s", (problem, texts) => {
  for (const text of words(texts)) expect([text, judge(text)]).toEqual([text, problem]);
});

test.each(
  words(`
  http://localhost:8080 http://gateway.localhost http://127.0.0.1 http://127.9.9.9 http://2130706433
  http://[::1]:8080 http://10.1.2.3 http://172.16.0.1 http://172.31.255.255 http://192.168.1.1
  http://169.254.1.1 http://100.64.0.1 http://[fd00::1] http://[fe80::1]
  http://gateway.internal http://printer.local http://one-api:3000
`),
)("plain http to %s stays on this machine or a private network", (text) => {
  expect(judgeBaseUrl(text, { insecureHttp: false }).ok).toBe(true);
});

test.each(
  words(`
  http://api.example.com http://8.8.8.8 http://172.15.0.1 http://172.32.0.1 http://192.169.0.1
  http://100.63.0.1 http://100.128.0.1 http://[2001:db8::1]
  http://10.0.0.1.example.com http://localhost.example.com http://0.0.0.0
`),
)("plain http to %s is refused unless it is allowed", (text) => {
  expect(judge(text)).toContain("unencrypted");
  expect(judgeBaseUrl(text, { insecureHttp: true }).ok).toBe(true);
});

test("what is taken has no trailing slash and no /v1, and is taken again unchanged", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const judged = judgeBaseUrl(text, { insecureHttp: true });
      if (!judged.ok) return;
      expect(judged.baseUrl).not.toMatch(/\/$|[?#]|\/v1(?:\/|$)/i);
      expect(judge(judged.baseUrl, true)).toBe(judged.baseUrl);
    }),
  );
});

test("the page's own address may be plain http and hold a /v1", () => {
  const taken = { ok: true, baseUrl: "http://status.example.com/v1" };
  expect(judgePublicUrl("http://status.example.com/v1/")).toEqual(taken);
  expect(judgePublicUrl("status.acme.example")).toEqual({
    ok: false,
    faults: [{ problem: "is not a web address", fix: "write it like https://status.example.com" }],
  });
});
