/** CPU time of the runtime, which Linux alone tells: utime and stime of the process. */
import { readdirSync, readFileSync } from "node:fs";

/** As the kernel reports to programs, on every architecture. */
const TICK_MS = 10;

/** The runtime that `start` starts, and its process; null where that cannot be told. */
export async function withPid<Started>(
  start: () => Promise<Started>,
): Promise<{ started: Started; pid: number | null }> {
  const before = workerdProcesses();
  const started = await start();
  return { started, pid: workerdProcesses().find((pid) => !before.includes(pid)) ?? null };
}

/** The workerd processes that this process started; none where they cannot be told. */
function workerdProcesses(): readonly number[] {
  return processes().filter((pid) => {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(read(pid, "stat")) ?? [];
    return name === "workerd" && Number(parent) === process.pid;
  });
}

/** Milliseconds so far. */
function cpuMs(pid: number | null): number | null {
  if (pid === null) return null;
  const fields = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  const [utime, stime] = [fields[11], fields[12]].map(Number);
  if (utime === undefined || stime === undefined || Number.isNaN(utime + stime)) return null;
  return (utime + stime) * TICK_MS;
}

/** Milliseconds that `work` cost the process; null where they cannot be told. */
export async function cpuOf(pid: number | null, work: () => Promise<unknown>): Promise<number | null> {
  const before = cpuMs(pid);
  await work();
  const after = cpuMs(pid);
  return before === null || after === null ? null : after - before;
}

/** The same to the nanosecond, by what the scheduler counted for each thread. */
export async function fineCpuOf(pid: number | null, work: () => Promise<unknown>): Promise<number | null> {
  const before = scheduledMs(pid);
  await work();
  const after = scheduledMs(pid);
  return before === null || after === null ? null : after - before;
}

function scheduledMs(pid: number | null): number | null {
  if (pid === null) return null;
  let nanoseconds = 0;
  for (const thread of threadsOf(pid)) {
    nanoseconds += Number(read(pid, `task/${thread}/schedstat`).split(" ")[0]);
  }
  return nanoseconds > 0 ? nanoseconds / 1e6 : null;
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
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
