import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HIDDEN_HOST, createHostHider } from "../../../src/protocol/redaction/hosts.ts";
import { rounds, spread } from "../../extent.ts";

const hide = createHostHider(["API.example.com:8443", "https://gw.internal/base"]);
const H = HIDDEN_HOST;
const THREE = "from ::1, 2001:DB8:0:0:8:800:200C:417A and fe80::1%eth0";

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
  ["https://other.example/v1?a=1&b=2#c failed", "https://other.example/v1 failed"],
  ["at https://d.example/y?z=1, (https://a.example/b#c).", "at https://d.example/y, (https://a.example/b)."],
  ["GET /v1/models?limit=5 HTTP/1.1", "GET /v1/models HTTP/1.1"],
  ['{"u":"https:\\/\\/a.example\\/v1?x=1\\u0026y=2","z":1}', '{"u":"https:\\/\\/a.example\\/v1","z":1}'],
  ["https://a.example/?next=api.example.com&at=10.0.0.1 x", "https://a.example/ x"],
  ["https://api.example.com?x=1", "https://$GATEWAY_HOST"],
  ["https%3A%2F%2Fa.example%2Fv1%3Fa%3Db", "https%3A%2F%2Fa.example%2Fv1"],
])("a private endpoint, and every query and fragment, is gone from %s", (text, expected) => {
  expect(hide(text)).toBe(expected);
  expect(hide(expected)).toBe(expected);
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

const secret = createHostHider(["api.acme-secret.example"]);
const HOST = "api.acme-secret.example";
const localhost = createHostHider(["localhost"]);

test.each([
  [`error_${HOST} failed`, "error_$GATEWAY_HOST failed"],
  [`${HOST}_error`, "$GATEWAY_HOST_error"],
  [`-${HOST}`, "-$GATEWAY_HOST"],
  [`xapi.acme-secret.example, my-${HOST}, ${HOST}.com`, "$GATEWAY_HOST, $GATEWAY_HOST, $GATEWAY_HOST"],
  ["api\u200b.acme-sec\u00adret.example", "$GATEWAY_HOST"],
  ["api\u3002acme-secret\uff0eexample", "$GATEWAY_HOST"],
  ["ａｐｉ.acme-secret.example", "$GATEWAY_HOST"],
  ["api&#46;acme-secret&#x2e;example", "$GATEWAY_HOST"],
  ["https%3A%2F%2Fmy-api.acme-secret.example", "https%3A%2F%2F$GATEWAY_HOST"],
  ["x aHR0cHM6Ly9hcGkuYWNtZS1zZWNyZXQuZXhhbXBsZQ== y", "x aHR0cHM6Ly$GATEWAY_HOST== y"],
  ["srv-10.1.2.3 and node_10.1.2.3", "srv-$GATEWAY_HOST and node_$GATEWAY_HOST"],
  ["host10.1.2.3:80, v10.1.2.3 and 192.168.1.7ms", "host$GATEWAY_HOST, v$GATEWAY_HOST and $GATEWAY_HOSTms"],
  ["ip-10-1-2-3.ec2.internal", "ip-$GATEWAY_HOST.ec2.internal"],
  ["srv-93.184.216.34", "srv-$GATEWAY_HOST"],
  ["node_8.8.4.4", "node_$GATEWAY_HOST"],
  ["１０.1．2.\u200b3", "$GATEWAY_HOST"],
])("a host or an address is hidden however it is glued or spelled: %s", (text, expected) => {
  expect(secret(text)).toBe(expected);
  expect(secret(expected)).toBe(expected);
});

describe("a host of one label", () => {
  const gateway = createHostHider(["http://gateway:8080"]);

  test.each([
    ["lookup gateway on 127.0.0.11:53", "lookup $GATEWAY_HOST on $GATEWAY_HOST"],
    ["dial tcp gateway: refused", "dial tcp $GATEWAY_HOST: refused"],
    ["getaddrinfo ENOTFOUND gateway", "getaddrinfo ENOTFOUND $GATEWAY_HOST"],
    ["Could not resolve host: gateway", "Could not resolve host: $GATEWAY_HOST"],
    ["http://gateway/v1 gateway:8080 me@gateway", "http://$GATEWAY_HOST/v1 $GATEWAY_HOST me@$GATEWAY_HOST"],
    ['host="gateway", upstream: gateway', 'host="$GATEWAY_HOST", upstream: $GATEWAY_HOST'],
    ["cannot connect to gateway", "cannot connect to $GATEWAY_HOST"],
    ["连接 gateway 失败", "连接 $GATEWAY_HOST 失败"],
    ["gateway.svc.cluster.local", "$GATEWAY_HOST"],
    ["gateway", "$GATEWAY_HOST"],
  ])("is hidden where a host stands: %s", (text, expected) => {
    expect(gateway(text)).toBe(expected);
    expect(gateway(expected)).toBe(expected);
  });

  test.each([
    "The gateway could not reach the model",
    "502 Bad Gateway",
    "bad_gateway and GATEWAY_TIMEOUT",
    "AI Gateway requires a card. Ask the gateway, or the gateway's owner.",
    "gateways, my gateway: down",
  ])("stays where it is a word: %s", (text) => expect(gateway(text)).toBe(text));

  test("is hidden everywhere when it is no word, or a part of the marker", () => {
    const hidden = "upstream_$GATEWAY_HOST failed, $GATEWAY_HOST too";
    expect(localhost("upstream_localhost failed, localhost too")).toBe(hidden);
    expect(createHostHider(["gw1"])("gw1, so error_gw1")).toBe("$GATEWAY_HOST, so error_$GATEWAY_HOST");
    const host = createHostHider(["gateway_host"]);
    for (const text of ["gateway_host failed", "$GATEWAY_HOST failed"])
      expect(host(text)).toBe("$GATEWAY_HOST failed");
  });
});

describe("the beginning of a host at the end of a text", () => {
  test.each([
    ["see https://api.acme-secret.exampl", "see https://$GATEWAY_HOST"],
    ["lookup api.ac", "lookup $GATEWAY_HOST"],
    ["lookup api.acme-secr…", "lookup $GATEWAY_HOST"],
    ["https%3A%2F%2Fapi.acme-secret%2", "https%3A%2F%2F$GATEWAY_HOST"],
    ["see https://api", "see https://$GATEWAY_HOST"],
  ])("is hidden where it can be nothing else: %s", (text, expected) => expect(secret(text)).toBe(expected));

  test.each([
    ["connect to localh", "connect to $GATEWAY_HOST"],
    ["this is loc", "this is loc"],
    ["dial tcp 192.168.10", "dial tcp $GATEWAY_HOST"],
    ["dial tcp 10.1.", "dial tcp $GATEWAY_HOST"],
    ["dial tcp [fd00:1:2", "dial tcp $GATEWAY_HOST"],
    ["took 12.5", "took 12.5"],
    ["at 12:34:5", "at 12:34:5"],
  ])("or of an address is hidden in any place when the text was cut: %s", (text, expected) => {
    expect(localhost(text, true)).toBe(expected);
  });

  test("is hidden in a text that was not cut where it can be nothing else", () => {
    expect(localhost("http://localhos")).toBe("http://$GATEWAY_HOST");
    expect(localhost("this is local")).toBe("this is local");
    expect(secret("version 1.2.3")).toBe("version 1.2.3");
  });

  test("no beginning of four characters or more is left, wherever the cut falls", () => {
    const before = fc.stringMatching(/^[a-z ]{0,30}[ /@_:"(-]$/);
    fc.assert(
      fc.property(before, fc.integer({ min: 4, max: HOST.length }), (text, length) => {
        expect(secret(text + HOST.slice(0, length), true).endsWith("$GATEWAY_HOST")).toBe(true);
      }),
    );
  });
});

describe("queries without a whole URL are gone", () => {
  test.each([
    ["see /a?tok3n", "see /a"],
    ["cdn.example?code=tok3n", "cdn.example"],
    ["GET /a;x?y&code=tok3n", "GET /a;x"],
    ["https://c.example/a b?x=tok3n", "https://c.example/a b"],
    ["https://c.example/a?q=one{tok3n} end", "https://c.example/a end"],
    ["https://c.example/a?x=1|tok3n", "https://c.example/a"],
    ["https://c.example/a\\?sig=tok3n", "https://c.example/a\\"],
    ["mailto:a?subject=tok3n", "mailto:a"],
    ["(see https://c.example/a?k=[redacted])", "(see https://c.example/a)"],
    ["{u: https://c.example?b=1}", "{u: https://c.example}"],
  ])("%s", (text, expected) => {
    expect(secret(text)).toBe(expected);
    expect(secret(expected)).toBe(expected);
  });

  test.each(["what? no", "Is it down?", "and/or? what", "really?! yes", "为什么?请重试"])(
    "a question stays: %s",
    (text) => {
      expect(secret(text)).toBe(text);
    },
  );
});
