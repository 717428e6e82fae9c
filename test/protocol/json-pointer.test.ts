import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonPointer, valueAt } from "../../src/protocol/json.ts";

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
