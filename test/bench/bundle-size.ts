/** The Worker as `wrangler deploy` would upload it: minified, and gzipped as the platform counts. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Row } from "./row.ts";

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
 * Watch and report took 98; the nine channels, the outbox and administration 40; the pages' words in two languages, the
 * formats of other programs and the API's description 48; canaries 27: their settings, verdicts, words and figures; explaining
 * what people paste 30: 7 for its page, its words in two languages and its part of the API, the rest for the forms that a paste
 * may have and the page of causes. Start-up has a limit of its own.
 */
const MOST_KILOBYTES = 250;

export function measureBundle(script: string): readonly Row[] {
  const kilobytes = (bytes: number): Row["figure"] => ({ value: bytes / 1000, unit: "kB" });
  return [
    {
      what: "the Worker's bundle, minified and gzipped",
      figure: kilobytes(gzipSync(script).length),
      floor: null,
      limit: { bound: "at most", of: "figure", value: MOST_KILOBYTES },
    },
    { what: "  before gzip", figure: kilobytes(Buffer.byteLength(script)), floor: null, limit: null },
  ];
}
