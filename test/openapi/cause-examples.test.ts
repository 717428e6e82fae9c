/** The examples of docs/causes.md are what they are examples of. */
import { expect, test } from "vitest";
import { diagnoseExample } from "../../src/openapi/example-diagnosis.ts";
import { CAUSE_EXAMPLES } from "../../src/protocol/cause-examples.ts";
import { CAUSE_TABLE } from "../../src/protocol/causes.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";

test.each(CAUSES)(
  "the example of %s is diagnosed as that, with owner, health and advice of the table",
  (cause) => {
    const { owner, health, ok, advice } = CAUSE_TABLE[cause];
    const found = diagnoseExample(CAUSE_EXAMPLES[cause]);
    expect(found).toMatchObject({ cause, owner, health, ok, advice });
  },
);
