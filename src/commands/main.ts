#!/usr/bin/env node
/** The program `gatepulse`. The language is chosen before the modules that have words are loaded. */
import { speak } from "../config/spoken.ts";
import { chosenLanguage } from "../cli/language.ts";

const { language, rest } = chosenLanguage(process.argv.slice(2), process.env, process.cwd());
if (language === "zh") speak(language, (await import("../cli/zh.json", { with: { type: "json" } })).default);
const [{ run }, { nodeIo }] = await Promise.all([import("./run.ts"), import("../cli/node-io.ts")]);
process.exitCode = await run(rest, nodeIo());
