/** `gatepulse deploy` before and after wrangler runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addressIn, adviceOn, deployableOf } from "../../src/commands/deploy-command.ts";
import { runCli, type Ran } from "./fake-io.ts";
import { folderOfTest } from "./folder.ts";

const TOML = 'name = "watch"\nmain = "w.js"\n';
const TICKS = `${TOML}[[queues.producers]]\nbinding = "TICKS"\nqueue = "own"\n`;
const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
const MANY = Array.from({ length: 200 }, (_, n) => ({ ...ACME, id: `g${n}` }));

function ran(
  args: readonly string[],
  config: object,
  env: Record<string, string> = {},
  toml: string | null = TOML,
): Promise<Ran> {
  const cwd = folderOfTest();
  writeFileSync(join(cwd, "c.json"), JSON.stringify({ title: "t", gateways: [], ...config }));
  if (toml !== null) writeFileSync(join(cwd, "wrangler.toml"), toml);
  return runCli([...args, "c.json"], { cwd, env });
}

test("a fault of the configuration, and a secret that cannot be right, stop it", async () => {
  const faulty = await ran(["deploy"], { plan: "fre" });
  expect([faulty.code, faulty.stdout]).toEqual([2, expect.stringContaining('plan: "fre" is not a plan')]);
  const wrong = await ran(["deploy"], { gateways: [ACME] }, { ACME_API_KEY: "Bearer k" });
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("ACME_API_KEY begins with Bearer")]);
});

test("a gateway that Cloudflare cannot reach stops it", async () => {
  const { code, stderr } = await ran(["deploy"], { gateways: [{ ...ACME, baseUrl: "http://192.168.1.5" }] });
  expect(code).toBe(2);
  expect(stderr).toContain("nothing was deployed: Cloudflare cannot reach the private address of acme\n");
});

test("if the free plan is not enough, nothing is deployed without --yes", async () => {
  const { code, stdout, stderr } = await ran(["deploy"], { gateways: MANY });
  expect(code).toBe(2);
  expect(stdout).toContain("its monitors can NOT be probed as often as configured\n");
  expect(stderr).toContain(
    'nothing was deployed: if you have the paid plan, write plan: "paid"; else add --yes\n',
  );
  const anyway = await ran(["deploy", "--yes"], { gateways: MANY });
  expect(anyway.stderr).toContain("wrangler is not installed in this project");
});

test("where there is no wrangler.toml, or no wrangler, it says so", async () => {
  expect((await ran(["deploy"], {}, {}, null)).stderr).toContain(
    "wrangler.toml is missing here, or is no TOML",
  );
  const { code, stderr } = await ran(["deploy", "--dry-run"], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining("wrangler is not installed in this project")]);
});

test("where wrangler.toml has a queue of its own, it is deployed as it is", async () => {
  const cwd = folderOfTest();
  writeFileSync(join(cwd, "wrangler.toml"), TICKS);
  const deployable = { file: "wrangler.toml", queues: [] };
  expect(await deployableOf(cwd, { lanes: 1, shards: 2 })).toEqual(deployable);
});

test("GATEPULSE_CONFIG names the configuration where no argument does", async () => {
  const cwd = folderOfTest();
  writeFileSync(join(cwd, "c.json"), JSON.stringify({ title: "t", gateways: [] }));
  const { stdout } = await runCli(["check"], { cwd, env: { GATEPULSE_CONFIG: join(cwd, "c.json") } });
  expect(stdout).toContain("c.json is valid");
});

const SCHEDULE = "schedule: * * * * *";
const WORKERS_DEV = "https://watch.me.workers.dev";

test.each<[targets: readonly string[], configured: string | null, address: string | null]>([
  [[WORKERS_DEV, SCHEDULE], null, WORKERS_DEV],
  [[WORKERS_DEV, "status.acme.example (custom domain)"], null, "https://status.acme.example"],
  [
    [WORKERS_DEV, "status.acme.example/* (zone name: acme.example)"],
    "https://status.acme.example",
    "https://status.acme.example",
  ],
  [[WORKERS_DEV], "https://elsewhere.example", WORKERS_DEV],
  [[SCHEDULE], "https://status.acme.example", "https://status.acme.example"],
  [[SCHEDULE], null, null],
])("of the targets %j and url %j the page is at %j", (targets, configured, address) => {
  expect(addressIn([{ type: "deploy", targets }], configured)).toBe(address);
});

test.each([
  [
    "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    "log in",
  ],
  ["fetch failed", "Cloudflare was not reached"],
  ["getaddrinfo EAI_AGAIN api.cloudflare.com", "Cloudflare was not reached"],
  ['Could not resolve "./network.ts"', "fix what wrangler says above"],
])("on %j the advice begins with %j", (message, advice) => {
  expect(adviceOn([{ type: "command-failed", message }])).toMatch(new RegExp(`^${advice}`));
});
