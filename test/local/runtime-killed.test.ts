/** The runtime alone is killed, and the monitor that started it lives: it starts another, and nothing waits for a lease. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startWorkerd } from "../../src/local/workerd.ts";
import { eventually } from "./program.ts";
import { answering, showing, watchedScene } from "./support/watched-directory.ts";

const pidIn = async (persist: string) => Number(await readFile(join(persist, "workerd.pid"), "utf8"));

/** As `support/dying-runtime.sh` has it. */
const LIFE_MS = 2000;

test.concurrent("one that is killed in a probe, and whose successors are killed as they start, is followed by one that lives, long before the probe's lease ends", async ({
  onTestFinished,
}) => {
  const { simulator, persist, watch } = await watchedScene(onTestFinished);
  const watching = await watch({ gateways: ["steady"] });
  const killed = new Set<number>();
  await showing(watching, { steady: "up" });
  const before = await watching.probes("steady");
  simulator.play("steady", "no_answer");
  const requests = simulator.requests.length;
  await watching.probeSoon();
  await eventually(() => simulator.requests.length > requests);
  simulator.play("steady", "envelope_5000");
  for (let kills = 0; kills < 4; kills += 1) {
    const next = await eventually(
      () => pidIn(persist),
      (number) => number > 1 && !killed.has(number),
    );
    killed.add(next);
    process.kill(next, "SIGKILL");
  }
  expect((await answering(watching, 503))["runtime:answers"]).toContain("does not answer");
  await eventually(() => watching.probeSoon());
  // A lease lasts five minutes.
  await showing(watching, { steady: "down" });
  expect(await watching.probes("steady")).toEqual(expect.arrayContaining([...before]));
  expect(watching.program.output()).toContain("The runtime runs again.");
  expect(await watching.program.stop()).toBe(0);
});

test.concurrent("one that dies soon after each start is started after growing waits, until it lives", async ({
  onTestFinished,
}) => {
  const { directory, persist, watch } = await watchedScene(onTestFinished);
  const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");
  const env = {
    MINIFLARE_WORKERD_PATH: fileURLToPath(new URL("support/dying-runtime.sh", import.meta.url)),
    GUARD: fileURLToPath(new URL("../../src/local/workerd-guard.sh", import.meta.url)),
    GATEPULSE_WORKERD: workerd,
    LIVES: directory,
  };
  // Between two ticks no tick goes well.
  const watching = await watch({ gateways: ["steady"], env, tickSeconds: 3600 });
  const starts = join(directory, "starts");
  const longestWaitMs = async (): Promise<number> => {
    await watching.health();
    const times = (await readFile(starts, "utf8")).trim().split("\n").map(Number);
    return Math.max(0, ...times.slice(1).map((ms, place) => ms - (times[place] ?? 0)));
  };
  await showing(watching, { steady: "up" });
  await writeFile(join(directory, "dies"), "");
  await writeFile(starts, "");
  process.kill(await pidIn(persist), "SIGKILL");
  await eventually(longestWaitMs, (ms) => ms >= LIFE_MS + 4000);
  await rm(join(directory, "dies"));
  await answering(watching, 200);
  await showing(watching, { steady: "up" });
  expect(watching.program.output()).toContain("The runtime runs again.");
  expect(await watching.program.stop()).toBe(0);
});

const THROWING = `
import { DurableObject } from "cloudflare:workers";
export class Ledger extends DurableObject {}
export class Vantage extends DurableObject {}
export default { scheduled: () => { throw new Error("no"); } };`;

test.concurrent("a tick that throws in the runtime has failed, and the runtime is not gone for that", async ({
  onTestFinished,
}) => {
  const options = { script: THROWING, persistDir: null, tickSeconds: 60, secrets: {} };
  const workerd = await startWorkerd(options);
  onTestFinished(() => workerd.stop());
  await expect(workerd.tick(0)).rejects.toThrow("the tick ended as exception");
  expect(await workerd.isGone()).toBe(false);
});
