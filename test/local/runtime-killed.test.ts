/** The runtime alone is killed: another is started once, and nothing waits for a lease; then the monitor ends. */
import { expect, test } from "vitest";
import { startWorkerd } from "../../src/local/workerd.ts";
import { eventually } from "./program.ts";
import { killIfAlive, workerdProcesses } from "./support/processes.ts";
import { showing, watchedScene, type Watching } from "./support/watched-directory.ts";

const runtimeOf = ({ program }: Watching): number => workerdProcesses(program.child.pid)[0] ?? 0;

test.concurrent("one that is killed in a probe is followed by another, long before the probe's lease ends; killed again and again it ends the monitor, which says so", async ({
  onTestFinished,
}) => {
  const { simulator, watch } = await watchedScene(onTestFinished);
  const watching = await watch({ gateways: ["steady"] });
  await showing(watching, { steady: "up" });
  const before = await watching.probes("steady");
  simulator.play("steady", "no_answer");
  const requests = simulator.requests.length;
  await watching.probeSoon();
  await eventually(() => simulator.requests.length > requests);
  expect(simulator.requests.at(-1)?.headers["cf-worker"]).toBe("gatepulse.localhost");
  const killed = runtimeOf(watching);
  expect(killed).toBeGreaterThan(1);
  process.kill(killed, "SIGKILL");
  simulator.play("steady", "envelope_5000");
  // A lease lasts five minutes.
  await showing(watching, { steady: "down" });
  expect(runtimeOf(watching)).not.toBe(killed);
  expect(await watching.probes("steady")).toEqual(expect.arrayContaining([...before]));

  const { program } = watching;
  await eventually(() => {
    const next = runtimeOf(watching);
    if (next > 0) killIfAlive(next);
    return program.output().includes("Gatepulse stops: its runtime (workerd) crashed and cannot restart.");
  });
  expect(await program.ended()).toBe(1);
});

const THROWING = `
import { DurableObject } from "cloudflare:workers";
export class Ledger extends DurableObject {}
export class Vantage extends DurableObject {}
export default { scheduled: () => { throw new Error("no"); } };`;

test.concurrent("a tick that throws in the runtime has failed, and no runtime is gone for that", async ({
  onTestFinished,
}) => {
  const options = { script: THROWING, persistDir: null, tickSeconds: 60, secrets: {} };
  const workerd = await startWorkerd(options);
  onTestFinished(() => workerd.stop());
  await expect(workerd.tick(0)).rejects.toThrow("the tick ended as exception");
});
