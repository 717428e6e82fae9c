import { expect, test } from "vitest";
import { pack, unpack, unpackAll } from "../../src/history/packing.ts";

test("what is packed comes back, names like __proto__ and bytes included", () => {
  const odd = JSON.parse('{"__proto__": 1, "constructor": [2]}');
  expect(Object.entries(unpack(pack(odd)) as object)).toEqual([
    ["__proto__", 1],
    ["constructor", [2]],
  ]);
  expect(unpack(pack(new Uint8Array([1, 2])))).toEqual(new Uint8Array([1, 2]));
});

test("values that are packed one behind the other come back in order", () => {
  const joined = [1, "a", new Uint8Array([7]), { a: [] }].map((value) => pack(value));
  expect(unpackAll(new Uint8Array(Buffer.concat(joined)))).toEqual([1, "a", new Uint8Array([7]), { a: [] }]);
});

test("what is cut off anywhere is refused, by one and by all", () => {
  const monitors = { a: new Uint8Array([1, 2, 3]) };
  const whole = pack({ monitors, text: "模型", numbers: [1, 300, 1e12, -5] });
  for (let end = 1; end < whole.length; end += 1) {
    expect(() => unpack(whole.slice(0, end)), `${end}`).toThrow();
    expect(() => unpackAll(whole.slice(0, end)), `${end}`).toThrow();
  }
});
