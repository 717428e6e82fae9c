import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HIDDEN_HOST, createHostHider } from "../../../src/protocol/redaction/hosts.ts";
import { rounds, spread } from "../../extent.ts";

const hide = createHostHider(["API.example.com:8443", "https://gw.internal/base"]);
const H = HIDDEN_HOST;
const THREE = "from ::1, 2001:DB8:0:0:8:800:200C:417A and fe80::1%eth0";

describe("a private endpoint is gone from messages", () => {
  test.each([
    ["lookup api.example.com on 10.0.0.2:53: no such host", `lookup ${H} on ${H}: no such host`],
    ["Could not resolve host: Api.Example.COM", "Could not resolve host: $GATEWAY_HOST"],
    ["api.example.com.:53 and api.example.com:8443.", "$GATEWAY_HOST and $GATEWAY_HOST."],
    ["eu-1.api.example.com, api.example.com.cluster.local", "$GATEWAY_HOST, $GATEWAY_HOST"],
    ["dial tcp gw.internal:443: refused", "dial tcp $GATEWAY_HOST: refused"],
    ["getaddrinfo ENOTFOUND api.example.com", "getaddrinfo ENOTFOUND $GATEWAY_HOST"],
    ['Post "https://api.example.com:8443/v1/chat": EOF', 'Post "https://$GATEWAY_HOST/v1/chat": EOF'],
    ["https%3A%2F%2Fapi.example.com%2Fv1", "https%3A%2F%2F$GATEWAY_HOST%2Fv1"],
    ['{"m":"\\napi.example.com"}', `{"m":"\\n${H}"}`],
    ['{"u":"https:\\/\\/gw.internal\\/v1"}', `{"u":"https:\\/\\/${H}\\/v1"}`],
    ["api.example.com/93.184.216.34:443", "$GATEWAY_HOST/$GATEWAY_HOST"],
    ["connect ECONNREFUSED 127.0.0.1:8787", "connect ECONNREFUSED $GATEWAY_HOST"],
    ["range 10.0.0.1-10.0.0.5.", "range $GATEWAY_HOST-$GATEWAY_HOST."],
    ["dial tcp [2001:db8::2]:443: i/o timeout", "dial tcp $GATEWAY_HOST: i/o timeout"],
    [THREE, `from ${H}, ${H} and ${H}`],
    ["listen on [::]:80 or ::ffff:10.0.0.1", "listen on $GATEWAY_HOST or $GATEWAY_HOST"],
  ])("%s", (text, expected) => {
    expect(hide(text)).toBe(expected);
    expect(hide(expected)).toBe(expected);
  });
});

describe("the query and the fragment of every URL are gone", () => {
  test.each([
    ["https://other.example/v1?a=1&b=2#c failed", "https://other.example/v1 failed"],
    [
      "at https://d.example/y?z=1, (https://a.example/b#c).",
      "at https://d.example/y, (https://a.example/b).",
    ],
    ["GET /v1/models?limit=5 HTTP/1.1", "GET /v1/models HTTP/1.1"],
    ['{"u":"https:\\/\\/a.example\\/v1?x=1\\u0026y=2","z":1}', '{"u":"https:\\/\\/a.example\\/v1","z":1}'],
    ["https://a.example/?next=api.example.com&at=10.0.0.1 x", "https://a.example/ x"],
    ["https://api.example.com?x=1", "https://$GATEWAY_HOST"],
    ["https%3A%2F%2Fa.example%2Fv1%3Fa%3Db", "https%3A%2F%2Fa.example%2Fv1"],
  ])("%s", (text, expected) => {
    expect(hide(text)).toBe(expected);
    expect(hide(expected)).toBe(expected);
  });
});

describe("what is no address stays", () => {
  test.each([
    "version 1.2.3 of v1.2.3.4, 1.2.3.4.5 and 120.0.6099.109",
    "at 12:34:56 or 2026-11-20T12:34:56.123Z, 01:02:03:04:05:06",
    "std::string in core::fmt and a::b::c, Foo::Bar, code: 10:20",
    "is it down? yes=1. and/or? what",
    "gpt-4.1.1.2 is no model, key abc:def:123",
    "05997465cd2ee4bd50b24b216c911b75",
    "error 0x80070005, 2026-11-20-10 and call 555-12-34-56",
    "claude-3-5-sonnet-20241022 and qwen2.5-7-1-2",
  ])("%s", (text) => expect(hide(text)).toBe(text));
});

test("no host, address or query survives in any escape, anywhere", () => {
  const encodings = fc.constantFrom<(text: string) => string>(
    (text) => text,
    encodeURIComponent,
    (text) => JSON.stringify(text),
    (text) => JSON.stringify(JSON.stringify(text)),
    (text) => text.replaceAll("/", "\\/"),
    (text) => text.toUpperCase(),
  );
  const place = fc.constantFrom<(host: string) => string>(
    (host) => `lookup ${host}: no such host`,
    (host) => `https://${host}/v1/models?secret=1`,
    (host) => host,
    (host) => `line\n${host}:8080\nend`,
    (host) => `"${host}"`,
    (host) => `(${host}),`,
  );
  const host = fc.oneof(
    fc.constant("api.example.com"),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  );
  fc.assert(
    fc.property(host, place, encodings, (name, put, encode) => {
      const left = hide(encode(put(name))).toLowerCase();
      expect(left).not.toContain(name.replaceAll(/[[\]]/g, "").toLowerCase());
      expect(left).not.toContain("secret");
      expect(left).toContain(HIDDEN_HOST.toLowerCase());
    }),
    { numRuns: rounds(150, 2000) },
  );
});

test("hiding twice changes nothing", () => {
  const parts = [
    ...'./:?#[] "\\&x1'.split(""),
    "api.example.com",
    "://",
    "a=1",
    "10.0.0.1",
    "::1",
    "%2F",
    HIDDEN_HOST,
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 20 }), (pieces) => {
      const once = hide(pieces.join(""));
      expect(hide(once)).toBe(once);
    }),
    { numRuns: rounds(200, 3000) },
  );
});

const PIECES = (
  "a|://|?|/?a=|1.|1.1.1.1 |:|::|1:|f|#|api.example.com |api.example.com.|%2F|\\|1-|0x1.|//0x0a.|" +
  "1.1.|a?|[.]| . |api.|my-api.example.com-|?a=["
).split("|");

test.each(spread(PIECES, 8))("hostile text of 1 MB ends: %j", (piece) => {
  expect(hide(piece.repeat(Math.ceil(2 ** 20 / piece.length)))).not.toContain("api.example.com");
});
