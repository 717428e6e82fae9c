/** `gatepulse explain`: what a saved or pasted answer means. It sends nothing. */
import { explain as explainText } from "../explain/explain.ts";
import { type Kind, KINDS } from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { command, type CommandLine } from "./command.ts";
import { type ExitCode, exitCodeOf } from "./exit-code.ts";
import { readInput } from "./explain-input.ts";
import { explanationJson, explanationText } from "./explain-output.ts";
import { secretsAround } from "./explain-secrets.ts";
import { harmless } from "./terminal.ts";
import { EXPLAIN_USAGE } from "./usage.ts";

const OPTIONS = {
  kind: { type: "string" },
  "key-env": { type: "string" },
  json: { type: "boolean" },
} as const;

export const explain = command({ name: "explain", usage: EXPLAIN_USAGE, options: OPTIONS }, async (line) => {
  const { wanted, io, refuse } = line;
  if (wanted.positionals.length > 1) return refuse("give at most one file");
  const [file = "-"] = wanted.positionals;
  const { kind: kindName, "key-env": keyName } = wanted.texts;
  const kind = KINDS.find((known) => known === kindName) ?? null;
  if (kindName !== undefined && kind === null) return refuse(`--kind is one of ${KINDS.join(", ")}`);
  if (keyName !== undefined && (io.env[keyName] ?? "") === "") {
    return refuse("--key-env takes the name of an environment variable that is set");
  }
  const redact = createRedactor(await secretsAround(keyName ?? null, io.cwd, io.env));
  const read = await readInput(file === "-" ? null : file, io);
  if (!read.ok) {
    const name = file === "-" ? "standard input" : harmless(redact(file));
    return refuse(`${name} ${read.problem}`);
  }
  return explainAndPrint({ text: read.text, kind, redact, json: wanted.flags["json"] === true }, line);
});

interface Job {
  readonly text: string;
  readonly kind: Kind | null;
  readonly redact: Redact;
  readonly json: boolean;
}

function explainAndPrint({ text, kind, redact, json }: Job, { io, refuse }: CommandLine): ExitCode {
  const found = explainText(text, { kind, nowMs: io.clock.now(), timeZone: io.timeZone, redact });
  if (found === null) return refuse("there is nothing to explain");
  io.stdout.write(json ? explanationJson(found) : explanationText(found, io.stdout, io.env));
  return exitCodeOf(found.diagnosis);
}
