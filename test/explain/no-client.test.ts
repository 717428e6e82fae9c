/** What curl, a browser and Node's sockets print of a failure when no client of a provider is around them. */
import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import { explained, NO_MONEY } from "./pasted-text.ts";

const METER =
  "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n" +
  "                                 Dload  Upload   Total   Spent    Left  Speed\n" +
  "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0";
const DONE = "\r100   105  100   105    0     0  93666      0 --:--:-- --:--:-- --:--:--  102k\n";

describe("curl's meter", () => {
  test("before curl's own complaint leaves it a complaint", () => {
    const { diagnosis } = explained(`${METER}curl: (6) Could not resolve host: api.acme.example\n`);
    const expected = { cause: "dns_failure", message: "Could not resolve host: api.acme.example" };
    expect(diagnosis).toMatchObject(expected);
  });

  test("before a body is no part of it", () => {
    const { diagnosis, takenFor } = explained(METER + DONE + NO_MONEY);
    expect(takenFor.form).toBe("json");
    expect(diagnosis).toMatchObject({ cause: "insufficient_balance", message: "no money" });
  });

  test("before an answer with its headers is no part of it", () => {
    const { diagnosis } = explained(
      `${METER}${DONE}HTTP/1.1 402 Payment Required\r\nX-Request-Id: req_1\r\n\r\n${NO_MONEY}`,
    );
    expect(diagnosis).toMatchObject({ cause: "insufficient_balance", httpStatus: 402, requestId: "req_1" });
  });
});

const BROKEN: readonly (readonly [string, Cause])[] = [
  ["TypeError: Failed to fetch", "network_error"],
  ["Uncaught (in promise) TypeError: Failed to fetch", "network_error"],
  ["TypeError: Failed to fetch\n    at ask (https://app.example/ask.js:3:9)", "network_error"],
  ["TypeError: NetworkError when attempting to fetch resource.", "network_error"],
  ["TypeError: Load failed", "network_error"],
  ["POST https://api.acme.example/v1/chat/completions net::ERR_CONNECTION_REFUSED", "connection_failed"],
  ["GET https://api.acme.example/v1/models net::ERR_CERT_DATE_INVALID", "tls_failure"],
  ["net::ERR_NAME_NOT_RESOLVED", "dns_failure"],
  ["Error: connect ECONNREFUSED 127.0.0.1:3000", "connection_failed"],
  ["connect ETIMEDOUT 192.0.2.4:443", "timeout"],
  ["Error: getaddrinfo ENOTFOUND api.acme.example", "dns_failure"],
];

test.each(BROKEN)("%j is a failure of the network, and is not sent again", (text, cause) => {
  const { diagnosis } = explained(text);
  expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
});

test.each(["Failed to fetch models from the provider", "It has failed to fetch"])(
  "%j is a sentence of a service, and no failure of the network",
  (text) => {
    expect(explained(text).takenFor.form).toBe("text");
  },
);
