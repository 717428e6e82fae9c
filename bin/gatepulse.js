#!/usr/bin/env node
// In a checkout the sources run as they are; the published package brings what was built of them.
import { existsSync } from "node:fs";

const sources = new URL("../src/commands/main.ts", import.meta.url);
try {
  await import(existsSync(sources) ? sources.href : "../dist/cli.js");
} catch (error) {
  if (error?.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
  process.stderr.write(
    `gatepulse: Node ${process.versions.node} does not run the sources of a checkout, which are TypeScript: use npx gatepulse, which brings its own Node, or Node 24\n`,
  );
  process.exitCode = 2;
}
