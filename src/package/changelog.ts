/** Reads CHANGELOG.md. The first lines of each entry say what to do to upgrade. */
import { compareVersions } from "./versions.ts";

export interface ChangelogEntry {
  readonly version: string;
  /** Markdown, without the heading. */
  readonly text: string;
}

const HEADING = /^## (.+)$/m;

/** In the order of the file: the newest first. */
export function changelogEntries(markdown: string): readonly ChangelogEntry[] {
  const [, ...parts] = markdown.split(HEADING);
  return parts.flatMap((version, at) =>
    at % 2 === 0 ? [{ version, text: (parts[at + 1] ?? "").trim() }] : [],
  );
}

/** What changed after `from`, up to `to`. */
export function entriesBetween(markdown: string, from: string, to: string): readonly ChangelogEntry[] {
  return changelogEntries(markdown).filter(
    ({ version }) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0,
  );
}
