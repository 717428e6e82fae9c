/** `gatepulse deploy`: checks, uploads, and waits until the page shows the first verdicts. */
import { t } from "../config/spoken.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, command, flag, type CommandLine, type ExitCode } from "../cli/command.ts";
import {
  CONFIG,
  CONFIG_VARIABLE,
  faultsText,
  readNamedConfig,
  type SecretValues,
} from "../cli/config-file.ts";
import { harmless, painterFor, table, type Paint } from "../cli/terminal.ts";
import type { Config } from "../config/config.ts";
import { unreachable } from "../plan/advice.ts";
import { runWrangler, type WranglerRun } from "../local/wrangler.ts";
import { type Page, type Waited, waitForVerdicts, addressIn, adviceOn } from "../project/deploy/outcome.ts";
import { deployableOf, type Deployable } from "../project/deploy/wrangler-file.ts";
import { judgeSecrets, warningsText } from "./check-command.ts";
import { planVerdict } from "./plan-command.ts";
import { nodeProblem } from "./start-command.ts";

const OPTIONS = {
  ...CONFIG,
  "dry-run": flag(t`do everything but the upload; this needs no account and no network`),
  yes: flag(t`deploy even if the free plan is not enough`),
};

type Line = CommandLine<typeof OPTIONS>;

export const deploy = command("deploy", OPTIONS, async (line) => {
  const { values, io, refuse } = line;
  const isDry = values["dry-run"] === true;
  const tooOld = nodeProblem("deploy");
  if (tooOld !== null) return refuse(tooOld);
  const paint = painterFor(io.stdout.isTTY, io.env);
  const read = await readNamedConfig(line, (file, faults) => faultsText(file, faults, paint));
  if (!read.ok) return read.exit;
  const { config, name, path } = read;
  const { here, isWrong, text: faults } = await judgeSecrets(config, path, io.env);
  io.stdout.write(`${paint(t`${name} is valid`, "green")}\n${warningsText(config)}${faults}`);
  if (isWrong) return EXIT.others;
  const hidden = unreachable(config);
  if (hidden !== null && !isDry) return refuse(t`nothing was deployed: ${hidden}`);
  const { isEnough, text } = planVerdict(name, config, paint);
  io.stdout.write(`${text}\n`);
  if (!isEnough && !isDry && values.yes !== true)
    return refuse(t`nothing was deployed: if you have the paid plan, write plan: "paid"; else add --yes`);
  const prepared = await deployableOf(io.cwd, config);
  if (!prepared.ok) return refuse(prepared.problem);
  io.stdout.write(secretsText(here, isDry, paint));
  const env = { ...io.env, [CONFIG_VARIABLE]: path };
  const { deployable } = prepared;
  return isDry ? dryRun(line, deployable, env) : upload(line, deployable, env, config, here);
});

function secretsText({ secrets, missing }: SecretValues, isDry: boolean, paint: Paint): string {
  const names = Object.keys(secrets);
  const uploads = names.length === 0 ? t`no secret` : names.join(", ");
  const lines = missing.map(
    (name) =>
      t`${name} is not set here. If Cloudflare does not have it either: npx wrangler secret put ${name}\n`,
  );
  return table([[isDry ? "would upload" : "uploads", uploads]], paint) + lines.join("");
}

async function dryRun({ io }: Line, { file, queues }: Deployable, env: Line["io"]["env"]): Promise<ExitCode> {
  for (const queue of queues) io.stdout.write(t`would create the queue ${queue}, if it is missing\n`);
  const args = ["deploy", "--dry-run", "--config", file];
  const run = await runWrangler(args, { cwd: io.cwd, env, output: "shown" });
  if (run.code !== 0) return explain(run, io);
  io.stdout.write(t`Nothing was deployed. Run npx gatepulse deploy to deploy it.\n`);
  return EXIT.ok;
}

async function upload(
  { io }: Line,
  { file, queues }: Deployable,
  env: Line["io"]["env"],
  config: Config,
  { secrets }: SecretValues,
): Promise<ExitCode> {
  for (const queue of queues) {
    const args = ["queues", "create", queue, "--config", file];
    const made = await runWrangler(args, { cwd: io.cwd, env, output: "hidden" });
    const said = made.stdout + made.stderr;
    const isThere = /already (?:exists|taken)|11009/i.test(said);
    if (made.isStopped || (made.code !== 0 && !isThere)) {
      io.stderr.write(said);
      return explain(made, io);
    }
    io.stdout.write(`${isThere ? t`found the queue ${queue}` : t`created the queue ${queue}`}\n`);
  }
  const run = await withSecretsFile(secrets, (given) =>
    runWrangler(["deploy", "--config", file, ...given], { cwd: io.cwd, env, output: "shown" }),
  );
  // wrangler also ends well when its login is left.
  const isLeft = run.code === 0 && !run.entries.some(({ type }) => type === "deploy");
  if (run.code !== 0 || run.isStopped || isLeft)
    return explain({ ...run, isStopped: run.isStopped || isLeft }, io);
  const url = addressIn(run.entries, config.url);
  if (url === null) {
    io.stdout.write(t`Deployed. wrangler names no address: look at its routes.\n`);
    return EXIT.ok;
  }
  const page: Page = {
    url,
    viewToken: secrets["VIEW_TOKEN"] ?? null,
    gateways: config.gateways.map(({ id }) => id),
  };
  if (page.gateways.length === 0) {
    io.stdout.write(t`\nDeployed. To add a gateway: npx gatepulse add\n${url}\n`);
    return EXIT.ok;
  }
  const waited = await waitForVerdicts(page, io.clock, (words) => io.stdout.write(`${words}\n`));
  io.stdout.write(outcomeText(waited, page));
  return EXIT.ok;
}

/** wrangler expands $NAME in a file of the other form, so this is JSON. Only you can read it, and it is gone afterwards. */
async function withSecretsFile<Result>(
  secrets: Readonly<Record<string, string>>,
  use: (args: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (Object.keys(secrets).length === 0) return use([]);
  const folder = await mkdtemp(join(tmpdir(), "gatepulse-secrets-"));
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return await use(["--secrets-file", file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function outcomeText(waited: Waited, { url, gateways }: Page): string {
  switch (waited.type) {
    case "late":
      return t`\nDeployed, but after 3 minutes ${waited.why}. A new Worker's cron can take 15 minutes. Look again at\n${url}\n`;
    case "private":
      return t`\nDeployed. The page is private: set VIEW_TOKEN here to see its verdicts.\n${url}\n`;
    case "shown": {
      const lines = gateways.map((id) => {
        const monitors = waited.verdicts.find(({ gateway }) => gateway === id)?.monitors ?? [];
        return `  ${id}  ${monitors.map(harmless).join(", ")}\n`;
      });
      return `\nDeployed.\n${lines.join("")}${url}\n`;
    }
  }
}

/** After wrangler's own words, what to do. */
function explain({ isStopped, entries }: WranglerRun, io: Line["io"]): ExitCode {
  if (isStopped) {
    io.stderr.write(t`\nStopped. Run npx gatepulse deploy again: it goes on where it was.\n`);
    return EXIT.interrupted;
  }
  io.stderr.write(`\ngatepulse deploy: ${adviceOn(entries)}\n`);
  return EXIT.others;
}
