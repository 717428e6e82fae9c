import { expect, test } from "vitest";
import { readNodeFailure } from "../../src/cli/node-failure.ts";

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
  expect(readNodeFailure(failed(code))).toEqual({ type: "network", stage, detail: "words" });
});

test("a reset in the middle of the handshake is TLS", () => {
  const message = "Client network socket disconnected before secure TLS connection was established";
  expect(readNodeFailure(failed("ECONNRESET", message))).toMatchObject({ stage: "tls" });
});

test("several addresses that failed are one failure", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED ::1:9"), { code: "ECONNREFUSED" });
  const error = new TypeError("fetch failed", {
    cause: Object.assign(new AggregateError([refused, refused], ""), { code: "ECONNREFUSED" }),
  });
  expect(readNodeFailure(error)).toEqual({
    type: "network",
    stage: "connect",
    detail: "connect ECONNREFUSED ::1:9",
  });
});

test("OpenSSL's words give way to the code", () => {
  const message =
    "407D22C9E17F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number";
  expect(readNodeFailure(failed("ERR_SSL_WRONG_VERSION_NUMBER", message))).toMatchObject({
    detail: "ERR_SSL_WRONG_VERSION_NUMBER",
  });
});

test("of an answer that the parser refuses, no more is claimed than that this client cannot read it", () => {
  const error = Object.assign(new Error("Parse Error: Duplicate Content-Length"), {
    code: "HPE_UNEXPECTED_CONTENT_LENGTH",
  });
  expect(readNodeFailure(error)).toEqual({
    type: "network",
    stage: "connect",
    detail: "the answer is not HTTP as this client reads it (Duplicate Content-Length)",
  });
});

test("bytes that the parser refuses are told by its name", () => {
  expect(readNodeFailure(failed("", "no HTTP", "HTTPParserError"))).toMatchObject({ stage: "connect" });
});

test.each([["a string"], [null], [undefined], [7], [{}]])("%j, thrown, is unknown", (thrown) => {
  expect(readNodeFailure(thrown)).toEqual({ type: "network", stage: "unknown", detail: null });
});

test("a chain of causes that bites its own tail ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(readNodeFailure(error)).toEqual({ type: "network", stage: "unknown", detail: "round" });
});
