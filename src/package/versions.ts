/** Versions like 0.3.0, and the entries of CHANGELOG.md: the first lines of each say what to do to upgrade. */

/** The one that a range such as ^4.2 begins with; null: the text is no range. */
export function versionIn(spec: string): string | null {
  return /^[~^=>]*(\d+(?:\.\d+)*(?:-[\w.]+)?)/.exec(spec)?.[1] ?? null;
}

/** Below 0: `one` is older. Numbers are compared as numbers; 1.0.0-rc.1 comes before 1.0.0. */
export function compareVersions(one: string, other: string): number {
  const [main = "", early] = split(one);
  const [otherMain = "", otherEarly] = split(other);
  const difference = main.localeCompare(otherMain, "en", { numeric: true });
  if (difference !== 0 || early === otherEarly) return difference;
  if (early === undefined) return 1;
  return otherEarly === undefined ? -1 : early.localeCompare(otherEarly, "en", { numeric: true });
}

function split(version: string): readonly string[] {
  const dash = version.indexOf("-");
  return dash === -1 ? [version] : [version.slice(0, dash), version.slice(dash + 1)];
}

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
