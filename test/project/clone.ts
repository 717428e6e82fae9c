/** A clone of an earlier repository, as small as it can be: its names, and what a user edits in it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const EARLIER = fileURLToPath(new URL("../fixtures/clones/", import.meta.url));
const NOW = fileURLToPath(new URL("../../wrangler.toml", import.meta.url));

export const CLONES = {
  "0.2.0": `${EARLIER}wrangler-0.2.0.toml`,
  main: `${EARLIER}wrangler-0.2.0-main.toml`,
  "0.3.0": NOW,
};

export const CONFIG = `import { defineConfig } from "./src/config/define-config.ts";
import { acme } from "./gateways/acme.ts";

// What the team watches.
export default defineConfig({ title: "Acme", gateways: [acme] });
`;

const ACME = `import type { GatewayInput } from "../src/config/define-config.ts";

export const acme: GatewayInput = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
`;

export type CloneFiles = Readonly<Record<string, string>>;

/** As it came, with a configuration. */
export function cloneFiles(of: keyof typeof CLONES = "0.2.0"): CloneFiles {
  return {
    "package.json": JSON.stringify({
      // The deploy button lets users choose one.
      name: of === "main" ? "acme-status" : "gatepulse",
      version: of === "main" ? "0.2.0" : of,
    }),
    "wrangler.toml": readFileSync(CLONES[of], "utf8"),
    "gatepulse.config.ts": CONFIG,
    "gateways/acme.ts": ACME,
    "src/worker.ts": "export {};\n",
    "src/config/define-config.ts":
      "export type GatewayInput = object;\nexport const defineConfig = (config: object) => config;\n",
    "docs/api.md": "# API\n",
    "README.md": "# Gatepulse\n",
    ".gitignore": "node_modules/\n.dev.vars\n/private\n",
    ".github/workflows/ci.yml": "name: ci\n",
    ".github/workflows/own.yml": "name: own\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".dev.vars": "ACME_API_KEY=key-of-acme\n",
    ".gatepulse/kv/blob": "history",
    "notes.md": "Ours.\n",
    "node_modules/.package-lock.json": "{}",
  };
}

export function writeClone(directory: string, files: CloneFiles): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
