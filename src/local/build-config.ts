/**
 * `npm run build:config`, which wrangler runs before each build: it writes the parsed configuration into the file that
 * `#config` names, so that no isolate has to parse it. `#channels` has only the kinds of channels that it uses, and
 * `#canaries` is empty if it has no canary.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { loadConfigFile } from "../cli/config-file.ts";
import { readConfig } from "../config/load.ts";

const FILE = "gatepulse.config.ts";

const loaded = await loadConfigFile(FILE, process.env);
if (!loaded.ok) throw new Error(`${FILE} ${loaded.problem}`);
await mkdir(".gatepulse", { recursive: true });
const config = readConfig(loaded.value);
await writeFile(".gatepulse/config.json", JSON.stringify(config));

const kinds = [...new Set(config.alerts.map(({ kind }) => kind))];
const imports = kinds.map((kind) => `import { ${kind} } from "../src/alert/channels/${kind}.ts";`);
const table = `const KINDS = { ${kinds.join(", ")} };`;
const lines = [...imports, table, "export const channelKind = ({ kind }) => KINDS[kind];", ""];
await writeFile(".gatepulse/channels.js", lines.join("\n"));

const hasCanary = config.gateways.some(({ monitors }) => monitors.some(({ canary }) => canary !== null));
await writeFile(
  ".gatepulse/canaries.js",
  hasCanary
    ? 'export { runCanaryProbe } from "../src/probe/canary-probe.ts";\n'
    : "export const runCanaryProbe = null;\n",
);
