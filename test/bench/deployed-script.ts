import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { readConfig } from "../../src/config/load.ts";
import { buildProject } from "../../src/local/build.ts";
import { packagePath } from "../../src/package/root.ts";

/** The Worker as a project with this configuration deploys it. */
export async function deployedScript(config: ConfigInput): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  try {
    await mkdir(join(project, "src"));
    const worker = JSON.stringify(packagePath("src/index.ts"));
    await writeFile(join(project, "src/index.ts"), `export { default, Ledger, Vantage } from ${worker};\n`);
    await buildProject(project, readConfig(config));
    return await readFile(join(project, ".gatepulse/worker.js"), "utf8");
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}
