/** What is measured replaces what was measured before, and nothing else. */
import { expect, test } from "vitest";
import { withMeasured } from "../bench/performance-document.ts";

const DOCUMENT = `# Performance

<!-- measured: a -->

old

<!-- end: a -->

Words between.

<!-- measured: b -->

<!-- end: b -->
`;

test("a part takes the place between its own marks", () => {
  expect(withMeasured(DOCUMENT, "a", "new\n")).toBe(DOCUMENT.replace("old", "new"));
});

test("a part without marks goes to the end, and the next time to the same place", () => {
  const longer = withMeasured(DOCUMENT, "c", "first");
  expect(longer).toBe(`${DOCUMENT}\n<!-- measured: c -->\n\nfirst\n\n<!-- end: c -->\n`);
  expect(withMeasured(longer, "c", "second")).toBe(longer.replace("first", "second"));
});

test("a mark alone is refused", () => {
  const broken = DOCUMENT.replace("<!-- end: a -->", "");
  expect(() => withMeasured(broken, "a", "new")).toThrow("the marks of a are no pair");
});
