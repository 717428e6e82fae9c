/** Versions like 0.3.0. */

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
