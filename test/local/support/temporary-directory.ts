/** Empty directories that are removed with what they were made for. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** @param whenOver default: after the test. `afterAll`: after the file; a test that runs beside others gives its own. */
export async function temporaryDirectory(
  whenOver: (clean: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-"));
  whenOver(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Call it at the top of a file. */
export function directoryOfFile(): Promise<string> {
  return temporaryDirectory((clean) => afterAll(clean));
}
