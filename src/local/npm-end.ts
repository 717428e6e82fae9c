/**
 * npm hands a signal on to the shell that it started, and not every shell hands it on to its program (dash does not): who
 * runs below npm has to see for itself that npm has ended.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAlive } from "./persist-lock.ts";

const POLL_MS = 250;

/** Resolves once the npm that started this process, or its shell, is gone; never where there is none. */
export function npmEnded(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  // Windows tells nobody of a parent's end, and has no signals to hand on.
  const isBelowNpm = env["npm_lifecycle_event"] !== undefined && process.platform !== "win32";
  if (!isBelowNpm) return new Promise(() => undefined);
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && (npm === null || isAlive(npm))) return;
      clearInterval(timer);
      resolve();
    }, POLL_MS);
    timer.unref();
  });
}

/** Where npm's shell has become the program itself, its parent is npm, whose own parent is none of our business. */
function parentOfShell(pid: number): number | null {
  const { name, parent } = processOf(pid);
  return /(?:^|[-/])\w*sh$/.test(name) ? parent : null;
}

/** Its name, empty where the system does not tell, and the number of its parent. */
function processOf(pid: number): { readonly name: string; readonly parent: number | null } {
  try {
    const text =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/stat`, "utf8")
        : execFileSync("ps", ["-o", "pid=,comm=,ppid=", "-p", String(pid)], { encoding: "utf8" });
    const [, name = "", parent = ""] = NAME_AND_PARENT.exec(text.trim()) ?? [];
    return { name, parent: parent === "" ? null : Number(parent) };
  } catch {
    return { name: "", parent: null };
  }
}

/** `12 (sh) S 11 …` in Linux's own words, `12 sh 11` in those of `ps`. */
const NAME_AND_PARENT = /^\d+ +\(?(.*?)\)? +(?:[A-Za-z] )?(\d+)(?: |$)/;
