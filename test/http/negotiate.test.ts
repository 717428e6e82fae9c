import { expect, test } from "vitest";
import { preferred } from "../../src/http/negotiate.ts";

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
