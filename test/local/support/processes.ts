/** The runtime's processes, as Linux shows them. */
import { readdirSync, readFileSync } from "node:fs";

/** The workerd processes that this process started. */
export function workerdProcesses(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readProc(pid, "stat")) ?? [];
      return name === "workerd" && Number(parent) === process.pid;
    })
    .map(Number);
}

/** The most memory that the process ever held. @throws where it cannot be read. */
export function peakMemoryBytes(pid: number | null): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readProc(String(pid), "status")) ?? [];
  if (kilobytes === undefined) throw new Error("the runtime's memory cannot be read");
  return Number(kilobytes) * 1024;
}

/** Empty where the process is gone. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
