/**
 * A process that keeps vitest warm: it gets test files and a changed source file, and answers with the first test that
 * fails. A process of its own, because a mutant may loop for ever.
 */
import { resolve } from "node:path";
import { createVitest, type Reporter, type TestModule } from "vitest/node";

export interface Order {
  /** Read again before the tests run. */
  readonly changed: string;
  readonly tests: readonly string[];
}

export interface Outcome {
  /** `file > test`; null: all passed. */
  readonly failed: string | null;
}

let failed: string | null = null;
let changedBefore = "";
const note = (module: TestModule, test: string): void => {
  failed ??= `${module.relativeModuleId} > ${test}`;
};
// What the run returns holds the results of former runs too.
const reporter: Reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === "failed") note(test.module, test.fullName);
  },
  onTestModuleEnd: (module) => {
    if (!module.ok()) note(module, "as a whole");
  },
};
const vitest = await createVitest(
  "test",
  { watch: false, bail: 1, reporters: [reporter], silent: true },
  { logLevel: "silent" },
);
const specifications = await vitest.globTestSpecifications();

process.on("message", (order: Order) => {
  void play(order).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function play({ changed, tests }: Order): Promise<Outcome> {
  failed = null;
  // The file that was changed before is sound again.
  for (const file of [changedBefore, changed]) vitest.invalidateFile(resolve(file));
  changedBefore = changed;
  const chosen = specifications.filter(({ moduleId }) => tests.some((test) => moduleId.endsWith(`/${test}`)));
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  return { failed: failed ?? (unhandledErrors.length > 0 ? "an unhandled error" : null) };
}
