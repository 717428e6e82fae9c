/** What an upgrade changes in the files of a project. */
import { join } from "node:path";
import { compareVersions, versionIn } from "../../package/versions.ts";
import { textAt, type Files } from "../files.ts";
import { changedLines, mergeText } from "../merge.ts";
import { renderProject } from "../template.ts";
import type { InstalledProject } from "./installed.ts";

export interface FileChange {
  readonly path: string;
  /** Null: it is new. */
  readonly before: string | null;
  readonly after: string;
  /** The user's file could not take the new lines: the whole new file comes beside it. */
  readonly isConflict: boolean;
}

const MANIFEST = "package.json";

/** package.json is the last. @param base by path, as the installed version made it. @param spec what package.json asks for. */
export async function fileChanges(
  { directory, answers }: InstalledProject,
  base: Files,
  spec: string,
): Promise<readonly FileChange[]> {
  const next = renderProject({ ...answers, gatepulse: spec });
  const { devDependencies: versions } = JSON.parse(next.get(MANIFEST) ?? "") as Manifest;
  const changes: FileChange[] = [];
  for (const [path, after] of [...next].reverse()) {
    const before = await textAt(join(directory, path));
    const prepare = (text: string | null) =>
      text === null || path !== MANIFEST ? text : withVersions(text, versions);
    const change = fileChange(path, before, prepare(before), prepare(base.get(path) ?? null), after);
    if (change !== null) changes.push(change);
  }
  return changes;
}

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** @param mine of the user, with the new versions. @param base as the installed version made it; null: it made no such file. */
function fileChange(
  path: string,
  before: string | null,
  mine: string | null,
  base: string | null,
  after: string,
): FileChange | null {
  // The user has removed it.
  if (mine === null && base !== null) return null;
  if (mine === null) return { path, before: null, after, isConflict: false };
  // An upgrade that did not end, or that one went back from, leaves new files.
  const merged = mine === after ? mine : base === null ? null : mergeText(mine, base, after);
  if (merged === null && path !== MANIFEST)
    return { path: `${path}.new`, before: null, after, isConflict: true };
  return merged === before ? null : { path, before, after: merged ?? mine, isConflict: false };
}

/** Sets those that are named, and keeps newer ones and everything else. */
export function withVersions(manifest: string, versions: Readonly<Record<string, string>>): string {
  return manifest.replaceAll(/"(?:devD|d)ependencies"\s*:\s*\{[^}]*\}/g, (group) =>
    group.replaceAll(
      /"([^"]+)"(\s*:\s*)"([^"]*)"/g,
      (whole, name: string, colon: string, version: string) => {
        const wanted = versions[name];
        return wanted === undefined || isNewer(version, wanted) ? whole : `"${name}"${colon}"${wanted}"`;
      },
    ),
  );
}

function isNewer(version: string, other: string): boolean {
  const [own, next] = [versionIn(version), versionIn(other)];
  return own !== null && next !== null && compareVersions(own, next) > 0;
}

const MOST_LINES = 40;

/** For people. */
export function changeText({ path, before, after, isConflict }: FileChange): string {
  if (isConflict)
    return `${path}: you changed the same lines of ${path.replace(/\.new$/, "")} as the new version. Yours stays; take from this one what you need.\n`;
  if (before === null) return `${path}: new\n`;
  const lines = changedLines(before, after);
  const more = lines.length - MOST_LINES;
  const shown = [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more lines`] : [])];
  return lines.length === 0 ? "" : `${path}:\n${shown.map((line) => `  ${line}\n`).join("")}`;
}
