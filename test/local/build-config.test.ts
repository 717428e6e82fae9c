/** What wrangler's build is given: the parsed configuration, and the kinds of channels that it uses. */
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

test("a deployment has the kinds of channels that it uses, and no others", async () => {
  const project = await mkdtemp(join(tmpdir(), "gatepulse-build-"));
  onTestFinished(() => rm(project, { recursive: true }));
  await symlink(join(ROOT, "src"), join(project, "src"));
  await writeFile(join(project, "gatepulse.config.ts"), `export default ${JSON.stringify(CONFIG)};`);
  await promisify(execFile)(process.execPath, [join(ROOT, "src/local/build-config.ts")], { cwd: project });

  const config = JSON.parse(await readFile(join(project, ".gatepulse/config.json"), "utf8"));
  expect(config.alerts).toMatchObject(CONFIG.alerts.map(({ id, kind }) => ({ id, kind })));
  const entryPoints = [join(project, ".gatepulse/channels.js")];
  const { metafile, outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const kinds = Object.keys(metafile.inputs).flatMap((path) => /channels\/(\w+)\.ts$/u.exec(path)?.[1] ?? []);
  expect(kinds.toSorted()).toEqual(["ntfy", "slack"]);
  const built: { readonly channelKind: typeof channelKind } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
  );
  for (const channel of config.alerts) expect(built.channelKind(channel)).toMatchObject({ bundles: true });
});
