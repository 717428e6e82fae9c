/** The Worker as `wrangler deploy` would upload it: minified, and gzipped as the platform counts. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { atMost, type Row, row } from "./row.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The script as it is deployed. */
export async function deployedScript(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  try {
    const wrangler = join(
      dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
      "bin/wrangler.js",
    );
    const args = [wrangler, "deploy", "--dry-run", "--outdir", directory];
    await promisify(execFile)(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    return await readFile(join(directory, "index.js"), "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * A tenth of the 3 MB that the free plan takes. What the bytes are, gzipped by itself: the pages' words in two languages 23; the rest is code, of which no file is a fiftieth of the whole, and zod and hono are a twentieth together.
 * Start-up has a limit of its own: most of what the script adds to it is that it is read, and running it is the smaller part.
 */
const MOST_KILOBYTES = 300;

export function measureBundle(script: string): readonly Row[] {
  const [gzipped, bytes] = [gzipSync(script).length, Buffer.byteLength(script)];
  return [
    row("kB", "the Worker's bundle, minified and gzipped", gzipped / 1000, { limit: atMost(MOST_KILOBYTES) }),
    row("kB", "the Worker's bundle, minified", bytes / 1000),
  ];
}
