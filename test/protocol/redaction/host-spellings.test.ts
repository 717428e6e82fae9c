import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHostHider } from "../../../src/protocol/redaction/hosts.ts";

const secret = createHostHider(["api.acme-secret.example"]);
const HOST = "api.acme-secret.example";
const localhost = createHostHider(["localhost"]);

describe("a host is hidden however it is glued or spelled", () => {
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
  ])("%s", (text, expected) => {
    expect(secret(text)).toBe(expected);
    expect(secret(expected)).toBe(expected);
  });
});

describe("an address is hidden however it is glued or spelled", () => {
  test.each([
    ["srv-10.1.2.3 and node_10.1.2.3", "srv-$GATEWAY_HOST and node_$GATEWAY_HOST"],
    ["host10.1.2.3:80, v10.1.2.3 and 192.168.1.7ms", "host$GATEWAY_HOST, v$GATEWAY_HOST and $GATEWAY_HOSTms"],
    ["ip-10-1-2-3.ec2.internal", "ip-$GATEWAY_HOST.ec2.internal"],
    ["srv-93.184.216.34", "srv-$GATEWAY_HOST"],
    ["node_8.8.4.4", "node_$GATEWAY_HOST"],
    ["１０.1．2.\u200b3", "$GATEWAY_HOST"],
  ])("%s", (text, expected) => {
    expect(secret(text)).toBe(expected);
    expect(secret(expected)).toBe(expected);
  });
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
