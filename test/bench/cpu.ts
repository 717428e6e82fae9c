/** CPU time of the runtime, which Linux alone tells: utime and stime of the process. */
import { readdirSync, readFileSync } from "node:fs";

/** As the kernel reports to programs, on every architecture. */
const TICK_MS = 10;

/** The workerd processes that this process started; empty where they cannot be told. */
export function workerdProcesses(): readonly number[] {
  return processes().filter((pid) => {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(read(pid, "stat")) ?? [];
    return name === "workerd" && Number(parent) === process.pid;
  });
}

/** Milliseconds so far; null where they cannot be told. */
export function cpuMs(pid: number | null): number | null {
  if (pid === null) return null;
  const fields = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  const [utime, stime] = [fields[11], fields[12]].map(Number);
  if (utime === undefined || stime === undefined || Number.isNaN(utime + stime)) return null;
  return (utime + stime) * TICK_MS;
}

function processes(): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Empty where the process is gone. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
