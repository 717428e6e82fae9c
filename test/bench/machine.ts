/** Where and with what something was measured, in a line. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import { promisify } from "node:util";

/** Such as `2026-11-22 18:02 UTC, AMD EPYC (2 cores, 24 GB), Linux 6.1.0; Node 24.21.0, …`. */
export async function placeAndTime(nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().slice(0, 16).replace("T", " ");
  return `${time} UTC, ${machine()}; ${(await versions()).join(", ")}`;
}

function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  const gigabytes = Math.round(totalmem() / 1e9);
  return `${model} (${processors.length} cores, ${gigabytes} GB), ${type()} ${release()}`;
}

async function versions(): Promise<readonly string[]> {
  const manifest: { readonly devDependencies: object } = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  // Pinned: what is named there is what ran.
  const pinned = ["workerd", "wrangler"].map(
    (name) => `${name} ${String(Reflect.get(manifest.devDependencies, name))}`,
  );
  const exporter = await exporterVersion();
  return [
    `Node ${process.versions.node}`,
    ...pinned,
    ...(exporter === null ? [] : [`blackbox exporter ${exporter}`]),
  ];
}

/** Of Debian's prometheus-blackbox-exporter; null: it is not installed. */
export async function exporterVersion(): Promise<string | null> {
  try {
    const { stdout, stderr } = await promisify(execFile)("prometheus-blackbox-exporter", ["--version"]);
    return /version ([\w.+-]+)/.exec(stdout + stderr)?.[1] ?? "of an unknown version";
  } catch {
    return null;
  }
}
