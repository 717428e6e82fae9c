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

test("a reset in the middle of the handshake is TLS", () => {
  const message = "Client network socket disconnected before secure TLS connection was established";
  expect(readThrown(failed("ECONNRESET", message), null)).toMatchObject({ stage: "tls" });
});

test("several addresses that failed are one failure", () => {
  const detail = "connect ECONNREFUSED ::1:9";
  const code = "ECONNREFUSED";
  const refused = Object.assign(new Error(detail), { code });
  const cause = Object.assign(new AggregateError([refused, refused], ""), { code });
  const expected = { type: "network", stage: "connect", detail };
  expect(readThrown(new TypeError("fetch failed", { cause }), null)).toEqual(expected);
});

test("OpenSSL's words give way to the code", () => {
  const detail = "ERR_SSL_WRONG_VERSION_NUMBER";
  const words =
    "407D22C9E17F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number";
  expect(readThrown(failed(detail, words), null)).toMatchObject({ detail });
});

test("of an answer that the parser refuses, no more is claimed than that this client cannot read it", () => {
  const code = "HPE_UNEXPECTED_CONTENT_LENGTH";
  const error = Object.assign(new Error("Parse Error: Duplicate Content-Length"), { code });
  const detail = "the answer is not HTTP as this client reads it (Duplicate Content-Length)";
  expect(readThrown(error, null)).toEqual({ type: "network", stage: "connect", detail });
});

test("bytes that the parser refuses are told by its name", () => {
  expect(readThrown(failed("", "no HTTP", "HTTPParserError"), null)).toMatchObject({ stage: "connect" });
});

test.each([[null], [undefined], [7], [{}]])("%j, thrown, is unknown", (thrown) => {
  expect(readThrown(thrown, null)).toEqual({ type: "network", stage: "unknown", detail: null });
});

test("a chain of causes that bites its own tail ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(readThrown(error, null)).toEqual({ type: "network", stage: "unknown", detail: "round" });
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

test("a code deeper down counts before words further up", () => {
  const cause = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
  expect(readThrown(new Error("Connection closed", { cause }), null)).toMatchObject({ stage: "dns" });
});

test("a time limit of the runtime's own, and what is named as one, is a timeout", () => {
  const limit = new DOMException("The operation timed out.", "TimeoutError");
  const named = Object.assign(new Error("gone"), { name: "TimeoutError" });
  for (const thrown of [limit, named]) {
    expect(readThrown(thrown, null)).toMatchObject({ type: "network", stage: "timeout" });
  }
});

test("a text that was thrown is its own words", () => {
  expect(readThrown("odd", null)).toEqual({ type: "network", stage: "unknown", detail: "odd" });
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

test.each([
  ["words that are a number", Object.assign(new Error("a"), { message: 42 })],
  ["no words", Object.assign(new Error("a"), { message: undefined })],
  ["a name and a code that are none", Object.assign(new Error(""), { name: 7, code: {} })],
])("an error with %s says nothing, and is no bug", (_name, thrown) => {
  expect(readThrown(thrown, null)).toEqual({ type: "network", stage: "unknown", detail: null });
});
