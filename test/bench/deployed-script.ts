import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The Worker as `wrangler deploy` would upload it, minified. */
export async function deployedScript(more: readonly string[] = []): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  try {
    const wrangler = join(
      dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
      "bin/wrangler.js",
    );
    const args = [wrangler, "deploy", "--dry-run", "--outdir", directory, ...more];
    await promisify(execFile)(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    return await readFile(join(directory, "index.js"), "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
