/** `gatepulse init --yes` and `add --yes`: what they write, refuse and say, with a real gateway and a real receiver. */
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { packagePath } from "../../src/package/root.ts";
import { VERSION } from "../../src/probe/version.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { runCli } from "../cli/fake-io.ts";
import { folderOfTest } from "../cli/folder.ts";
import { startReceiver } from "../local/support/receiver.ts";
import { simulatorOfFile } from "../probe/simulated.ts";

const simulator = await simulatorOfFile();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.clear();
  simulator.clear();
});

const GOOD = { ACME_API_KEY: SIMULATOR_KEYS.good };
const acme = (baseUrl = simulator.url) => ["--yes", "--name", "Acme", "--base-url", baseUrl];

const read = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");

/** The import is that of this checkout: the package is not installed beside a test. */
function localize(directory: string): void {
  const file = join(directory, "gatepulse.config.ts");
  const types = packagePath("src", "config", "define-config.ts");
  writeFileSync(file, read(file).replace('"gatepulse/config"', JSON.stringify(types)));
}

/** What `gatepulse check` says. A process reads a file once: what was read before is read from a copy. */
async function check(directory: string, file = "gatepulse.config.ts") {
  if (file === "gatepulse.config.ts") localize(directory);
  copyFileSync(join(directory, file), join(directory, `checked-${file}`));
  return runCli(["check", `checked-${file}`], { cwd: directory });
}

describe("init --yes", () => {
  test("writes a project that gatepulse check finds valid, and says what to do next", async () => {
    const cwd = folderOfTest();
    const { code, stdout } = await runCli(["init", "status", ...acme()], { cwd, env: GOOD });
    expect(code).toBe(0);
    expect(stdout).toContain("UP  ok");
    expect(stdout).toContain('write expect: ["sim-chat-small"] into its monitor');
    expect(stdout).toContain("A canary of sim-chat-small sends 48 requests a day");
    expect(stdout).toContain('write { kind: "chat", model: "sim-chat-small" } into its monitors');
    expect(stdout.endsWith("Next:\n  cd status && npm install\n  npm start\n")).toBe(true);
    const checked = await check(join(cwd, "status"));
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain("gatepulse.config.ts is valid");
    expect(checked.stdout).not.toContain("not set here");
  });

  test("puts the key into .dev.vars alone, which only its owner may read", async () => {
    const cwd = folderOfTest();
    await runCli(["init", "status", ...acme()], { cwd, env: GOOD });
    const files = readdirSync(join(cwd, "status"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.filter((file) => read(file).includes(SIMULATOR_KEYS.good))).toEqual([
      join(cwd, "status", ".dev.vars"),
    ]);
    expect(statSync(join(cwd, "status", ".dev.vars")).mode & 0o777).toBe(0o600);
  });

  test.each([`key "with" quotes`, "it's a key", " spaces around "])(
    "sends and stores the key %j",
    async (key) => {
      const cwd = folderOfTest();
      await runCli(["init", "status", ...acme()], { cwd, env: { ACME_API_KEY: key } });
      expect(simulator.requests[0]?.headers["authorization"]).toBe(`Bearer ${key.trim()}`);
      expect(parseEnv(read(cwd, "status", ".dev.vars"))).toEqual({ ACME_API_KEY: key.trim() });
    },
  );

  test.each(["", "/", "/v1", "/v1/", "/v1/models", "/v1/chat/completions"])(
    "takes an address that ends with %j",
    async (end) => {
      const cwd = folderOfTest();
      await runCli(["init", "status", ...acme(simulator.url + end)], { cwd, env: GOOD });
      expect(simulator.requests.map(({ path }) => path)).toEqual(["/v1/models"]);
      expect(read(cwd, "status", "gatepulse.config.ts")).toContain(`baseUrl: "${simulator.url}"`);
    },
  );

  test("says what is no key", async () => {
    const env = { ACME_API_KEY: '"sim-key-good"' };
    const { stdout } = await runCli(["init", "status", ...acme()], { cwd: folderOfTest(), env });
    expect(stdout).toContain("The key cannot be right: the secret ACME_API_KEY is in quotes");
  });

  test("explains a wrong key and goes on", async () => {
    const cwd = folderOfTest();
    const env = { ACME_API_KEY: SIMULATOR_KEYS.revoked };
    const { code, stdout, stderr } = await runCli(["init", "status", ...acme()], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "the first check of Acme failed, as shown above. Correct ACME_API_KEY in .dev.vars",
    );
    expect(stdout).toContain("BLOCKED  authentication, your turn");
    expect(stdout).toContain("The API key was revoked.");
    expect(readdirSync(join(cwd, "status"))).toContain("gatepulse.config.ts");
  });

  test("explains that there is no network and goes on", async () => {
    const cwd = folderOfTest();
    const args = ["init", "status", ...acme(simulator.baseUrl("unresolvable"))];
    const { code, stdout } = await runCli(args, { cwd, env: GOOD });
    expect(code).toBe(1);
    expect(stdout).toContain("DOWN  dns_failure, the network's turn");
  });

  test("without a key it checks nothing, and says where the key goes", async () => {
    const cwd = folderOfTest();
    const { code, stdout } = await runCli(["init", "status", ...acme()], { cwd });
    expect(code).toBe(0);
    expect(simulator.requests).toEqual([]);
    expect(stdout).toContain("Write into .dev.vars: ACME_API_KEY");
    expect((await check(join(cwd, "status"))).stdout).toContain("not set here");
  });

  test("--no-check sends nothing", async () => {
    const cwd = folderOfTest();
    const env = { ...GOOD, SLACK_URL: receiver.url("slack") };
    await runCli(["init", "status", ...acme(), "--channel", "slack", "--no-check"], { cwd, env });
    expect([simulator.requests, receiver.at("slack")]).toEqual([[], []]);
    expect((await check(join(cwd, "status"))).code).toBe(0);
  });

  test("--channel sends a test message, and makes the signing secret of a webhook", async () => {
    const cwd = folderOfTest();
    const env = { ...GOOD, WEBHOOK_URL: receiver.url("webhook") };
    const { stdout } = await runCli(["init", "status", ...acme(), "--channel", "webhook"], { cwd, env });
    expect(stdout).toContain("The test message was delivered: A webhook of your own answered HTTP 200.");
    const { WEBHOOK_SECRET = "", WEBHOOK_URL } = parseEnv(read(cwd, "status", ".dev.vars"));
    expect(WEBHOOK_URL).toBe(receiver.url("webhook"));
    const [arrival] = receiver.at("webhook");
    const headers = arrival?.headers as Record<string, string>;
    expect(new Webhook(WEBHOOK_SECRET).verify(arrival?.body ?? "", headers)).toMatchObject({ type: "test" });
    expect((await check(join(cwd, "status"))).code).toBe(0);
  });

  test("a channel without its secret is set up later, and one without its chat is refused", async () => {
    const cwd = folderOfTest();
    const { code, stdout } = await runCli(["init", "status", "--yes", "--channel", "slack"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Write into .dev.vars: SLACK_URL")]);
    const refused = await runCli(["init", "other", "--yes", "--channel", "telegram"], { cwd });
    expect([refused.code, refused.stdout]).toEqual([
      2,
      expect.stringContaining("TELEGRAM_CHAT is not set yet."),
    ]);
    expect(readdirSync(cwd)).toEqual(["status"]);
  });

  test("without a gateway, the project has none yet", async () => {
    const cwd = folderOfTest();
    const { code, stdout } = await runCli(["init", "status", "--yes"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("No gateway is watched yet. To add one later: npx gatepulse add");
    expect(read(cwd, "status", "gatepulse.config.ts")).toContain("gateways: [],");
    expect((await check(join(cwd, "status"))).code).toBe(0);
  });

  test.each([
    ["Our Status", "our-status"],
    ["-", "gatepulse"],
    ["a".repeat(64), "a".repeat(63)],
  ])("the Worker of %s is called %s, as a Worker can be", async (directory, name) => {
    const cwd = folderOfTest();
    const { stdout } = await runCli(["init", `./${directory}`, "--yes"], { cwd });
    expect(read(cwd, directory, "wrangler.toml")).toContain(`name = "${name}"\n`);
    expect(stdout).toContain(
      directory.includes(" ") ? `cd ${JSON.stringify(directory)} && ` : `cd ${directory} && `,
    );
  });

  test("pnpm gets its own file and commands", async () => {
    const cwd = folderOfTest();
    const env = { npm_config_user_agent: "pnpm/12.21.0 npm/? node/v24.21.0 linux x64" };
    const { stdout } = await runCli(["init", "--yes"], { cwd, env });
    expect(stdout.endsWith("Next:\n  pnpm install\n  pnpm start\n")).toBe(true);
    expect(readdirSync(cwd)).toContain("pnpm-workspace.yaml");
  });

  test.each([
    ["./packed.tgz", "file:../packed.tgz"],
    ["file:packed.tgz", "file:../packed.tgz"],
    ["0.9.0", "0.9.0"],
    ["https://files.example/gatepulse.tgz", "https://files.example/gatepulse.tgz"],
  ])("--package %s asks for %s", async (spec, written) => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "packed.tgz"), "");
    await runCli(["init", "status", "--yes", "--package", spec], { cwd });
    expect(JSON.parse(read(cwd, "status", "package.json")).devDependencies.gatepulse).toBe(written);
  });

  test("a project asks for this version", async () => {
    const cwd = folderOfTest();
    await runCli(["init", "status", "--yes"], { cwd });
    expect(JSON.parse(read(cwd, "status", "package.json")).devDependencies.gatepulse).toBe(VERSION);
  });
});

describe("in a directory that is not empty", () => {
  test("other files stay, and .gitignore and .dev.vars get more lines", async () => {
    const cwd = folderOfTest();
    mkdirSync(join(cwd, ".git"));
    writeFileSync(join(cwd, "README.md"), "# Ours\n");
    writeFileSync(join(cwd, ".gitignore"), "*.log\nnode_modules/");
    writeFileSync(join(cwd, ".dev.vars"), "OTHER=1\n");
    const { code } = await runCli(["init", ...acme()], { cwd, env: GOOD });
    expect(code).toBe(0);
    expect(read(cwd, "README.md")).toBe("# Ours\n");
    expect(read(cwd, ".gitignore")).toBe(
      "*.log\nnode_modules/\n.gatepulse/\n.wrangler/\n.dev.vars\n.dev.vars.tmp\n*.backup\n",
    );
    expect(parseEnv(read(cwd, ".dev.vars"))).toEqual({ OTHER: "1", ...GOOD });
  });

  test("a file that would be overwritten is named, and nothing is written or asked", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "package.json"), "{}");
    writeFileSync(join(cwd, "Dockerfile"), "");
    const { code, stderr } = await runCli(["init", ...acme()], { cwd, env: GOOD });
    expect(code).toBe(2);
    expect(stderr).toContain(
      "nothing was written, because files are there already: package.json, Dockerfile.",
    );
    expect(readdirSync(cwd).sort()).toEqual(["Dockerfile", "package.json"]);
    expect(simulator.requests).toEqual([]);
  });
});

describe("refused, and nothing is written:", () => {
  test.each<readonly [fact: string, args: readonly string[], words: string]>([
    ["no terminal and no --yes", ["status"], "Add --yes, with --name NAME, --base-url URL, --key-env NAME"],
    ["two directories", ["a", "b", "--yes"], "give at most one DIR"],
    ["a name without an address", ["status", "--yes", "--name", "Acme"], "add --base-url"],
    ["no address", ["status", "--yes", "--base-url", "acme"], "--base-url is not a web address"],
    ["http to a public host", ["status", "--yes", "--base-url", "http://api.acme.example"], "use https"],
    ["an unknown channel", ["status", "--yes", "--channel", "fax"], "--channel is one of slack, discord"],
    ["a key", ["status", ...acme(), "--key-env", "sk-0123456789abcdef"], "never the key itself"],
    [
      "a key with a line end",
      ["status", ...acme(), "--key-env", "TWO_LINES", "--no-check"],
      ".dev.vars cannot hold",
    ],
  ])("%s", async (_, args, words) => {
    const cwd = folderOfTest();
    const { code, stderr } = await runCli(["init", ...args], { cwd, env: { TWO_LINES: "a\nb" } });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("sk-0123456789abcdef");
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("a file in the place of the directory", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "status"), "");
    expect((await runCli(["init", "status", "--yes"], { cwd })).stderr).toContain(
      "is a file: name a directory",
    );
  });

  test("a directory that cannot be made", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "file"), "");
    const { code, stderr } = await runCli(["init", "file/status", "--yes"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/nothing can be written to .*file\/status/)]);
  });
});

describe("in a project", () => {
  async function project(): Promise<string> {
    const cwd = folderOfTest();
    await runCli(["init", "--yes", ...acme()], { cwd, env: GOOD });
    localize(cwd);
    return cwd;
  }

  test.each(["init", "add"])("%s adds a gateway, with another id if that is taken", async (name) => {
    const cwd = await project();
    const args = [name, ...acme(simulator.baseUrl("models_no_type"))];
    const { code, stdout } = await runCli(args, { cwd, env: { ACME_2_API_KEY: SIMULATOR_KEYS.good } });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Changed: .dev.vars, ")]);
    const checked = await check(cwd);
    expect(checked.stdout).toMatch(/gateways +2 \(acme, acme-2\)\n/);
    expect(parseEnv(read(cwd, ".dev.vars"))).toEqual({ ...GOOD, ACME_2_API_KEY: SIMULATOR_KEYS.good });
  });

  test.each<[given: readonly string[], code: number, gateways: string]>([
    [[], 1, "1 (acme)"],
    [["--name", "Acme"], 1, "1 (acme)"],
    [["--key-env", "ACME_API_KEY"], 1, "1 (acme)"],
    [["--name", "Other"], 0, "2 (acme, other)"],
    [["--key-env", "OTHER_KEY"], 0, "2 (acme, 127-0-0-1)"],
  ])("the same address once more with %j: exit code %d", async (given, code, gateways) => {
    const cwd = await project();
    const args = ["add", "--yes", "--base-url", `${simulator.url}/v1`, "--no-check", ...given];
    const { stderr, ...ran } = await runCli(args, { cwd });
    expect([ran.code, stderr.includes("Acme has this address already, and nothing was changed")]).toEqual([
      code,
      code === 1,
    ]);
    expect((await check(cwd)).stdout.replaceAll(/ +/g, " ")).toContain(`gateways ${gateways}\n`);
  });

  test("a link stays, and the file that it leads to gets the secret", async () => {
    const cwd = await project();
    const kept = join(folderOfTest(), "secrets");
    renameSync(join(cwd, ".dev.vars"), kept);
    symlinkSync(kept, join(cwd, ".dev.vars"));
    const env = { SLACK_URL: receiver.url("slack") };
    await runCli(["add", "--yes", "--channel", "slack", "--no-check"], { cwd, env });
    expect(readlinkSync(join(cwd, ".dev.vars"))).toBe(kept);
    expect(parseEnv(read(kept))).toEqual({ ...GOOD, ...env });
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  test("add passes new secrets on in the workflow", async () => {
    const cwd = await project();
    await runCli(["add", ...acme("https://api.acme.example"), "--channel", "slack", "--no-check"], {
      cwd,
      env: { SLACK_URL: receiver.url("s") },
    });
    expect(read(cwd, ".github/workflows/gatepulse.yml").split("\n").slice(-4)).toEqual([
      "          ACME_API_KEY: ${{ secrets.ACME_API_KEY }}",
      "          ACME_2_API_KEY: ${{ secrets.ACME_2_API_KEY }}",
      "          SLACK_URL: ${{ secrets.SLACK_URL }}",
      "",
    ]);
  });

  test("add says which secrets to pass on in a workflow of one's own", async () => {
    const cwd = await project();
    writeFileSync(join(cwd, ".github/workflows/gatepulse.yml"), "on: push\n");
    const { stdout } = await runCli(["add", ...acme("https://api.acme.example"), "--no-check"], { cwd });
    expect(stdout).toContain("Pass ACME_2_API_KEY on in .github/workflows/gatepulse.yml");
    expect(read(cwd, ".github/workflows/gatepulse.yml")).toBe("on: push\n");
  });

  test("a second channel of a kind is numbered", async () => {
    const cwd = folderOfTest();
    const channel = ["--yes", "--channel", "ntfy"];
    await runCli(["init", ...channel], { cwd, env: { NTFY_URL: receiver.url("ntfy") } });
    localize(cwd);
    const { stdout } = await runCli(["add", ...channel], {
      cwd,
      env: { NTFY_2_URL: receiver.url("ntfy", "2") },
    });
    expect(stdout).toContain("The test message was delivered");
    const checked = await check(cwd);
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringMatching(/alerts +2 \(ntfy, ntfy-2\)\n/),
    ]);
  });

  test("add takes a .json file", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "ours.json"), '{\n  "title": "Ours",\n  "gateways": []\n}\n');
    expect((await runCli(["add", "--config", "ours.json", ...acme()], { cwd, env: GOOD })).code).toBe(0);
    expect((await check(cwd, "ours.json")).stdout).toMatch(/gateways +1 \(acme\)\n/);
  });

  test("what to paste is printed where the list cannot be found", async () => {
    const cwd = folderOfTest();
    const text = "const make = () => [];\nexport default { title: 'Ours', gateways: make() };\n";
    writeFileSync(join(cwd, "gatepulse.config.ts"), text);
    const { code, stdout } = await runCli(["add", ...acme()], { cwd, env: GOOD });
    expect(code).toBe(2);
    expect(stdout).toContain(
      `was not changed: its lists could not be found. Add these.\nto gateways:\n\n{\n  id: "acme",\n`,
    );
    expect(read(cwd, "gatepulse.config.ts")).toBe(text);
    expect(parseEnv(read(cwd, ".dev.vars"))).toEqual(GOOD);
  });

  test.each([
    ["with a fault", "export default { title: 7, gateways: [] };", /title: 7 is not text/],
    ["that cannot be loaded", "export default {", /cannot be loaded/],
  ])("a configuration %s stays as it is", async (_, text, words) => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "gatepulse.config.ts"), text);
    const { code, stdout, stderr } = await runCli(["add", ...acme()], { cwd, env: GOOD });
    expect([code, stdout + stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(readdirSync(cwd)).toEqual(["gatepulse.config.ts"]);
  });

  test.each([
    ["names", "99.1.0", { devDependencies: { gatepulse: "^99.1.0" } }, null],
    ["names", "99.1.0-rc.1", { devDependencies: { gatepulse: "99.1.0-rc.1" } }, null],
    [
      "has installed",
      "99.1.0",
      { devDependencies: { gatepulse: "file:../gatepulse.tgz" } },
      { version: "99.1.0" },
    ],
  ])("one that %s a newer version, %s, is refused", async (_, version, manifest, installed) => {
    const cwd = await project();
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    mkdirSync(join(cwd, "node_modules", "gatepulse"), { recursive: true });
    writeFileSync(join(cwd, "node_modules", "gatepulse", "package.json"), JSON.stringify(installed ?? {}));
    const before = read(cwd, "gatepulse.config.ts");
    const { code, stderr } = await runCli(["init", ...acme()], { cwd, env: GOOD });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`npx gatepulse@${version} add`)]);
    expect(read(cwd, "gatepulse.config.ts")).toBe(before);
  });

  test("add without a project says how to make one", async () => {
    const { code, stderr } = await runCli(["add", ...acme()], { cwd: folderOfTest() });
    expect([code, stderr]).toEqual([2, expect.stringContaining("make a project with gatepulse init")]);
  });

  test("add --yes must be told what to add", async () => {
    const cwd = await project();
    expect((await runCli(["add", "--yes"], { cwd })).stderr).toContain(
      "--base-url URL, --channel KIND or both",
    );
  });
});
