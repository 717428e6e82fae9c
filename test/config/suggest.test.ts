import { expect, test } from "vitest";
import { nearestWord } from "../../src/config/suggest.ts";

const KNOWN = ["title", "timeZone", "gateways", "open"];

test.each([
  ["titel", "title"],
  ["tilte", "title"],
  ["TITLE", "title"],
  ["timezone", "timeZone"],
  ["gatway", "gateways"],
  ["oepn", "open"],
])("%s means %s", (word, meant) => {
  expect(nearestWord(word, KNOWN)).toBe(meant);
});

test.each(["", "x", "banana", "shut", "opening-hours"])("%j means none of them", (word) => {
  expect(nearestWord(word, KNOWN)).toBeNull();
});
