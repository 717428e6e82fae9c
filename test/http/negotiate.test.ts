import { expect, test } from "vitest";
import { preferred, preferredLanguage } from "../../src/http/problem.ts";

const OFFERS = ["application/json", "text/csv", "application/x-ndjson"] as const;

test.each([
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["application/x-ndjson, */*;q=0.1", "application/x-ndjson"],
  ["text/csv;q=0.5, application/json;q=0.4", "text/csv"],
  ["text/csv;q=0, */*", "application/json"],
  ["application/json;q=0, application/*", "application/x-ndjson"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["image/png", null],
  ["text/csv;q=0", null],
  ["text/csv;q=x", null],
])("Accept: %s wants %s", (accept, offer) => {
  expect(preferred(accept, OFFERS)).toBe(offer);
});

test.each([
  [null, null],
  ["", null],
  ["zh", "zh"],
  ["zh-CN", "zh"],
  ["ZH-cn", "zh"],
  ["zh-Hans", "zh"],
  ["zh-Hant-TW", "zh"],
  ["en-GB", "en"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
  ["en-US,en;q=0.9,zh-CN;q=0.8", "en"],
  ["de-DE,de;q=0.9,zh;q=0.3,en;q=0.2", "zh"],
  ["zh;q=0.2, en;q=0.3", "en"],
  ["zh, en", "zh"],
  ["en, zh", "en"],
  ["zh;q=0", null],
  ["zh;q=0, en;q=0.1", "en"],
  ["zh-TW;q=0, zh;q=0.5", "zh"],
  ["zh;q=x, en;q=0.1", "en"],
  ["de, fr", null],
  ["zhx, english", null],
  ["*", "en"],
  ["de, *;q=0.5", "en"],
  ["zh;q=0.4, *;q=0.5", "en"],
  ["zh;q=0.6, *;q=0.5", "zh"],
  ["en;q=0, *", "zh"],
  ["*;q=0", null],
  [";,;q=1,,", null],
])("Accept-Language: %s wants %s", (accept, language) => {
  expect(preferredLanguage(accept, ["en", "zh"])).toBe(language);
});
