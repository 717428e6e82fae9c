import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ran, runCli } from "./fake-io.ts";
import { folderOfFile } from "./folder.ts";

const folder = folderOfFile();

function gateways(count: number, every = "1m"): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `g${index}`,
    baseUrl: "https://gateway.example",
    apiKey: "GATEWAY_API_KEY",
    monitors: [{ kind: "models", every }],
  }));
}

function run(command: string, config: object, ...options: readonly string[]): Promise<Ran> {
  writeFileSync(join(folder, "c.json"), JSON.stringify({ title: "t", ...config }));
  return runCli([command, "c.json", ...options], { cwd: folder, env: { GATEWAY_API_KEY: "k" } });
}

test("one of a thing is told as one", async () => {
  const { stdout } = await run("plan", { gateways: gateways(1, "1d") }, "--views", "1", "--incidents", "1");
  expect(stdout).toContain("assumed        1 view and 1 incident a day, ");
  expect(stdout).toContain("requests sent  1 probe\n");
  expect(stdout).toContain("busiest tick   1 probe\n");
});

test("on the paid plan its price comes first, with what goes beyond what is included", async () => {
  const config = { gateways: gateways(100), plan: "paid", shards: 50 };
  const { stdout } = await run("plan", config);
  expect(stdout).toMatch(
    /^c\.json costs \$8\.39 a month on the paid plan; the free plan would not be enough\n\nper month/,
  );
  expect(stdout).toContain("$0.59 for KV writes (1,117,500, 1,000,000 included)");
  expect(stdout).toMatch(/\nKV writes +1,117,500 +1,000,000 +112 %\n/);
});

test("--json prints one object with all of it", async () => {
  const { code, stdout } = await run("plan", { gateways: gateways(2) }, "--json", "--incidents", "4");
  const plan: unknown = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(plan).toMatchObject({
    given: { views: 0, incidents: 4 },
    plan: "free",
    shards: 1,
    monitors: 2,
    probes: 2880,
    used: { kvWrites: 751, workerRequests: 1440, queueOperations: 0 },
    free: {
      holds: true,
      limits: [{ quantity: "kvWrites", allowed: 1000, fix: null }, ...Array.from({ length: 10 }, () => ({}))],
    },
    paid: { totalDollars: 5, charges: [] },
  });
});

test("a faulty configuration prints its faults and ends with 2, for programs as an object", async () => {
  const { code, stdout } = await run("plan", { gateways: [{ id: "Acme" }] });
  expect(code).toBe(2);
  expect(stdout).toContain("gateways[0].id");
  const ofJson = await run("plan", { gateways: [{ id: "Acme" }] }, "--json");
  expect(ofJson).toMatchObject({ code: 2, stderr: "" });
  expect(JSON.parse(ofJson.stdout).faults).toContainEqual({
    path: "gateways[0].id",
    written: '"Acme"',
    problem: "has the wrong form",
    fix: "use 1 to 40 of a-z, 0-9 and -",
  });
});

test.each([
  [["plan", "a.json", "b.json"], "give at most one FILE"],
  [["plan", "--views", "many"], "--views and --incidents take a whole number"],
  [["plan", "a.json", "--config", "b.json"], "give at most one FILE"],
  [
    ["plan", "--config", "not-there.json"],
    "not-there.json is missing; npx gatepulse init creates a project with one",
  ],
  [
    ["plan", "--strange"],
    "unknown option; the options are: --config, --views, --incidents, --json, --help, --lang",
  ],
  [["plan", "not-there.json"], "not-there.json is missing; npx gatepulse init creates a project with one"],
])("%j is refused", async (args, problem) => {
  const { code, stdout, stderr } = await runCli(args, { cwd: folder });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`gatepulse plan: ${problem}\nSee gatepulse plan --help.\n`);
});

test("more monitors than one invocation or one Ledger carries well: plan and check advise so many lanes and shards as are enough", async () => {
  const config = { gateways: gateways(2100), plan: "paid", maxProbesPerTick: 2000, lanes: 2 };
  const advice =
    "\nOne invocation checks 1,050 monitors. With six connections and answers that take 0.7 s, that takes more than a minute.\nfix: set lanes: 11 and maxProbesPerTick: 191\n\nWith more than 2000 monitors, the ticks of a Ledger become slow.\nfix: set shards: 2\n";
  expect((await run("plan", config)).stdout).toContain(advice);
  expect((await run("check", config)).stdout).toContain(advice);
  const followed = { ...config, shards: 2, lanes: 6, maxProbesPerTick: 200 };
  expect((await run("plan", followed)).stdout).not.toContain("fix:");
});

test("check warns where the free plan is not enough, and not where the paid one is meant", async () => {
  const config = { gateways: gateways(50), maxProbesPerTick: 50 };
  const warning =
    "The free plan is not enough. CPU, busiest tick (ms): 17 needed, 10 allowed.\nfix: set a smaller maxProbesPerTick";
  expect((await run("check", config)).stdout).toContain(warning);
  expect((await run("check", { ...config, plan: "paid" })).stdout).not.toContain("not enough");
  expect((await run("check", { gateways: gateways(20) })).stdout).not.toContain("not enough");
});

test("monitors that cannot be probed on time are said first, with how often they are and fixes that help", async () => {
  const config = { gateways: gateways(200) };
  const { stdout } = await run("plan", config);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "c.json is within the free plan, but its monitors can NOT be probed as often as configured",
    "On average, 200 probes are due in a tick, but only 20 can run: each monitor is checked 10 times less often than configured.",
    'fix: raise every; or use more shards; or use plan: "paid"',
  ]);
  const lateFree = JSON.parse((await run("plan", config, "--json")).stdout);
  expect(lateFree).toMatchObject({ late: true, lateness: { duePerTick: 200 }, free: { holds: false } });
  const slower = gateways(200, "10m");
  expect((await run("plan", { gateways: slower })).stdout).toMatch(/^c\.json fits the free plan\n/);
  const paid = { plan: "paid", maxProbesPerTick: 200 };
  expect((await run("plan", { ...config, ...paid })).stdout).not.toContain("NOT");
});

test("check says what the paid plan costs; views count, and a thousand dollars have a comma", async () => {
  const { stdout } = await run("check", { gateways: gateways(100), plan: "paid", shards: 50 });
  expect(stdout).toMatch(
    /\npaid plan {2}\$8\.39 a month without views and incidents; gatepulse plan shows the details\n/,
  );
  const viewed = await run("plan", { gateways: gateways(1) }, "--views", "100000000");
  expect(viewed.stdout).toMatch(/\npaid plan {6}\$\d,\d{3}\.\d\d a month: /);
  expect((await run("check", { gateways: gateways(2) })).stdout).not.toContain("paid plan");
});
