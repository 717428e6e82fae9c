/**
 * Prints which tests failed in vitest's runs, and why. The last line, also of `.ci/run`, is what vitest counted. Exits 1 when
 * something failed or nothing ran.
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const LONGEST_MESSAGE = 2_000;

const files = process.argv.slice(2);
const reports = await Promise.all(
  files.map(async (file) => reportSchema.parse(JSON.parse(await readFile(file, "utf8")))),
);

for (const { name, status, message, assertionResults } of reports.flatMap((report) => report.testResults)) {
  if (status !== "failed") continue;
  console.log(`FAILED ${name}\n${message.slice(0, LONGEST_MESSAGE)}`);
  for (const test of assertionResults.filter(isFailed))
    console.log(`  ${test.fullName}\n${(test.failureMessages ?? []).join("\n").slice(0, LONGEST_MESSAGE)}`);
}

function isFailed({ status }: { readonly status: string }): boolean {
  return status === "failed";
}

type Counted = Exclude<keyof z.infer<typeof reportSchema>, "testResults">;
const count = (name: Counted): number => reports.reduce((sum, report) => sum + report[name], 0);
const passed = count("numPassedTests");
/** Files that could not be loaded, for one. */
const withoutTest = reports
  .flatMap(({ testResults }) => testResults)
  .filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some(isFailed));
const failed = count("numFailedTests") + withoutTest.length;
const skipped = count("numPendingTests") + count("numTodoTests");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
const isEachRun = reports.every((report) => report.numPassedTests > 0);
process.exitCode = failed === 0 && reports.length > 0 && isEachRun ? 0 : 1;
