#!/usr/bin/env node
// In a checkout the sources run as they are; the published package brings what was built of them.
import { existsSync } from "node:fs";

const sources = new URL("../src/cli/main.ts", import.meta.url);
await import(existsSync(sources) ? sources.href : "../dist/cli.js");
