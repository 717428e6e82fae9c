import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";

/** An error as Node's own fetch throws it: the code is on the cause. */
function failed(code: string, message = "words", name = "Error"): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code, name }) });
}

test.each([
  ["dns", "ENOTFOUND EAI_AGAIN"],
  [
    "connect",
    "ECONNREFUSED ECONNRESET EPIPE EHOSTUNREACH ENETUNREACH UND_ERR_SOCKET UND_ERR_HEADERS_OVERFLOW",
  ],
  ["connect", "HPE_INVALID_CONSTANT Z_DATA_ERROR"],
  ["timeout", "ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT"],
  ["tls", "CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ["tls", "ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER EPROTO"],
  ["unknown", "EUNHEARD"],
])("of the stage %s are %s", (stage, codes) => {
  for (const code of codes.split(" ")) {
    const expected = { type: "network", stage, detail: "words" };
    expect(readThrown(failed(code), null), code).toEqual(expected);
  }
});

const coded = (code: string, message: string, error: Error = new Error()) =>
  Object.assign(error, { code, message });
const REFUSED = coded("ECONNREFUSED", "connect ECONNREFUSED ::1:9");
const ROUND = new Error("round");
ROUND.cause = ROUND;
const BEFORE_TLS = "Client network socket disconnected before secure TLS connection was established";
const OF_OPENSSL =
  "407D22C9E17F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number";
const NOT_READ = "the answer is not HTTP as this client reads it (Duplicate Content-Length)";

test.each<[string, unknown, string, string | null]>([
  ["a reset in the handshake", failed("ECONNRESET", BEFORE_TLS), "tls", BEFORE_TLS],
  [
    "several addresses that failed",
    new TypeError("fetch failed", {
      cause: coded("ECONNREFUSED", "", new AggregateError([REFUSED, REFUSED], "")),
    }),
    "connect",
    REFUSED.message,
  ],
  [
    "OpenSSL's words",
    failed("ERR_SSL_WRONG_VERSION_NUMBER", OF_OPENSSL),
    "tls",
    "ERR_SSL_WRONG_VERSION_NUMBER",
  ],
  [
    "an answer that the parser refuses",
    coded("HPE_UNEXPECTED_CONTENT_LENGTH", "Parse Error: Duplicate Content-Length"),
    "connect",
    NOT_READ,
  ],
  ["what the parser calls by its name", failed("", "no HTTP", "HTTPParserError"), "connect", "no HTTP"],
  ["null", null, "unknown", null],
  ["a number", 7, "unknown", null],
  ["an object", {}, "unknown", null],
  ["a text", "odd", "unknown", "odd"],
  ["causes in a circle", ROUND, "unknown", "round"],
  [
    "a code below other words",
    new Error("Connection closed", { cause: coded("ENOTFOUND", "getaddrinfo") }),
    "dns",
    "getaddrinfo",
  ],
  [
    "a limit of the runtime's own",
    new DOMException("The operation timed out.", "TimeoutError"),
    "timeout",
    "The operation timed out.",
  ],
  ["what is named as one", Object.assign(new Error("gone"), { name: "TimeoutError" }), "timeout", "gone"],
])("%s is told by stage and words", (_name, thrown, stage, detail) => {
  expect(readThrown(thrown, null)).toEqual({ type: "network", stage, detail });
});

const SENDING = "error sending request for url (https://h.example/): client error (Connect):";

test.each([
  [`${SENDING} dns error: failed to lookup address information: Name or service not known`, "dns"],
  [`${SENDING} invalid peer certificate: UnknownIssuer`, "tls"],
  [`${SENDING} tcp connect error: Connection refused (os error 111)`, "connect"],
  ["Network connection lost.", "connect"],
  ["Gzip compressed stream ended prematurely.", "connect"],
  ["net::ERR_NAME_NOT_RESOLVED", "dns"],
  ["Request timed out.", "timeout"],
  // Chromium, Firefox and Safari tell a page no more than this.
  ["Failed to fetch", "unknown"],
  ["NetworkError when attempting to fetch resource.", "unknown"],
  ["Load failed", "unknown"],
])("%s is of the stage %s", (message, stage) => {
  expect(readThrown(new TypeError(message), null)).toEqual({ type: "network", stage, detail: message });
});

test.each([
  ["http://h.example/", "dns"],
  ["https://192.0.2.1/", "tls"],
  ["https://192.0.2.1:8443", "tls"],
  ["https://[2001:db8::1]/", "tls"],
  ["https://192.0.2.example/", "unknown"],
  [null, "unknown"],
])("an internal error of workerd, asked for %s, is of the stage %s", (url, stage) => {
  expect(readThrown(new Error("internal error; reference = 21l8"), url)).toMatchObject({ stage });
});
