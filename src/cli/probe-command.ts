/** `gatepulse probe`: the reference diagnostic, once, from this machine. */
import { endpointUrl, judgeBaseUrl, MODELS_PATH } from "../config/base-url.ts";
import { looksLikeSecret } from "../config/secret-shape.ts";
import { listRequest } from "../domain/curl.ts";
import { buildReport, type Report } from "../domain/report.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { runModelsProbe } from "../probe/models-probe.ts";
import { VERSION } from "../probe/version.ts";
import { createRedactor } from "../protocol/redaction/redact.ts";
import { command } from "./command.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { readThrown } from "../protocol/thrown.ts";
import { probeJson, probeText } from "./probe-output.ts";
import { progressLine } from "./progress.ts";
import { DEFAULT_KEY_ENV } from "./secret-values.ts";
import { PROBE_USAGE } from "./usage.ts";

const OPTIONS = {
  "key-env": { type: "string" },
  "insecure-http": { type: "boolean" },
  json: { type: "boolean" },
} as const;

const MAX_KEY_BYTES = 65_536;

export const probe = command({ name: "probe", usage: PROBE_USAGE, options: OPTIONS }, async (line) => {
  const { wanted, io, refuse } = line;
  const [address, ...more] = wanted.positionals;
  if (address === undefined || more.length > 0) return refuse("give one base address and nothing else");
  const judged = judgeBaseUrl(address, { insecureHttp: wanted.flags["insecure-http"] === true });
  if (!judged.ok) {
    const faults = judged.faults.map(({ problem, mend }) => `the base address ${problem}: ${mend}`);
    return refuse(faults.join("\ngatepulse probe: ").replace("insecureHttp: true", "--insecure-http"));
  }
  const key = await readKey(wanted.texts["key-env"], io);
  if (!key.ok) return refuse(key.problem);
  return probeAndPrint({ baseUrl: judged.baseUrl, json: wanted.flags["json"] === true, ...key }, io);
});

interface Job {
  readonly baseUrl: string;
  readonly key: string;
  readonly keyName: string;
  readonly json: boolean;
}

async function probeAndPrint({ baseUrl, key, keyName, json }: Job, io: Io): Promise<ExitCode> {
  const progress = progressLine(io, json);
  const probed = await runModelsProbe(
    { baseUrl, apiKey: key, secretName: keyName, expect: [], watched: [], slowerThanMs: null },
    {
      ...io,
      random: () => io.random(),
      readFailure: readThrown,
      onProgress: (now) => progress.show(now),
    },
  );
  progress.clear();
  // Only workerd counts requests; Node sends them all.
  if (probed.type === "not_sent_by_platform") return EXIT.others;
  const { outcome } = probed;
  const redact = createRedactor([key]);
  const endpoint = redact(endpointUrl(baseUrl, MODELS_PATH));
  const report = outcome.diagnosis.ok ? null : reportOf(redact(baseUrl), outcome, io.timeZone);
  const result = { endpoint, outcome, report };
  io.stdout.write(json ? probeJson(result) : probeText(result, io.stdout, io.env));
  return exitCodeOf(outcome.diagnosis);
}

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

type Key =
  | { readonly ok: true; readonly key: string; readonly keyName: string }
  | { readonly ok: false; readonly problem: string };

/** A variable that was named and is not set is a mistake; only the default one has standard input behind it. */
async function readKey(named: string | undefined, io: Io): Promise<Key> {
  const keyName = named ?? DEFAULT_KEY_ENV;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(keyName) || looksLikeSecret(keyName)) {
    return {
      ok: false,
      problem: "--key-env takes the name of an environment variable, never the key itself",
    };
  }
  const fromEnv = io.env[keyName] ?? "";
  if (fromEnv.trim() !== "") return { ok: true, key: fromEnv, keyName };
  if (named !== undefined) return { ok: false, problem: `the environment variable ${keyName} is not set` };
  const missing = `no key: set ${keyName}, name another variable with --key-env, or pipe the key in`;
  if (io.stdin.isTTY) return { ok: false, problem: missing };
  const fromStdin = await io.stdin.readAll(MAX_KEY_BYTES);
  if (fromStdin === null) return { ok: false, problem: "standard input is too long for a key" };
  const key = fromStdin.replace(/\r?\n$/, "");
  return key.trim() === "" ? { ok: false, problem: missing } : { ok: true, key, keyName };
}
