/** What an upgrade changes in the files of a project. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareVersions, versionIn } from "../../package/versions.ts";
import { changedLines, mergeText } from "../merge.ts";
import { renderProject } from "../template.ts";
import { installedTemplate, type InstalledProject } from "./installed.ts";

export interface FileChange {
  readonly path: string;
  /** Null: it is new. */
  readonly before: string | null;
  readonly after: string;
  /** The user's file could not take the new lines: the whole new file comes beside it. */
  readonly isConflict: boolean;
}

const MANIFEST = "package.json";

/** package.json is the last, and always there. @param spec what it asks for: a version, or where a tarball is. */
export async function fileChanges(project: InstalledProject, spec: string): Promise<readonly FileChange[]> {
  const base = await installedTemplate(project);
  const next = renderProject({ ...project.answers, gatepulse: spec });
  const changes: FileChange[] = [];
  for (const [path, after] of next) {
    const mine = await readFile(join(project.directory, path), "utf8").catch(() => null);
    if (path === MANIFEST) continue;
    const change = fileChange(path, mine, base?.get(path) ?? null, after);
    if (change !== null) changes.push(change);
  }
  return [...changes, await manifestChange(project, base?.get(MANIFEST) ?? null, next.get(MANIFEST) ?? "")];
}

/** @param base as the installed version made it; null: it made no such file. */
function fileChange(
  path: string,
  mine: string | null,
  base: string | null,
  after: string,
): FileChange | null {
  // The user has removed it.
  if (mine === null && base !== null) return null;
  if (mine === null) return { path, before: null, after, isConflict: false };
  if (mine === after || base === after) return null;
  const merged = base === null ? null : mergeText(mine, base, after);
  if (merged === mine) return null;
  if (merged !== null) return { path, before: mine, after: merged, isConflict: false };
  return { path: `${path}.new`, before: null, after, isConflict: true };
}

async function manifestChange(
  { directory }: InstalledProject,
  base: string | null,
  next: string,
): Promise<FileChange> {
  const before = await readFile(join(directory, MANIFEST), "utf8");
  const { devDependencies: versions = {} } = JSON.parse(next) as Manifest;
  const mine = withVersions(before, versions);
  const merged = base === null ? completed(mine, next) : mergeText(mine, withVersions(base, versions), next);
  return { path: MANIFEST, before, after: merged ?? mine, isConflict: false };
}

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

/** What a project needs that it does not have. */
function completed(mine: string, next: string): string {
  const own = JSON.parse(mine) as Manifest;
  const groups = Object.entries(JSON.parse(next) as Manifest).map(([key, members]) => {
    const written = own[key];
    if (typeof members !== "object") return [key, written ?? members];
    const missing = Object.entries(members).filter(([name]) => own["dependencies"]?.[name] === undefined);
    return [key, { ...Object.fromEntries(missing), ...written }];
  });
  return `${JSON.stringify({ ...own, ...Object.fromEntries(groups) }, null, 2)}\n`;
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
  if (lines.length === 0) return "";
  const more = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}\n`);
  return `${path}:\n${shown.join("")}${more > 0 ? `  … and ${more} more lines\n` : ""}`;
}

/** What the project has of them. */
export function existing(directory: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => existsSync(join(directory, path)));
}
