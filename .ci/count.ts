/** Prints what vitest counted, as the last line of `.ci/run`; exits 1 when something failed or nothing ran. */
import { readFile } from "node:fs/promises";

const [file = ""] = process.argv.slice(2);
const report: unknown = JSON.parse(await readFile(file, "utf8"));
const count = (name: string): number => Number(Reflect.get(Object(report), name));
const passed = count("numPassedTests");
const failed = count("numFailedTests") + count("numFailedTestSuites");
const skipped = count("numPendingTests") + count("numTodoTests");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
