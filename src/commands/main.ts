#!/usr/bin/env node
/** The program `gatepulse`. */
import { nodeIo } from "../cli/node-io.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), nodeIo());
