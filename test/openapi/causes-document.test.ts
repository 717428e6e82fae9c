/** docs/causes.md is made of the code, its examples are what they are examples of, and every cause has its entry. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { causesDocument, diagnoseExample, exceptions } from "../../src/openapi/causes-document.ts";
import { CAUSE_TABLE, causeDocs } from "../../src/protocol/causes.ts";
import { CAUSE_EXAMPLES } from "../../src/protocol/cause-examples.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";
import { finalStatuses, retryStatuses } from "../../src/protocol/edge-page.ts";

const DOCUMENT = readFileSync(new URL("../../docs/causes.md", import.meta.url), "utf8");

test("what is written is what the code says", () => {
  expect(DOCUMENT).toBe(causesDocument());
});

test.each(CAUSES)("the example of %s is diagnosed as that, as the table says", (cause) => {
  const { owner, health, ok, advice } = CAUSE_TABLE[cause];
  const found = diagnoseExample(CAUSE_EXAMPLES[cause]);
  expect(found).toMatchObject({ cause, owner, health, ok, advice });
});

test.each(CAUSES)("the address of %s leads to its heading", (cause) => {
  const anchor = causeDocs(cause).split("docs/causes.md#")[1];
  expect(DOCUMENT.split("\n").filter((line) => line === `## \`${anchor}\``)).toHaveLength(1);
});

test("two causes may be retried, and under no other statuses than these", () => {
  const retried = CAUSES.map((cause) => [cause, retryStatuses(cause)] as const);
  expect(retried.filter(([, statuses]) => statuses.length > 0)).toEqual([
    ["rate_limited", [429]],
    ["upstream_unavailable", [502, 503, 504]],
  ]);
  expect(finalStatuses("upstream_unavailable")).toEqual([529]);
});

test("what changes whose turn it is says of which causes", () => {
  expect(exceptions().map(({ causes, owner, health }) => [causes.join(" "), owner, health])).toEqual([
    ["http_error", "caller", "blocked"],
    ["business_error", "caller", "blocked"],
    ["wrong_url malformed_request not_found", "operator", "down"],
    ["wrong_url", "operator", "down"],
    ["not_found", "operator", "down"],
    ["not_found", "operator", "down"],
    ["dns_failure connection_failed tls_failure timeout network_error", "network", "unknown"],
    ["timeout", "nobody", "unknown"],
  ]);
});
