/** `gatepulse build`, and `gatepulse deploy` with the real wrangler. What is Cloudflare's is a server here, and the page that of a local Gatepulse. */
import { mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFull, spread } from "../extent.ts";
import { unstable_readConfig } from "wrangler";
import { readConfig } from "../../src/config/load.ts";
import { buildProject } from "../../src/local/build.ts";
import { packagePath } from "../../src/package/root.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { refusingUrl, serveHttp } from "../probe/small-server.ts";
import { start, type Program } from "./program.ts";
import { startCloudflare } from "./support/cloudflare.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
const BIN = packagePath("bin/gatepulse.js");
/** No account of yours is used. */
const NO_ACCOUNT = { CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "", CI: "1", HOME: tmpdir() };
/** Nobody listens there. */
const NOBODY = "http://127.0.0.1:9";

const BUILD = `${process.execPath} ${BIN} build`;
/** A built Worker, whatever the configuration: a build takes longer than all else here. */
const BUILT = "mkdir -p .gatepulse/assets && echo 'export default {}' > .gatepulse/worker.js";

/** As `gatepulse init` makes it, but that this repository is the package. */
async function projectOf(config: object, build = BUILT): Promise<string> {
  const project = await temporaryDirectory();
  await mkdir(join(project, "src"));
  const worker = JSON.stringify(packagePath("src/index.ts"));
  const toml = (await readFile(packagePath("wrangler.toml"), "utf8"))
    .replace("npx gatepulse build", build)
    .replace("workers_dev = true", "workers_dev = false");
  await writeFile(join(project, "src/index.ts"), `export { default, Ledger, Vantage } from ${worker};\n`);
  await writeFile(join(project, "wrangler.toml"), toml);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "own.json"), JSON.stringify({ title: "t", gateways: [ACME], ...config }));
  await symlink(packagePath("node_modules"), join(project, "node_modules"));
  return project;
}

function deploy(project: string, args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const program = start(process.execPath, [BIN, "deploy", "own.json", ...args], {
    cwd: project,
    env: { ...NO_ACCOUNT, TMPDIR: project, ...env },
  });
  onTestFinished(async () => void (await program.stop()));
  return program;
}

const leftIn = async (project: string) =>
  (await readdir(project)).filter((name) => name.startsWith("gatepulse-"));

test("it creates the missing queue, uploads the secrets, and waits until the page has a verdict", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const cloudflare = await startCloudflare(onTestFinished);
  cloudflare.queues.push("gatepulse-ticks");
  const page = new URL(await refusingUrl());
  const project = await projectOf({
    shards: 2,
    url: page.origin,
    // This machine, by an address that no rule knows.
    gateways: [
      { ...ACME, baseUrl: simulator.named("acme").replace("127.0.0.1", "0.0.0.0"), insecureHttp: true },
    ],
  });
  const secrets = { ADMIN_TOKEN: "an-administrators-token", VIEW_TOKEN: "let-me-see-the-page-0123" };
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(project, ".dev.vars"), lines.join(""));
  const env = { ACME_API_KEY: "key $HOME 'of' acme" };
  const program = deploy(project, [], { ...cloudflare.env, ...env });
  await program.printed(/Waiting: the address does not answer yet/);
  const watching = start(process.execPath, [BIN, "start", "own.json", "--port", page.port, "--tick", "1"], {
    cwd: project,
    env,
  });
  onTestFinished(async () => void (await watching.stop()));
  expect(await program.ended()).toBe(0);
  const output = program.output();
  expect(output).toContain("uploads  ACME_API_KEY, ADMIN_TOKEN, VIEW_TOKEN\n");
  expect(output).toContain("created the queue gatepulse-ticks-dead\nfound the queue gatepulse-ticks\n");
  expect(output).toContain(`\nDeployed.\n  acme  blocked: authentication\n${page.origin}\n`);
  expect(Object.fromEntries(cloudflare.secrets)).toEqual({ ...env, ...secrets });
  expect(cloudflare.asked).toContain("POST /queues/gatepulse-ticks/consumers");
  expect(await leftIn(project)).toEqual([]);
});

const UNWATCHED = [
  [
    "the page is private and VIEW_TOKEN is not set here",
    [ACME],
    "Deployed. The page is private: set VIEW_TOKEN here to see its verdicts.",
  ],
  ["there is no gateway", [], "Deployed. To add a gateway: npx gatepulse add"],
] as const;

test.each(spread(UNWATCHED, 1))("it does not wait if %s", async (_what, gateways, words) => {
  const cloudflare = await startCloudflare(onTestFinished);
  const url = await serveHttp((_, outgoing) => void outgoing.writeHead(401).end());
  const project = await projectOf({ url, gateways });
  const program = deploy(project, [], cloudflare.env);
  expect(await program.ended()).toBe(0);
  expect(program.output()).toContain(`\n${words}\n${url}\n`);
  expect(program.output()).not.toContain("Waiting");
});

const FAILURES = [
  [
    "a token that Cloudflare refuses",
    { code: 10000, message: "Authentication error" },
    {},
    "log in with npx wrangler login",
  ],
  ["no network", null, { CLOUDFLARE_API_BASE_URL: NOBODY }, "Cloudflare was not reached"],
] as const;

test.each(spread(FAILURES, 1))(
  "%s: wrangler's own words, what to do, and no secret is left behind",
  async (_what, refusal, env, advice) => {
    const cloudflare = await startCloudflare(onTestFinished);
    cloudflare.refusal = refusal;
    const project = await projectOf({});
    const program = deploy(project, [], { ...cloudflare.env, ACME_API_KEY: "k1", ...env });
    expect(await program.ended()).toBe(1);
    expect(program.output()).toMatch(/ERROR/);
    expect(program.output()).toContain(`\ngatepulse deploy: ${advice}`);
    expect(await leftIn(project)).toEqual([]);
  },
);

/** Words that only one of the parts has. */
const MARKS = {
  slack: "mrkdwn",
  ntfy: "rotating_light",
  discord: "allowed_mentions",
  canary: "max_tokens",
  rule: "byeaster",
  explain: '"/api/v1/explain"',
  metrics: "gatepulse_build_info",
};

async function partsIn(project: string): Promise<readonly string[]> {
  const script = await readFile(join(project, ".gatepulse/worker.js"), "utf8");
  expect(script).toContain(ACME.baseUrl);
  return Object.entries(MARKS).flatMap(([part, mark]) => (script.includes(mark) ? [part] : []));
}

test.runIf(isFull)(
  "a Worker has the parts and the kinds of channels that it uses, and no canaries or rules of maintenance without any",
  async () => {
    const project = await projectOf({});
    const alerts = [
      { id: "team", kind: "slack", url: "SLACK_URL" },
      { id: "keys", kind: "slack", url: "KEYS_URL" },
      { id: "phone", kind: "ntfy", url: "NTFY_URL" },
    ];
    await buildProject(
      project,
      readConfig({ title: "t", gateways: [ACME], alerts, parts: { explain: false } }),
    );
    expect(await partsIn(project)).toEqual(["slack", "ntfy", "metrics"]);
  },
);

test.runIf(isFull)("Chinese alerts are in a Worker whose configuration asks for them", async () => {
  const project = await projectOf({ gateways: [ACME] }, BUILD);
  const wordsIn = async (language: "en" | "zh") => {
    const alerts = [{ id: "keys", kind: "slack", url: "KEYS_URL" }];
    await buildProject(project, readConfig({ title: "t", gateways: [ACME], alerts, language }));
    return (await readFile(join(project, ".gatepulse/worker.js"), "utf8")).includes("不再受阻");
  };
  expect([await wordsIn("en"), await wordsIn("zh")]).toEqual([false, true]);
});

test("a dry run builds the Worker, asks nobody, needs no account, and wrangler reads the queues that it adds", async () => {
  const monitors = [{ kind: "models" }, { kind: "chat", model: "gpt-4o-mini", every: "1h" }];
  const rule = { rrule: "FREQ=WEEKLY", duration: "2h", from: "2026-12-06T02:00" };
  const project = await projectOf(
    { lanes: 2, gateways: [{ ...ACME, monitors }], maintenance: [rule] },
    BUILD,
  );
  const program = deploy(project, ["--dry-run"], { CLOUDFLARE_API_BASE_URL: NOBODY });
  expect(await program.ended()).toBe(0);
  expect(program.output()).toContain(
    "\nACME_API_KEY is not set here. If Cloudflare does not have it either: npx wrangler secret put ACME_API_KEY\n",
  );
  expect(program.output()).toContain("env.TICKS (gatepulse-ticks)");
  expect(await partsIn(project)).toEqual(["canary", "rule", "explain", "metrics"]);
  const { queues, main, assets } = unstable_readConfig({ config: join(project, ".gatepulse/wrangler.json") });
  expect([main, assets?.directory]).toEqual([join(project, ".gatepulse/worker.js"), "assets"]);
  expect(queues.producers).toEqual([{ binding: "TICKS", queue: "gatepulse-ticks" }]);
  expect(queues.consumers).toEqual([
    {
      queue: "gatepulse-ticks",
      max_batch_size: 1,
      max_batch_timeout: 0,
      max_retries: 3,
      dead_letter_queue: "gatepulse-ticks-dead",
    },
    { queue: "gatepulse-ticks-dead", max_batch_size: 1, max_batch_timeout: 0, max_retries: 100 },
  ]);
});

test("stopped while wrangler works, it leaves no secret behind", async () => {
  const cloudflare = await startCloudflare(onTestFinished);
  const endless = "tail -f /dev/null --pid=$PPID";
  const project = await projectOf({}, endless);
  const program = deploy(project, [], { ...cloudflare.env, ACME_API_KEY: "k1" });
  await program.printed(/custom build/);
  const folder = (await leftIn(project)).find((name) => name.startsWith("gatepulse-secrets-")) ?? "";
  const { mode } = await stat(join(project, folder, "secrets.json"));
  expect((mode & 0o777).toString(8)).toBe("600");
  expect(await program.stop("SIGTERM")).toBe(130);
  expect(program.output()).toContain("\nStopped. Run npx gatepulse deploy again: it goes on where it was.\n");
  expect(await leftIn(project)).toEqual([]);
});
