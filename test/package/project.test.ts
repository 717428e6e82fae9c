/** From the packed package to a page with a verdict, on machines that have nothing of this repository. */
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { addressOf, eventually } from "../local/program.ts";
import { type Machine, newMachine, packed, type Setup } from "./machine.ts";

const MACHINES: readonly Setup[] = [20, 22, 24].flatMap((node) => [
  { node, manager: "npm" },
  { node, manager: "pnpm" },
]);

/** Longer, and newcomers leave. Downloads are not counted. */
const LONGEST_TO_VERDICT_MS = 20_000;

let tarball: string;
let gateway: string;
beforeAll(async () => {
  tarball = await packed();
  const simulator = await startSimulator();
  gateway = simulator.baseUrl("healthy");
  return () => simulator.close();
});

interface Status {
  readonly status: string;
  readonly gateways: readonly {
    readonly id: string;
    readonly monitors: readonly {
      readonly status: string;
      readonly diagnosis: { readonly cause: string } | null;
    }[];
  }[];
}

/** Null before the first tick was published. */
async function statusOf(address: string): Promise<Status | null> {
  const answer = await fetch(`${address}/api/v1/status`);
  return answer.ok ? ((await answer.json()) as Status) : null;
}

function causes(status: Status | null): readonly (string | undefined)[] {
  return (status?.gateways ?? []).flatMap(({ monitors }) =>
    monitors.map(({ diagnosis }) => diagnosis?.cause),
  );
}

describe.each(MACHINES)("Node $node with $manager", (setup) => {
  let machine: Machine;
  let project: string;
  /** Runs a program of the project. */
  const exec = setup.manager === "npm" ? ["npx", "--no"] : ["pnpm", "exec"];
  const gatepulse = (args: readonly string[], at = project) =>
    machine.run(exec[0] ?? "", [...exec.slice(1), "gatepulse", ...args], at);

  beforeAll(async () => {
    machine = await newMachine(setup, { ACME_API_KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN: "0123456789abcdef" });
    project = join(machine.directory, "status");
  });

  test("init checks the gateway and makes a project; start shows its verdict", async () => {
    const fresh = setup.manager === "npm" ? ["npx", "--yes", "--package"] : ["pnpm", "--package"];
    const run = setup.manager === "npm" ? ["--", "gatepulse"] : ["dlx", "gatepulse"];
    const init = [
      "init",
      project,
      "--yes",
      "--name",
      "Acme",
      "--base-url",
      gateway,
      "--key-env",
      "ACME_API_KEY",
    ];
    const initMs = await timed(async () => {
      const told = await machine.run(fresh[0] ?? "", [...fresh.slice(1), tarball, ...run, ...init]);
      expect(told).toContain("models");
    });
    expect((await readdir(project)).toSorted()).toEqual(
      expect.arrayContaining(["gatepulse.config.ts", "src"]),
    );
    await machine.run(setup.manager, ["install"], project);
    const startMs = await timed(async () => {
      const program = machine.start(
        exec[0] ?? "",
        [...exec.slice(1), "gatepulse", "start", "--port", "0"],
        project,
      );
      onTestFinished(async () => void (await program.stop()));
      const address = await addressOf(program);
      await eventually(
        () => statusOf(address),
        (status) => causes(status).includes("ok"),
      );
      expect(await (await fetch(address)).text()).toContain("Acme");
      await program.stop();
    });
    console.log(
      `Node ${setup.node} with ${setup.manager}: ${((initMs + startMs) / 1000).toFixed(1)} s from npx to the first verdict`,
    );
    expect(initMs + startMs).toBeLessThan(LONGEST_TO_VERDICT_MS);
  });

  test("the configuration is checked, and the Worker is built for a deploy", async () => {
    expect(await gatepulse(["check"])).toContain("gatepulse.config.ts is valid");
    await gatepulse(["deploy", "--dry-run"]);
    expect(await readFile(join(project, ".gatepulse/worker.js"), "utf8")).toContain(gateway);
  });

  test("a backup is restored in another place", async () => {
    await gatepulse(["backup", "all.backup"]);
    const other = join(machine.directory, "other");
    await mkdir(other);
    await gatepulse(["restore", "all.backup", "--persist", other]);
    await expect(gatepulse(["restore", "all.backup", "--persist", other])).rejects.toThrow();
  });
});

async function timed(run: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
