/** A reporter for vitest: the last line of a run says what was skipped, and how to have it run. */
import type { Reporter, TestModule } from "vitest/node";
import { missingPrograms } from "./programs.ts";

export default class Skipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]).length;
    if (skipped === 0) return;
    const missing = missingPrograms();
    const why = missing.length === 0 ? "" : ` Not installed here: ${missing.join("; ")}.`;
    console.log(`${skipped} tests were skipped. \`npm run test:full\` plays those that take long.${why}`);
  }
}
