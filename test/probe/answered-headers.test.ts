/** Headers that are read when they are asked for are the same as if all had been read. */
import { expect, test } from "vitest";
import { headersOf } from "../../src/probe/exchange.ts";

const GIVEN = { "x-request-id": " req_7 ", "retry-after": "20", server: "nginx" };

test("each is there by its name, without white space around it; what did not come is not", () => {
  const headers = headersOf(new Headers(GIVEN));
  const expected = ["req_7", "20", undefined];
  expect([headers["x-request-id"], headers["retry-after"], headers["date"]]).toEqual(expected);
  const wanted = Array(3).fill(undefined);
  expect(["__proto__", "constructor", "toString"].map((name) => headers[name])).toEqual(wanted);
});

test("whoever looks at all of them sees all of them, also after some were asked for", () => {
  const headers = headersOf(new Headers(GIVEN));
  expect(headers["server"]).toBe("nginx");
  expect({ ...headers }).toEqual({ "retry-after": "20", server: "nginx", "x-request-id": "req_7" });
  expect(Object.keys(headers)).toEqual(["retry-after", "server", "x-request-id"]);
  const expected = [true, false, true];
  expect(["server" in headers, "date" in headers, Object.hasOwn(headers, "server")]).toEqual(expected);
  expect(JSON.stringify(headers)).toBe('{"retry-after":"20","server":"nginx","x-request-id":"req_7"}');
});

test("lines of one name are joined, and a header may be named as members of objects are", () => {
  const headers = headersOf(
    new Headers([
      ["retry-after", "1"],
      ["retry-after", "20"],
      ["__proto__", "x"],
    ]),
  );
  expect([headers["retry-after"], headers["__proto__"]]).toEqual(["1, 20", "x"]);
});

test("none is made before it is asked for", () => {
  const asked: string[] = [];
  const headers = headersOf({
    get: (name) => {
      asked.push(name);
      return null;
    },
    forEach: () => asked.push("all"),
  });
  expect(headers["retry-after"]).toBeUndefined();
  expect(asked).toEqual(["retry-after"]);
});
