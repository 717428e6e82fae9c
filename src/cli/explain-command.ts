/** `gatepulse explain`: what a saved or pasted answer means. It sends nothing. */
import { explain as explainText } from "../explain/explain.ts";
import { type Kind, KINDS } from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-code.ts";
import { readInput } from "./explain-input.ts";
import { explanationJson, explanationText } from "./explain-output.ts";
import { secretsAround } from "./explain-secrets.ts";
import type { Io } from "./io.ts";
import { harmless } from "./terminal.ts";
import { EXPLAIN_USAGE } from "./usage.ts";

const OPTIONS = {
  kind: { type: "string" },
  "key-env": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function explain(args: readonly string[], io: Io): Promise<ExitCode> {
  const wanted = readArguments(args, OPTIONS);
  if (!wanted.ok) return refuse(wanted.problem, io);
  if (wanted.flags["help"] === true) {
    io.stdout.write(EXPLAIN_USAGE);
    return EXIT.ok;
  }
  if (wanted.positionals.length > 1) return refuse("give at most one file", io);
  const [file = "-"] = wanted.positionals;
  const { kind: kindName, "key-env": keyName } = wanted.texts;
  const kind = KINDS.find((known) => known === kindName) ?? null;
  if (kindName !== undefined && kind === null) return refuse(`--kind is one of ${KINDS.join(", ")}`, io);
  if (keyName !== undefined && (io.env[keyName] ?? "") === "") {
    return refuse("--key-env takes the name of an environment variable that is set", io);
  }
  const redact = createRedactor(await secretsAround(keyName ?? null, io.cwd, io.env));
  const read = await readInput(file === "-" ? null : file, io);
  if (!read.ok) {
    const name = file === "-" ? "standard input" : harmless(redact(file));
    return refuse(`${name} ${read.problem}`, io);
  }
  return explainAndPrint({ text: read.text, kind, redact, json: wanted.flags["json"] === true }, io);
}

interface Job {
  readonly text: string;
  readonly kind: Kind | null;
  readonly redact: Redact;
  readonly json: boolean;
}

function explainAndPrint({ text, kind, redact, json }: Job, io: Io): ExitCode {
  const found = explainText(text, { kind, nowMs: io.clock.now(), timeZone: io.timeZone, redact });
  if (found === null) return refuse("there is nothing to explain", io);
  io.stdout.write(json ? explanationJson(found) : explanationText(found, io.stdout, io.env));
  return exitCodeOf(found.diagnosis);
}

function refuse(problem: string, io: Io): ExitCode {
  io.stderr.write(`gatepulse explain: ${problem}\nSee gatepulse explain --help.\n`);
  return EXIT.usage;
}
