import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCheapToParse, isJsonPointer, readBody, valueAt } from "../../src/protocol/json.ts";
import { diagnosed } from "./answers.ts";

const DOCUMENT = { foo: ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, 'k"l': 6, " ": 7, "m~n": 8 };

describe("a JSON pointer", () => {
  it.each([
    ["", DOCUMENT],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
  ])("%j finds what RFC 6901 says it does", (pointer, value) => {
    expect(valueAt(DOCUMENT, pointer)).toEqual(value);
  });

  it.each(
    "/foo/2 /foo/- /foo/00 /foo/+1 /foo/1.0 /foo/length /no /foo/0/0 foo /~2 /m~n /toString /__proto__".split(
      " ",
    ),
  )("%j finds nothing", (pointer) => expect(valueAt(DOCUMENT, pointer)).toBeUndefined());

  it.each([null, undefined, 1, "text", true])("finds nothing within %j", (json) => {
    expect(valueAt(json, "/0")).toBeUndefined();
  });

  it("reads ~01 as ~1, and not as a slash", () => expect(valueAt({ "~1": "a", "/": "b" }, "/~01")).toBe("a"));

  it("finds a member named __proto__ that a document has itself", () => {
    expect(valueAt(JSON.parse('{"__proto__":{"a":1}}'), "/__proto__/a")).toBe(1);
  });

  it("finds every member of any document by its path", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 6 }), (path) => {
        const document = path.reduceRight<unknown>(
          (inner, name) => Object.fromEntries([[name, inner]]),
          "found",
        );
        const pointer = path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
        expect(isJsonPointer(pointer)).toBe(true);
        expect(valueAt(document, pointer)).toBe("found");
      }),
    );
  });
});

const MIB = 1_048_576;

describe("a body with too many values", () => {
  const fields = Array.from({ length: 11 }, (_, n) => `"field_${n}":${n}`).join(",");

  it("is not one of 10,000 models of 12 fields", () => {
    const models = Array.from({ length: 10_000 }, (_, n) => `{"id":"model-${n}",${fields}}`);
    expect(diagnosed(200, `{"data":[${models.join(",")}]}`).cause).toBe("ok");
  });

  it.each([
    ["empty objects", `{"data":[${"{},".repeat((8 * MIB) / 3 - 10)}{}]}`],
    ["lists of one", `{"data":[${"[0],".repeat(2 * MIB - 10)}[]]}`],
    ["numbers", `{"data":[${"0,".repeat(4 * MIB - 10)}0]}`],
    ["nested arrays", `{"data":${"[".repeat(4 * MIB - 10)}${"]".repeat(4 * MIB - 10)}}`],
    ["strings without commas between them", `{"data":["${'""'.repeat(1_700_000)}"]}`],
  ])("is not parsed and is the operator's: %s", (_name, body) => {
    expect(readBody(body)).toEqual({ form: "too_complex" });
    expect(diagnosed(200, body)).toMatchObject({
      cause: "unexpected_response",
      layer: "body",
      owner: "operator",
      health: "down",
      message: "The JSON was not read: it has too many values.",
    });
  });

  it("leaves an HTTP failure what its status says", () => {
    const body = `{"error":[${"{},".repeat(300_000)}0]}`;
    expect(diagnosed(401, body).cause).toBe("authentication");
    expect(diagnosed(404, body).cause).toBe("not_found");
    expect(diagnosed(503, body).cause).toBe("upstream_unavailable");
  });

  it("has its error read from its beginning, where it stands there", () => {
    const body = `{"error":{"code":"x","message":"Insufficient balance"},"pad":[${"{},".repeat(300_000)}0]}`;
    const expected = { cause: "insufficient_balance", ambiguous: ["malformed_request"] };
    expect(diagnosed(400, body)).toMatchObject(expected);
  });
});

describe("what is counted", () => {
  it.each([
    ["0,", 2_499_988],
    ['"",', 833_329],
    ["{},", 192_306],
  ])("is what would take 30 MB: of %s", (unit, most) => {
    expect(isCheapToParse(`[${unit.repeat(most)}0]`)).toBe(true);
    expect(isCheapToParse(`[${unit.repeat(most + 2)}0]`)).toBe(false);
  });

  it("lets pass 8 MiB of embeddings", () => {
    const list = `[${"-0.0123456,".repeat(1535)}0.5]`;
    const body = `{"object":"list","data":[${`{"object":"embedding","embedding":${list}},`.repeat(490)}{}]}`;
    expect(body.length).toBeGreaterThan(7.8 * MIB);
    expect(diagnosed(200, body, { kind: "embeddings" }).cause).toBe("ok");
  });
});

describe("a look at a failed body", () => {
  it("takes no name for one that is longer than names are", () => {
    const code = "insufficient_balance".repeat(400_000);
    expect(diagnosed(400, { error: { code } }).cause).toBe("malformed_request");
    expect(diagnosed(200, { code, data: [] }).cause).toBe("business_error");
    expect(diagnosed(200, { code: "success" + ".".repeat(400_000), data: [] }).ok).toBe(false);
  });
});

describe("a body over the limit of bytes", () => {
  it("is not parsed", () => {
    expect(diagnosed(200, '{"data":[]}', { bodyEnd: "over_limit" }).cause).toBe("unexpected_response");
    expect(diagnosed(404, '{"data":[', { bodyEnd: "over_limit" }).cause).toBe("not_found");
    expect(diagnosed(404, "<html>", { bodyEnd: "over_limit" }).cause).toBe("wrong_url");
  });

  it("says so, and not what it began with", () => {
    const expected = "The body was not read to its end: it is too large, or comes in too many pieces.";
    expect(diagnosed(200, "<h1>Welcome</h1>", { bodyEnd: "over_limit" }).message).toBe(expected);
  });
});

describe("a stream", () => {
  const stream = { kind: "stream" } as const;
  const event = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n';

  it("of 99,999 events and their end is complete", () => {
    expect(diagnosed(200, event.repeat(99_999) + "data: [DONE]\n\n", stream).cause).toBe("ok");
  });

  it.each([
    ["more events", event.repeat(100_001)],
    ["an event of too many values", `data: [${"{},".repeat(400_000)}{}]\n\n`],
  ])("with %s than are read is not taken for complete", (_name, text) => {
    expect(diagnosed(200, `${text}data: [DONE]\n\n`, stream)).toMatchObject({
      cause: "unexpected_response",
      layer: "stream",
      message:
        "The stream was not read to its end: it has more than 100,000 events, or one event is too large.",
    });
  });
});
