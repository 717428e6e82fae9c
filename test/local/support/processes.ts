/** The runtime's processes, as Linux shows them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The workerd processes that a process started, itself or through others; default: this one. */
export function workerdProcesses(ancestor: number = process.pid): readonly number[] {
  const all = new Map(
    (existsSync("/proc") ? readdirSync("/proc") : [])
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        const [, name = "", parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readProc(pid, "stat")) ?? [];
        return [Number(pid), { name, parent: Number(parent) }] as const;
      }),
  );
  const descends = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0;
    return parent === ancestor || (parent > 1 && descends(parent));
  };
  return [...all.keys()].filter((pid) => all.get(pid)?.name === "workerd" && descends(pid));
}

/** The most memory that the process ever held. @throws where it cannot be read. */
export function peakMemoryBytes(pid: number | null): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readProc(String(pid), "status")) ?? [];
  if (kilobytes === undefined) throw new Error("the runtime's memory cannot be read");
  return Number(kilobytes) * 1024;
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Nothing happens where the process is gone already. */
export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, "code") === "ESRCH")) throw error;
  }
}

/** Empty where the process is gone. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
