import { describe, expect, test } from "vitest";
import { requestOfCommand } from "../../src/explain/http-transcript.ts";
import { explained, NO_MONEY } from "./pasted-text.ts";

const HEAD = "HTTP/1.1 402 Payment Required\r\nX-Request-Id: req_1\r\n\r\n";
const ON_TWO =
  "Request URL\nhttps://api.example.com/v1/models\nRequest Method\nGET\nStatus Code\n402 Payment Required\nx-request-id: req_1\n";
const FOUND = { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1", message: "no money" };

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
    "> Authorization: Bearer my-own-secret-word",
    "> Cookie: session=my-own-secret-word",
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

  test("says no word of the request's secrets", () => {
    expect(JSON.stringify(explained(verbose))).not.toContain("my-own-secret-word");
  });

  test("with -i prints the headers twice", () => {
    const between = "< HTTP/1.1 402 X\nHTTP/1.1 402 X\n< X-Request-Id: req_1\nX-Request-Id: req_1\n< \n\n";
    const behind = "< HTTP/1.1 402 X\n< X-Request-Id: req_1\n< \nHTTP/1.1 402 X\nX-Request-Id: req_1\n\n";
    for (const head of [between, behind]) {
      const text = `> GET /v1/models HTTP/1.1\n> Host: a.example\n> \n${head}${NO_MONEY}`;
      expect(explained(text).diagnosis).toMatchObject(FOUND);
    }
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

  test("alone has no answer behind it, and none of its words is one", () => {
    const text = "> GET /v1/models?k=my-own-secret-word HTTP/2\n> Host: api.example.com\n> \n";
    const { takenFor, diagnosis, report } = explained(text);
    expect(takenFor).toMatchObject({ kind: "models", notes: ["status_unknown", "body_missing"] });
    expect(diagnosis).toMatchObject({ ok: false, message: null });
    expect(report?.endpoint).toBe("https://api.example.com/v1/models?k=[redacted]");
  });

  test.each([
    [
      "on one line each",
      "Request URL: https://api.example.com/v1/models\nRequest Method: GET\nStatus Code: 402 Payment Required\nx-request-id: req_1\n",
    ],
    ["on two", ON_TWO],
  ])("is in a browser's panel, %s", (_, panel) => {
    expect(explained(`${panel}\n${NO_MONEY}`)).toMatchObject({
      takenFor: { form: "http", detail: null, kind: "models", notes: [] },
      diagnosis: FOUND,
      report: { endpoint: "https://api.example.com/v1/models" },
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
