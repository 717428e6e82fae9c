import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";

/** An error as Node's own fetch throws it: the code is on the cause. */
function failed(code: string, message = "words", name = "Error"): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code, name }) });
}

test.each([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ECONNREFUSED", "connect"],
  ["ECONNRESET", "connect"],
  ["EPIPE", "connect"],
  ["EHOSTUNREACH", "connect"],
  ["ENETUNREACH", "connect"],
  ["UND_ERR_SOCKET", "connect"],
  ["UND_ERR_HEADERS_OVERFLOW", "connect"],
  ["HPE_INVALID_CONSTANT", "connect"],
  ["Z_DATA_ERROR", "connect"],
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["CERT_HAS_EXPIRED", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
  ["EPROTO", "tls"],
  ["EUNHEARD", "unknown"],
])("%s is of the stage %s", (code, stage) => {
  expect(readThrown(failed(code), null)).toEqual({ type: "network", stage, detail: "words" });
});

test("a reset in the middle of the handshake is TLS", () => {
  const message = "Client network socket disconnected before secure TLS connection was established";
  expect(readThrown(failed("ECONNRESET", message), null)).toMatchObject({ stage: "tls" });
});

test("several addresses that failed are one failure", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED ::1:9"), { code: "ECONNREFUSED" });
  const error = new TypeError("fetch failed", {
    cause: Object.assign(new AggregateError([refused, refused], ""), { code: "ECONNREFUSED" }),
  });
  expect(readThrown(error, null)).toEqual({
    type: "network",
    stage: "connect",
    detail: "connect ECONNREFUSED ::1:9",
  });
});

test("OpenSSL's words give way to the code", () => {
  const message =
    "407D22C9E17F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number";
  expect(readThrown(failed("ERR_SSL_WRONG_VERSION_NUMBER", message), null)).toMatchObject({
    detail: "ERR_SSL_WRONG_VERSION_NUMBER",
  });
});

test("of an answer that the parser refuses, no more is claimed than that this client cannot read it", () => {
  const error = Object.assign(new Error("Parse Error: Duplicate Content-Length"), {
    code: "HPE_UNEXPECTED_CONTENT_LENGTH",
  });
  expect(readThrown(error, null)).toEqual({
    type: "network",
    stage: "connect",
    detail: "the answer is not HTTP as this client reads it (Duplicate Content-Length)",
  });
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

test.each([
  [
    "error sending request for url (https://h.example/): client error (Connect): dns error: failed to lookup address information: Name or service not known",
    "dns",
  ],
  [
    "error sending request for url (https://h.example/): client error (Connect): invalid peer certificate: UnknownIssuer",
    "tls",
  ],
  [
    "error sending request for url (http://127.0.0.1:9/): client error (Connect): tcp connect error: Connection refused (os error 111)",
    "connect",
  ],
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

test("a time limit of the runtime's own is a timeout", () => {
  expect(readThrown(new DOMException("The operation timed out.", "TimeoutError"), null)).toMatchObject({
    stage: "timeout",
  });
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

const refusing = {
  get: () => {
    throw new Error("no");
  },
  getPrototypeOf: () => {
    throw new Error("no");
  },
};

test.each([
  ["words that are a number", Object.assign(new Error("a"), { message: 42 })],
  ["no words", Object.assign(new Error("a"), { message: undefined })],
  ["a name and a code that are none", Object.assign(new Error(""), { name: 7, code: {} })],
  ["words that cannot be read", Object.defineProperty(new Error("a"), "message", refusing)],
  ["a cause that cannot be read", Object.defineProperty(new Error(""), "cause", refusing)],
  ["several errors that are none", Object.assign(new AggregateError([]), { errors: undefined })],
  ["a proxy that refuses", new Proxy(new Error("a"), refusing)],
])("an error with %s says nothing, and is no bug", (_name, thrown) => {
  expect(readThrown(thrown, null)).toEqual({ type: "network", stage: "unknown", detail: null });
});

test("an error named TimeoutError is a timeout, whatever its words", () => {
  const thrown = Object.assign(new Error("gone"), { name: "TimeoutError" });
  expect(readThrown(thrown, null)).toMatchObject({ type: "network", stage: "timeout" });
});
