/** Ends work as a kill does: from one call of the file system on, nothing happens any more, not even in a `finally`. */
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const NAMES = ["cp", "mkdir", "rename", "rm", "writeFile"] as const;

/** @returns false: the work ended before that call. */
export async function stoppedAtCall(number: number, work: () => Promise<unknown>): Promise<boolean> {
  const real = { ...files };
  const { promise: stopped, resolve: stop } = Promise.withResolvers<boolean>();
  let calls = 0;
  for (const name of NAMES) {
    const call = real[name] as (...args: readonly unknown[]) => Promise<unknown>;
    const counted = (...args: readonly unknown[]): Promise<unknown> => {
      calls += 1;
      if (calls < number) return call(...args);
      stop(true);
      return new Promise(() => undefined);
    };
    Object.assign(files, { [name]: counted });
  }
  syncBuiltinESMExports();
  try {
    return await Promise.race([stopped, work().then(() => false)]);
  } finally {
    Object.assign(files, real);
    syncBuiltinESMExports();
  }
}
