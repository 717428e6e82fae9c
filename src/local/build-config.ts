/**
 * `npm run build:config`, which wrangler runs before each build: the configuration, parsed, in the file that `#config` names. So
 * the Worker need not parse it in each isolate.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { loadConfigFile } from "../cli/config-file.ts";
import { readConfig } from "../config/load.ts";

const FILE = "gatepulse.config.ts";

const loaded = await loadConfigFile(FILE, process.env);
if (!loaded.ok) throw new Error(`${FILE} ${loaded.problem}`);
await mkdir(".gatepulse", { recursive: true });
await writeFile(".gatepulse/config.json", JSON.stringify(readConfig(loaded.value)));
