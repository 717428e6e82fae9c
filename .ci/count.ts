/** Prints what vitest counted in its runs, as the last line of `.ci/run`; exits 1 when something failed or nothing ran. */
import { readFile } from "node:fs/promises";

const files = process.argv.slice(2);
const reports = await Promise.all(
  files.map(async (file) => Object(JSON.parse(await readFile(file, "utf8"))) as Record<string, unknown>),
);
const count = (name: string): number => reports.reduce((sum, report) => sum + Number(report[name]), 0);
const passed = count("numPassedTests");
const failed = count("numFailedTests") + count("numFailedTestSuites");
const skipped = count("numPendingTests") + count("numTodoTests");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
const isEachRun = reports.every((report) => Number(report["numPassedTests"]) > 0);
process.exitCode = failed === 0 && reports.length > 0 && isEachRun ? 0 : 1;
