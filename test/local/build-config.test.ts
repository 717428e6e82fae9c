/** What wrangler's build is given: the parsed configuration, the kinds of channels that it uses, and canaries if it has any. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import type { channelKind } from "../../src/alert/channels.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const CONFIG = {
  title: "Gateways",
  gateways: [{ id: "acme", name: "Acme", baseUrl: "https://acme.example", apiKey: "ACME_API_KEY" }],
  alerts: [
    { id: "team", kind: "slack", url: "SLACK_URL" },
    { id: "keys", kind: "slack", url: "KEYS_URL" },
    { id: "phone", kind: "ntfy", url: "NTFY_URL" },
  ],
};

/** The project after its configuration was built. */
async function projectOf(written: object): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "gatepulse-build-"));
  onTestFinished(() => rm(project, { recursive: true }));
  await symlink(join(ROOT, "src"), join(project, "src"));
  await writeFile(join(project, "gatepulse.config.ts"), `export default ${JSON.stringify(written)};`);
  await promisify(execFile)(process.execPath, [join(ROOT, "src/local/build-config.ts")], { cwd: project });
  return project;
}

async function bundle(entry: string) {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  return { inputs: Object.keys(metafile.inputs), text: outputFiles[0]?.text ?? "" };
}

test("a deployment has the kinds of channels that it uses, and no others", async () => {
  const project = await projectOf(CONFIG);
  const config = JSON.parse(await readFile(join(project, ".gatepulse/config.json"), "utf8"));
  expect(config.alerts).toMatchObject(CONFIG.alerts.map(({ id, kind }) => ({ id, kind })));
  const { inputs, text } = await bundle(join(project, ".gatepulse/channels.js"));
  const kinds = inputs.flatMap((path) => /channels\/(\w+)\.ts$/u.exec(path)?.[1] ?? []);
  expect(kinds.toSorted()).toEqual(["ntfy", "slack"]);
  const built: { readonly channelKind: typeof channelKind } = await import(
    `data:text/javascript,${encodeURIComponent(text)}`
  );
  for (const channel of config.alerts) expect(built.channelKind(channel)).toMatchObject({ bundles: true });
});

test.for([
  { canaries: [], has: false },
  { canaries: [{ kind: "chat", model: "gpt-4o-mini", every: "1h" }], has: true },
])("a deployment has the code of canaries: $has", async ({ canaries, has }) => {
  const gateways = CONFIG.gateways.map((gateway) => ({
    ...gateway,
    monitors: [{ kind: "models" }, ...canaries],
  }));
  const project = await projectOf({ ...CONFIG, gateways });
  const { inputs } = await bundle(join(project, ".gatepulse/canaries.js"));
  expect(inputs.some((path) => path.endsWith("src/probe/canary-probe.ts"))).toBe(has);
});
