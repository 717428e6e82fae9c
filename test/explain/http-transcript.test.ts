import { describe, expect, test } from "vitest";
import { requestOfCommand } from "../../src/explain/http-transcript.ts";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import { NO_MONEY, explained } from "./pasted-text.ts";

const HEAD = "HTTP/1.1 402 Payment Required\r\nContent-Type: application/json\r\nX-Request-Id: req_1\r\n\r\n";
const FOUND = { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1", message: "no money" };
const OPENED = "HTTP/1.1 200 Connection established\r\n\r\n";

describe("an answer of HTTP", () => {
  test.each([
    ["of HTTP/3", `HTTP/3 402\nx-request-id: req_1\n\n${NO_MONEY}`, "HTTP/3"],
    ["behind a byte order mark and empty lines", `\uFEFF\n\r\n${HEAD}${NO_MONEY}`, "HTTP/1.1"],
    ["before a prompt", `${HEAD}${NO_MONEY}\nroot@host:~# `, "HTTP/1.1"],
    ["with the status glued to the body", `${HEAD}${NO_MONEY}402`, "HTTP/1.1"],
    ["without the empty line", `HTTP/1.1 402 X\nX-Request-Id: req_1\n${NO_MONEY}`, "HTTP/1.1"],
  ])("is read %s", (_, text, detail) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ form: "http", detail });
    expect(diagnosis).toMatchObject(FOUND);
  });

  test("has repeated headers joined", () => {
    const text = "HTTP/1.1 429 X\nRetry-After: 31\nRetry-After: 3\n\n{}";
    expect(explained(text).diagnosis.retry.afterSeconds).toBe(31);
  });

  test("keeps what a gateway sent behind its JSON, and that is a fault", () => {
    const text = 'HTTP/1.1 200 OK\n\n{"data":[]}Warning: Undefined variable in /srv/index.php';
    expect(explained(text, "models").diagnosis.cause).toBe("unexpected_response");
  });
});

describe("of several answers the last is judged", () => {
  test.each([
    ["early hints", "HTTP/2 103 \r\nlink: </a>; rel=preload\r\n\r\n"],
    ["the opening of a tunnel", "HTTP/1.1 200 Connection established\r\n\r\n"],
    ["all of them", `${OPENED}HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 301 X\r\nA: b\r\n\r\n`],
  ])("behind %s", (_, before) => {
    const { takenFor, diagnosis } = explained(before + HEAD + NO_MONEY);
    expect(takenFor.notes).toEqual(["kind_guessed", "last_response"]);
    expect(diagnosis).toMatchObject(FOUND);
  });
});

describe("a status line in a body alone is no answer", () => {
  test.each([
    ["of a page", "<pre>\nHTTP/1.1 500 X\nServer: a\n</pre>"],
    ["of a page, as curl -v marks it", "<pre>\n> GET / HTTP/1.1\n< HTTP/1.1 500 X\n< \n</pre>"],
    ["of a stream", 'data: {"choices":[]}\n\nHTTP/1.1 500 X\nServer: a\n'],
    ["of JSON", '{"error":\n{"message":"a"}}\nHTTP/1.1 500 X\nServer: a\n'],
  ])("%s", (_, text) => expect(explained(text).diagnosis.httpStatus).toBeNull());
});

describe("without an answer", () => {
  test.each<[string, Cause]>([
    ["curl: (6) Could not resolve host: a.example", "dns_failure"],
    ["curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received", "timeout"],
    ["curl: (35) OpenSSL SSL_connect: Connection reset by peer to a.example:443", "tls_failure"],
    ["curl: (52) Empty reply from server", "connection_failed"],
  ])("%s", (line, cause) => {
    const { takenFor, diagnosis } = explained(`$ curl https://a.example/v1/models\n${line}\n`);
    expect(takenFor).toEqual({ form: "http", detail: null, kind: "models", notes: [] });
    expect(diagnosis).toMatchObject({ cause, layer: "network", httpStatus: null });
    expect(diagnosis.retry.allowed).toBe(false);
  });

  test("a certificate's fault is told without curl's explanation of it", () => {
    const text =
      "curl: (60) SSL certificate problem: self-signed certificate\nMore details here: https://curl.se/docs/sslcerts.html\n\n" +
      "curl failed to verify the legitimacy of the server and therefore could not\nestablish a secure connection to it.\n";
    const expected = { cause: "tls_failure", message: "SSL certificate problem: self-signed certificate" };
    expect(explained(text).diagnosis).toMatchObject(expected);
  });

  test("the meter of curl is no body", () => {
    const meter =
      "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n" +
      "                                 Dload  Upload   Total   Spent    Left  Speed\n" +
      "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\n";
    expect(explained(`${meter}curl: (7) Failed to connect to a.example port 443`).diagnosis.cause).toBe(
      "connection_failed",
    );
    expect(explained(meter + HEAD + NO_MONEY).diagnosis).toMatchObject(FOUND);
  });

  test("curl -f tells the status alone", () => {
    expect(explained("curl: (22) The requested URL returned error: 429")).toMatchObject({
      takenFor: { notes: ["kind_guessed", "body_missing"] },
      diagnosis: { cause: "rate_limited", httpStatus: 429 },
    });
  });

  test("curl --fail-with-body tells the status behind the body", () => {
    const { takenFor, diagnosis } = explained(`${NO_MONEY}curl: (22) The requested URL returned error: 429`);
    expect(takenFor).toMatchObject({ form: "http", notes: ["kind_guessed"] });
    expect(diagnosis).toMatchObject({ cause: "insufficient_balance", httpStatus: 429, message: "no money" });
  });
});

describe("an answer that broke off", () => {
  test("is the network's, with the status that had come", () => {
    const text =
      'HTTP/1.1 200 OK\nX-Request-Id: r1\n\n{"id":"a","cho\ncurl: (18) transfer closed with 100 bytes remaining';
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor.notes).toEqual(["kind_guessed", "body_cut"]);
    expect(diagnosis).toMatchObject({ cause: "connection_failed", httpStatus: 200, requestId: "r1" });
  });

  test("in a stream is judged by the stream", () => {
    const open =
      'HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\ndata: {"choices":[{"delta":{"content":"a"}}]}\n\n';
    const broken = "curl: (18) transfer closed with outstanding read data remaining";
    expect(explained(open + broken).diagnosis.cause).toBe("stream_dropped");
    expect(explained(`${open}data: [DONE]\n\n${broken}`).diagnosis.cause).toBe("ok");
  });

  test("behind its whole JSON, or before another attempt that was answered, is an answer", () => {
    const whole = `${HEAD}${NO_MONEY}\ncurl: (92) HTTP/2 stream 1 was not closed cleanly`;
    const again = `curl: (28) Operation timed out\nWarning: Transient problem. Will retry in 1 second.\n${HEAD}${NO_MONEY}`;
    for (const text of [whole, again]) expect(explained(text).diagnosis).toMatchObject(FOUND);
  });

  test.each([
    ["of JSON", '{"error":{"message":"upstream: curl: (6) Could not resolve host"}}'],
    ["of JSON, behind a bracket", '{"error":{"message":"[upstream]curl: (6) Could not resolve host"}}'],
    ["of a page", "<html><pre>\ncurl: (6) Could not resolve host\n</pre></html>"],
    ["of a page, behind a tag", "<html><p>curl: (6) Could not resolve host</p></html>"],
  ])("words of curl in a body are the body's: %s", (_, body) => {
    const { diagnosis } = explained(`HTTP/1.1 502 X\n\n${body}`);
    expect(diagnosis).toMatchObject({ cause: "upstream_unavailable", httpStatus: 502 });
    expect(explained(body).diagnosis.cause).not.toBe("dns_failure");
  });
});

describe("a missing body is noted", () => {
  test.each([
    ["of a length alone", "HTTP/1.1 402 X\nContent-Length: 22\n", ["kind_guessed", "body_missing"]],
    ["of HEAD", "> HEAD /v1/models HTTP/1.1\n> Host: a\n>\n< HTTP/1.1 402 X\n< \n", ["body_missing"]],
  ])("%s", (_, text, notes) => expect(explained(text).takenFor.notes).toEqual(notes));

  test("and an empty one that should be there is judged", () => {
    const expected = { takenFor: { notes: [] }, diagnosis: { cause: "unexpected_response" } };
    expect(explained("HTTP/1.1 200 OK\nContent-Length: 0\n\n", "chat")).toMatchObject(expected);
  });
});

describe("of several commands with their answers the last is judged", () => {
  const GOOD = 'HTTP/1.1 200 OK\ncontent-type: application/json\n\n{"data":[{"id":"m","object":"model"}]}\n';
  const BAD = `HTTP/1.1 402 X\nx-request-id: req_2\n\n${NO_MONEY}\n`;

  test("one that failed", () => {
    const text = `$ curl -i https://a.example/v1/models\n${GOOD}$ curl -i https://a.example/v1/chat/completions\n${BAD}$ `;
    const { takenFor, diagnosis, report } = explained(text);
    expect(takenFor).toMatchObject({ kind: "chat", notes: ["last_response"] });
    const expected = { cause: "insufficient_balance", requestId: "req_2", message: "no money" };
    expect(diagnosis).toMatchObject(expected);
    expect(report?.endpoint).toBe("https://a.example/v1/chat/completions");
  });
});

describe("a limit whose answer was not copied to its end", () => {
  const LIMIT = '{"error":{"message":"over the limit","type":"quota","code":"insufficient_quota_left"}}';
  const HEADERS = "HTTP/1.1 429 X\ncontent-type: application/json\n\n";

  test("is not repeated by what is missing, wherever it was cut", () => {
    for (let end = 1; end < LIMIT.length; end += 1) {
      const { takenFor, diagnosis } = explained(HEADERS + LIMIT.slice(0, end));
      expect(takenFor.notes).toContain("body_cut");
      expect(diagnosis).toMatchObject({ ok: false, retry: { allowed: false } });
    }
  });
});

describe("curl -v", () => {
  const verbose = [
    "* Host api.example.com:443 was resolved.",
    "*   Trying 192.0.2.1:443...",
    "* connect to 192.0.2.1 port 443 failed: Connection refused",
    "*   Trying 192.0.2.2:443...",
    "* Connected to api.example.com (192.0.2.2) port 443",
    "} [5 bytes data]",
    "* SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384",
    "> POST /v1/messages HTTP/2",
    "> Host: api.example.com",
    "> User-Agent: curl/8.5.0",
    "> ",
    "} [55 bytes data]",
    "< HTTP/2 402 ",
    "< x-request-id: req_1",
    "< date: Fri, 20 Nov 2026 12:00:00 GMT",
    "< ",
    "{ [90 bytes data]",
    `${NO_MONEY}* Connection #0 to host api.example.com left intact`,
  ].join("\n");

  test("tells the request too", () => {
    const { takenFor, diagnosis, report } = explained(verbose);
    expect(takenFor).toEqual({ form: "http", detail: "HTTP/2", kind: "messages", notes: [] });
    expect(diagnosis).toMatchObject(FOUND);
    expect(report).toMatchObject({
      endpoint: "https://api.example.com/v1/messages",
      client: "curl/8.5.0",
      requestedAt: "2026-11-20T20:00:00.000+08:00",
    });
  });

  test("with -i prints the headers twice", () => {
    const text = `> GET /v1/models HTTP/1.1\n> Host: a.example\n> \n< HTTP/1.1 402 X\n< X-Request-Id: req_1\n< \n${HEAD}${NO_MONEY}`;
    expect(explained(text).diagnosis).toMatchObject(FOUND);
  });

  test("of several answers judges the last", () => {
    const text =
      "> GET /a HTTP/1.1\n> Host: a.example\n> \n< HTTP/1.1 302 X\n< Location: /b\n< \n* Ignoring the response-body\n" +
      `> GET /v1/models HTTP/1.1\n> Host: a.example\n> \n< HTTP/1.1 402 X\n< X-Request-Id: req_1\n< \n${NO_MONEY}`;
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ kind: "models", notes: ["last_response"] });
    expect(diagnosis).toMatchObject(FOUND);
  });
});

describe("the request before an answer", () => {
  test("is in the command line", () => {
    const text =
      "user@host:~$ curl -i -x http://proxy.example https://api.example.com/v1/chat/completions \\\n" +
      `  -H "HTTP-Referer: https://me.example" -H 'Authorization: Bearer x' \\\n  -d '{"model": "gpt-4o", "stream": true}'\n${HEAD}${NO_MONEY}`;
    expect(explained(text)).toMatchObject({
      takenFor: { kind: "chat" },
      report: {
        endpoint: "https://api.example.com/v1/chat/completions",
        modelId: "gpt-4o",
        streaming: true,
        client: "curl",
      },
    });
  });

  test("names the model in the path where Gemini is asked", () => {
    const url = "https://api.example.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse";
    const found = explained(`$ curl -i '${url}' -d '{"contents":[]}'\n${HEAD}${NO_MONEY}`);
    expect(found).toMatchObject({ takenFor: { kind: "gemini" }, report: { modelId: "gemini-2.5-flash" } });
  });

  test("alone has no answer behind it, and none of its words is one", () => {
    const text = "> GET /v1/models?k=my-own-secret-word HTTP/2\n> Host: api.example.com\n> \n";
    const { takenFor, diagnosis, report } = explained(text);
    expect(takenFor).toMatchObject({ kind: "models", notes: ["status_unknown", "body_missing"] });
    expect(diagnosis).toMatchObject({ ok: false, message: null });
    expect(report?.endpoint).toBe("https://api.example.com/v1/models");
  });
});

describe("a browser's network panel", () => {
  const GENERAL = "Request URL: https://api.example.com/v1/models\nRequest Method: GET\n";
  const STATUS = "Status Code: 402 Payment Required\n";
  const NO_COLONS =
    "General\nRequest URL\nhttps://api.example.com/v1/models\nRequest Method\nGET\nStatus Code\n402 Payment Required\n" +
    "Referrer Policy\nstrict-origin-when-cross-origin\nResponse Headers\nx-request-id\nreq_1\n";

  test.each([
    ["on one line each", `${GENERAL}${STATUS}x-empty:\nx-request-id: req_1\n`],
    ["on two", (GENERAL + STATUS + "x-request-id: req_1\n").replaceAll(": ", ":\n")],
    ["on two, without colons", NO_COLONS],
    ["with the fields of HTTP/2", `${GENERAL}Response Headers\n:status: 402\nx-request-id: req_1\n`],
  ])("has its fields %s", (_, panel) => {
    expect(explained(`${panel}\n${NO_MONEY}`)).toMatchObject({
      takenFor: { form: "http", detail: null, kind: "models", notes: [] },
      diagnosis: FOUND,
      report: { endpoint: "https://api.example.com/v1/models" },
    });
  });

  test("may be its headers alone", () => {
    expect(explained(":status: 429\nretry-after: 31\n")).toMatchObject({
      takenFor: { form: "http", notes: ["kind_guessed", "body_missing"] },
      diagnosis: { httpStatus: 429, retry: { afterSeconds: 31 } },
    });
  });
});

test.each([
  ["-d '{}'", "POST"],
  ["--json '{}'", "POST"],
  ["-X PUT -d '{}'", "PUT"],
  ["-H 'Accept: application/json'", "GET"],
])("curl %s sends %s", (options, method) => {
  const expected = { method };
  expect(requestOfCommand(`$ curl -i https://api.example.com/v1/models ${options}`)).toMatchObject(expected);
});
