/** Makes a directory, and those above it. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Not with `recursive`: Node tries for ever where `/proc` refuses, and calls a read-only file system ENOENT. */
export async function makeDirectory(directory: string, mode = 0o777): Promise<void> {
  const make = () => mkdir(directory, { mode });
  await make().catch(async (error: unknown) => {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    await makeDirectory(dirname(directory), mode);
    await make();
  });
}
