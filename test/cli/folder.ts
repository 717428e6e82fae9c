/** Folders that are empty at first and gone at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const newFolder = () => mkdtempSync(join(tmpdir(), "gatepulse-cli-"));

/** One for all tests of a file. */
export function folderOfFile(): string {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** One for the test that runs. */
export function folderOfTest(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
