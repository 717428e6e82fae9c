/** `gatepulse probe`: the reference diagnostic, once, from this machine. */
import { t } from "../config/spoken.ts";
import { MODELS_PATH, judgeBaseUrl } from "../config/base-url.ts";
import { looksLikeSecret } from "../config/secret-shape.ts";
import { instant } from "../domain/calendar.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { buildReport, listRequest, type Report } from "../domain/report.ts";
import { checkRows, readGateway } from "../project/setup/plan-gateway.ts";
import { VERSION } from "../probe/version.ts";
import { completed } from "../protocol/causes.ts";
import { OPERATORS, type Diagnosis } from "../protocol/diagnosis.ts";
import { appendSummary, SUMMARY, adviceWords, diagnosisText, painterFor } from "../cli/terminal.ts";
import { createRedactor } from "../protocol/redaction/redact.ts";
import {
  Refusal,
  EXIT,
  OPERATOR,
  command,
  exitCodeOf,
  flag,
  option,
  oneOf,
  type Io,
} from "../cli/command.ts";
import { DEFAULT_KEY_ENV } from "../cli/config-file.ts";

interface ProbeResult {
  readonly endpoint: string;
  readonly outcome: ProbeOutcome;
  readonly diagnosis: Diagnosis;
  /** Null when ok. */
  readonly report: Report | null;
}

function probeJson({ endpoint, outcome, diagnosis, report }: ProbeResult): string {
  const { startedAtMs, durationMs, attempts, modelCount } = outcome;
  const startedAt = instant(startedAtMs);
  return `${JSON.stringify({ startedAt, durationMs, endpoint, attempts, modelCount, diagnosis, report })}\n`;
}

/** @param reproduce for this shell; a report names the usual variable. */
function probeText(
  { endpoint, outcome, diagnosis, reproduce }: ProbeResult & { readonly reproduce: string | null },
  io: Io,
): string {
  const paint = painterFor(io.stdout.isTTY, io.env);
  const text = diagnosisText(
    diagnosis,
    checkRows(endpoint, outcome),
    sentencesOf({ ...outcome, diagnosis }),
    paint,
  );
  if (reproduce === null) return text;
  return `${text}\n${paint(t`To see it for yourself:`, "dim")}\n${reproduce}\n`;
}

function sentencesOf({ diagnosis }: ProbeOutcome): readonly string[] {
  const advice = adviceWords(diagnosis);
  const { retry } = diagnosis;
  if (!retry.allowed || retry.afterSeconds === null || retry.afterSeconds === 0) return [advice];
  return [advice, t`Run later: the gateway asks to wait ${retry.afterSeconds} s.`];
}

const OPTIONS = {
  "key-env": option("NAME", t`the variable with the key (default GATEWAY_API_KEY, or else standard input)`),
  ...OPERATOR,
  "insecure-http": flag(t`allow http to a public host: the key is then sent unencrypted`),
  json: flag(t`print one JSON object`),
  ...SUMMARY,
};

const MAX_KEY_BYTES = 65_536;

export const probe = command("probe", OPTIONS, async (line) => {
  const { values, argument, io } = line;
  const judged = judgeBaseUrl(argument, { insecureHttp: values["insecure-http"] === true });
  if (!judged.ok) {
    const faults = judged.faults.map(({ problem, fix }) => t`the base address ${problem}: ${fix}`);
    throw new Refusal(faults.join("\ngatepulse probe: ").replace("insecureHttp: true", "--insecure-http"));
  }
  const operator = oneOf("operator", OPERATORS, values.operator);
  const key = await readKey(values["key-env"], io);
  const { baseUrl } = judged;
  const read = await readGateway({ ...key, baseUrl }, io, io.stderr.isTTY ? io.stderr : null);
  // Only workerd counts requests; Node sends them all.
  if (read === null) return EXIT.others;
  const { outcome } = read;
  const diagnosis = completed(outcome.diagnosis, operator);
  const redact = createRedactor([key.key]);
  const endpoint = redact(baseUrl + MODELS_PATH);
  const report = outcome.diagnosis.ok ? null : reportOf(redact(baseUrl), outcome, io.timeZone);
  const reproduce = report?.reproduce?.replaceAll(`$${DEFAULT_KEY_ENV}`, () => `$${key.keyName}`) ?? null;
  const result = { endpoint, outcome, diagnosis, report };
  io.stdout.write(values.json === true ? probeJson(result) : probeText({ ...result, reproduce }, io));
  await appendSummary(
    values.summary,
    io,
    diagnosis,
    checkRows(endpoint, outcome),
    sentencesOf({ ...outcome, diagnosis }),
  );
  return exitCodeOf(outcome.diagnosis);
});

function reportOf(baseUrl: string, outcome: ProbeOutcome, timeZone: string): Report {
  return buildReport({
    id: null,
    diagnosis: outcome.diagnosis,
    request: { baseUrl, sent: listRequest(MODELS_PATH), isPublic: true },
    modelId: null,
    requestedAtMs: outcome.startedAtMs,
    timeZone,
    streaming: false,
    attempts: outcome.attempts.length,
    client: `gatepulse/${VERSION}`,
  });
}

/** A variable that was named and is not set is a mistake; only the default one has standard input behind it. @throws Refusal */
async function readKey(named: string | undefined, io: Io) {
  const keyName = named ?? DEFAULT_KEY_ENV;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(keyName) || looksLikeSecret(keyName)) {
    throw new Refusal(t`--key-env takes the name of an environment variable, never the key itself`);
  }
  const fromEnv = io.env[keyName] ?? "";
  if (fromEnv.trim() !== "") return { key: fromEnv, keyName };
  if (named !== undefined) throw new Refusal(t`the environment variable ${keyName} is not set`);
  const missing = t`no key: set ${keyName}, name another variable with --key-env, or pipe the key in`;
  if (io.stdin.isTTY) throw new Refusal(missing);
  const fromStdin = await io.stdin.readAll(MAX_KEY_BYTES);
  if (fromStdin === null) throw new Refusal(t`standard input is too long for a key`);
  const key = fromStdin.replace(/\r?\n$/, "");
  if (key.trim() === "") throw new Refusal(missing);
  return { key, keyName };
}
