/** The Worker that `gatepulse build` makes: what the configuration uses is in it, and nothing else of its kind. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/load.ts";
import { buildProject } from "../../src/local/build.ts";
import { packagePath } from "../../src/package/root.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Words that only one of the parts has. */
const MARKS = {
  slack: "mrkdwn",
  ntfy: "rotating_light",
  discord: "allowed_mentions",
  canary: "max_tokens",
};

const GATEWAY = { id: "acme", name: "Acme", baseUrl: "https://acme.example", apiKey: "ACME_API_KEY" };

async function partsOf(written: object): Promise<readonly string[]> {
  const project = await temporaryDirectory();
  await mkdir(join(project, "src"));
  const worker = JSON.stringify(packagePath("src/index.ts"));
  await writeFile(join(project, "src/index.ts"), `export { default, Ledger, Vantage } from ${worker};\n`);
  await buildProject(project, readConfig({ title: "Gateways", ...written }));
  const script = await readFile(join(project, ".gatepulse/worker.js"), "utf8");
  expect(script).toContain("https://acme.example");
  return Object.keys(MARKS).filter((part) => script.includes(MARKS[part as keyof typeof MARKS]));
}

test("a Worker has the kinds of channels that it uses, and no canaries without any", async () => {
  const alerts = [
    { id: "team", kind: "slack", url: "SLACK_URL" },
    { id: "keys", kind: "slack", url: "KEYS_URL" },
    { id: "phone", kind: "ntfy", url: "NTFY_URL" },
  ];
  expect(await partsOf({ gateways: [GATEWAY], alerts })).toEqual(["slack", "ntfy"]);
});

test("a Worker with a canary has their code", async () => {
  const monitors = [{ kind: "models" }, { kind: "chat", model: "gpt-4o-mini", every: "1h" }];
  expect(await partsOf({ gateways: [{ ...GATEWAY, monitors }] })).toEqual(["canary"]);
});
