/**
 * `gatepulse deploy` checks, uploads, and waits until the page shows the first verdicts. `gatepulse build` makes the Worker, which wrangler
 * asks for. What wrangler deploys is the project's `wrangler.toml`, with a queue beside it if the configuration needs one.
 */
import { t } from "../config/spoken.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { Refusal, type CommandLine, EXIT, type ExitCode, command, flag } from "../cli/command.ts";
import { CONFIG, CONFIG_VARIABLE, type SecretValues, readNamedConfig } from "../cli/config-file.ts";
import { type Paint, harmless, painterFor, table } from "../cli/terminal.ts";
import type { Config } from "../config/config.ts";
import { unreachable } from "../plan/advice.ts";
import { type WranglerEntry, type WranglerRun, runWrangler } from "../local/wrangler.ts";
import { judgeSecrets, warningsText } from "./check-command.ts";
import { planVerdict } from "./plan-command.ts";
import { needNode } from "./start-command.ts";
import { type StatusDocument, statusSchema } from "../history/documents.ts";
import { type TomlTable, parse } from "smol-toml";
import { textAt } from "../project/project.ts";

const OPTIONS = {
  ...CONFIG,
  "dry-run": flag(t`do everything but the upload; this needs no account and no network`),
  yes: flag(t`deploy even if the free plan is not enough`),
};

type Line = CommandLine<typeof OPTIONS>;

export const deploy = command("deploy", OPTIONS, async (line) => {
  const { values, io } = line;
  const isDry = values["dry-run"] === true;
  needNode("deploy");
  const paint = painterFor(io.stdout.isTTY, io.env);
  const { config, name, path } = await readNamedConfig(line);
  const { here, isWrong, text: faults } = await judgeSecrets(config, path, io.env);
  io.stdout.write(`${paint(t`${name} is valid`, "green")}\n${warningsText(config)}${faults}`);
  if (isWrong) return EXIT.others;
  const hidden = unreachable(config);
  if (hidden !== null && !isDry) throw new Refusal(t`nothing was deployed: ${hidden}`);
  const { isEnough, text } = planVerdict(name, config, paint);
  io.stdout.write(`${text}\n`);
  if (!isEnough && !isDry && values.yes !== true)
    throw new Refusal(t`nothing was deployed: if you have the paid plan, write plan: "paid"; else add --yes`);
  const deployable = await deployableOf(io.cwd, config);
  io.stdout.write(secretsText(here, isDry, paint));
  const env = { ...io.env, [CONFIG_VARIABLE]: path };
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
  io.stdout.write(`\n${await verdictsOf(page, io)}\n${url}\n`);
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

/** After wrangler's own words, what to do. */
function explain({ isStopped, entries }: WranglerRun, io: Line["io"]): ExitCode {
  if (isStopped) {
    io.stderr.write(t`\nStopped. Run npx gatepulse deploy again: it goes on where it was.\n`);
    return EXIT.interrupted;
  }
  io.stderr.write(`\ngatepulse deploy: ${adviceOn(entries)}\n`);
  return EXIT.others;
}

const WRANGLER_FILE = "wrangler.toml";
const GENERATED = ".gatepulse/wrangler.json";
const BINDING = "TICKS";

interface Deployable {
  /** For `--config`, below the project. */
  readonly file: string;
  /** To be created first, if they are missing: the one for messages that failed, and the one of the ticks. */
  readonly queues: readonly string[];
}

/** Null: there is no such file, or it is no TOML. */
async function tomlOf(project: string): Promise<TomlTable | null> {
  try {
    return parse((await textAt(join(project, WRANGLER_FILE))) ?? "-");
  } catch {
    return null;
  }
}

/** A project may have queues of its own in the file. */
function hasQueue(toml: TomlTable): boolean {
  const { producers = [] } = Object(toml["queues"]) as { producers?: readonly TomlTable[] };
  return producers.some(({ binding }) => binding === BINDING);
}

/** Writes the file that is to be deployed, unless it is `wrangler.toml` itself. @throws Refusal */
export async function deployableOf(
  project: string,
  { lanes, shards }: { readonly lanes: number; readonly shards: number },
): Promise<Deployable> {
  const toml = await tomlOf(project);
  if (toml === null) throw new Refusal(t`${WRANGLER_FILE} is missing here, or is no TOML`);
  // Lanes and shards share a tick by messages.
  if ((lanes === 1 && shards === 1) || hasQueue(toml)) {
    return { file: WRANGLER_FILE, queues: [] };
  }
  const { name } = toml;
  if (typeof name !== "string") throw new Refusal(t`name is missing in ${WRANGLER_FILE}`);
  const [ticks, dead] = queueNames(name);
  const file = join(project, GENERATED);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(withQueue(toml, { ticks, dead }, project, dirname(file)), null, 2));
  return { file: GENERATED, queues: [dead, ticks] };
}

/** A queue's name has at most 63 characters. */
const LONGEST_NAME = 63;

/** Those of 0.2.0, for a Worker of that name. */
function queueNames(worker: string): readonly [ticks: string, dead: string] {
  const dead = "-ticks-dead";
  const base = worker.slice(0, LONGEST_NAME - dead.length);
  return [`${base}-ticks`, base + dead];
}

function withQueue(
  toml: TomlTable,
  { ticks, dead }: { readonly ticks: string; readonly dead: string },
  project: string,
  folder: string,
): object {
  const moved = (path: unknown): unknown =>
    typeof path === "string" ? relative(folder, resolve(project, path)) : path;
  const { producers = [], consumers = [] } = Object(toml["queues"]) as Record<string, readonly unknown[]>;
  const { assets, main } = toml;
  return {
    ...toml,
    main: moved(main),
    ...(assets !== undefined && {
      assets: { ...Object(assets), directory: moved(Reflect.get(Object(assets), "directory")) },
    }),
    queues: {
      producers: [...producers, { binding: BINDING, queue: ticks }],
      consumers: [
        ...consumers,
        // Each message is a tick of its own, and the next one comes within a minute.
        { queue: ticks, max_batch_size: 1, max_batch_timeout: 0, max_retries: 3, dead_letter_queue: dead },
        { queue: dead, max_batch_size: 1, max_batch_timeout: 0, max_retries: 100 },
      ],
    },
  };
}

/**
 * The configured address if it is served, a domain of your own, or the one of the platform; null: wrangler names none.
 * @param configured the address of the configuration; null: it has none.
 */
export function addressIn(entries: readonly WranglerEntry[], configured: string | null): string | null {
  const targets = entries.flatMap((entry) => entry.targets ?? []);
  const host = configured === null ? null : new URL(configured).host;
  if (host !== null && targets.some((target) => target.includes(host))) return configured;
  const domain = targets.find((target) => target.includes("(custom domain"))?.split(" ")[0];
  if (domain !== undefined) return `https://${domain.replace(/^https?:\/\//, "")}`;
  return targets.find((target) => target.startsWith("https://"))?.replace(/\/+$/, "") ?? configured;
}

/** By exact words and codes alone; wrangler's own message stands above, and a wrong advice is worse than none. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /Not logged in|CLOUDFLARE_API_TOKEN environment variable|code: (?:10000|9106|9109|9103)\b/,
    t`log in with npx wrangler login. In CI, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID`,
  ],
  [
    /\bfetch failed\b|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b/,
    t`Cloudflare was not reached. Check the network and proxy, and run it again`,
  ],
];

export function adviceOn(entries: readonly WranglerEntry[]): string {
  const message = entries.map(({ message: words = "", code = "" }) => `${words} code: ${code}`).join("\n");
  const found = ADVICE.find(([words]) => words.test(message));
  return found?.[1] ?? t`fix what wrangler says above, and run npx gatepulse deploy again`;
}

interface Page {
  /** Without a trailing slash. */
  readonly url: string;
  /** Null: it is not known here. */
  readonly viewToken: string | null;
  readonly gateways: readonly string[];
}

const PAUSE_MS = 3_000;
const LONGEST_MS = 3 * 60_000;
const ANSWER_MS = 15_000;

/** Waits for them, and prints what is missing, each time it is another. */
async function verdictsOf(page: Page, { clock, stdout }: Line["io"]): Promise<string> {
  const beganMs = clock.now();
  let said = "";
  for (;;) {
    const { missing, shown } = await look(page, beganMs);
    if (shown !== undefined) return shown;
    if (clock.now() - beganMs >= LONGEST_MS)
      return t`Deployed, but after 3 minutes ${missing}. A new Worker's cron can take 15 minutes. Look again at`;
    if (missing !== said) stdout.write(`${t`Waiting: ${missing} …`}\n`);
    said = missing;
    await clock.sleep(PAUSE_MS);
  }
}

type Seen =
  | { readonly missing: string; readonly shown?: never }
  | { readonly shown: string; readonly missing?: never };

async function look({ url, viewToken, gateways }: Page, beganMs: number): Promise<Seen> {
  const answer = await fetch(`${url}/api/v1/status`, {
    headers: viewToken === null ? {} : { authorization: `Bearer ${viewToken.trim()}` },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (answer === null) return { missing: t`the address does not answer yet` };
  if (answer.status === 401 && viewToken === null)
    return { shown: t`Deployed. The page is private: set VIEW_TOKEN here to see its verdicts.` };
  const { data: status } = statusSchema().safeParse(await answer.json().catch(() => null));
  // Until its next tick, the page is that of the version before.
  if (answer.status === 401 || (status && Date.parse(status.generatedAt) < beganMs))
    return { missing: t`the page does not show this version yet` };
  if (answer.status !== 200 || status === undefined) return { missing: t`the first check has not ended` };
  const verdicts = gateways.map((id) => {
    const monitors = status.gateways.find((gateway) => gateway.id === id)?.monitors ?? [];
    return { id, words: monitors.filter(({ lastProbe }) => lastProbe !== null).map(verdictWords) };
  });
  const missing = verdicts.flatMap(({ id, words }) => (words.length === 0 ? [id] : []));
  if (missing.length === 0) {
    const lines = verdicts.map(({ id, words }) => `\n  ${id}  ${words.join(", ")}`);
    return { shown: t`Deployed.` + lines.join("") };
  }
  const others = missing.length > 5 ? t` and others` : "";
  return { missing: t`no verdict yet on ${missing.slice(0, 5).join(", ")}${others}` };
}

/** `up`, or `blocked: authentication`. */
function verdictWords({ status, diagnosis }: StatusDocument["gateways"][number]["monitors"][number]): string {
  return harmless(status === "up" || diagnosis === null ? status : `${status}: ${diagnosis.cause}`);
}

export const build = command("build", CONFIG, async (line) => {
  const read = await readNamedConfig(line);
  // It is large, and other commands do not need it.
  const { buildProject } = await import("../local/build.ts");
  await buildProject(line.io.cwd, read.config);
  return EXIT.ok;
});
