/** One monitor a directory, and none that outlives the npm which started it: real processes, real signals. */
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test, type TestContext } from "vitest";
import { lockDirectory } from "../../src/local/persist-dir.ts";
import { addressOf, eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";
import { isAlive, workerdProcesses } from "./support/processes.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Nothing of it runs or is left when the test is over. */
async function house({ onTestFinished }: TestContext) {
  const home = await temporaryDirectory(onTestFinished);
  const [directory, config] = [join(home, "data"), join(home, "gatepulse.config.json")];
  const gateway = { id: "nobody", baseUrl: "http://127.0.0.1:9", apiKey: "KEY" };
  await writeFile(config, JSON.stringify({ title: "t", gateways: [gateway] }));
  const launch = (...command: readonly string[]): Program => {
    const args = [...command, "--tick", "3600", "--persist", directory];
    const program = start(args[0] ?? "", args.slice(1));
    onTestFinished(async () => void (await program.stop("SIGKILL")));
    return program;
  };
  const own = ["--config", config, "--port"];
  return {
    directory,
    npmStart: () => launch("npm", "start", "--", ...own, "0"),
    monitor: (port = 0) => launch("node", "bin/gatepulse.js", "start", ...own, `${port}`),
    demo: () => launch("node", "bin/gatepulse.js", "start", "--port", "0"),
  };
}

function runtimeOf({ child }: Program): number {
  const [pid = 0] = workerdProcesses(child.pid);
  expect(pid).toBeGreaterThan(1);
  return pid;
}

const gone = (pid: number): Promise<boolean> => eventually(() => !isAlive(pid));

test.concurrent("when npm gets SIGTERM, the monitor that it started ends: its port is closed, no workerd is left", async (context) => {
  const { npmStart } = await house(context);
  const npm = npmStart();
  const address = await addressOf(npm);
  const runtime = runtimeOf(npm);
  await npm.stop();
  expect(await gone(runtime)).toBe(true);
  await expect(fetchDescribed(address)).rejects.toThrow("fetch failed");
});

test.concurrent("when npm ends, the simulated gateways that it started end with it; told themselves, they end well", async ({
  onTestFinished,
}) => {
  const npm = start("npm", ["run", "simulate", "--", "--port", "0"]);
  const alone = start("node", ["src/local/simulate.ts", "--port", "0"]);
  onTestFinished(async () => {
    await Promise.all([npm, alone].map((program) => program.stop("SIGKILL")));
  });
  const address = await addressOf(npm);
  await addressOf(alone);
  expect(await alone.stop()).toBe(0);
  expect((await fetch(address)).status).toBe(200);
  await npm.stop();
  const refused = async (): Promise<boolean> => (await fetch(address).catch(() => null)) === null;
  expect(await eventually(refused)).toBe(true);
});

test.concurrent("a second monitor on the same directory is refused before anything is started; the first goes on, and ends well though its directory is taken away", async (context) => {
  const { directory, monitor } = await house(context);
  const first = monitor();
  const address = await addressOf(first);
  const runtime = runtimeOf(first);
  const second = monitor();
  expect(await second.ended()).toBe(2);
  expect(second.output()).toBe(
    `Gatepulse cannot start: ${directory} is in use by another process. ` +
      "Stop that one, or give this one a --persist of its own.\n",
  );
  expect(runtimeOf(first)).toBe(runtime);
  const healthOf = async (): Promise<number> => (await fetchDescribed(`${address}/healthz`)).status;
  expect(await eventually(healthOf, (status) => status === 200)).toBe(200);
  await rm(directory, { recursive: true });
  expect(await first.stop()).toBe(0);
  expect(await gone(runtime)).toBe(true);
  await expect(fetchDescribed(address)).rejects.toThrow("fetch failed");
  expect(first.output()).not.toContain("cannot start");
});

test.concurrent("a port that is taken is refused with what to do", async (context) => {
  const { monitor } = await house(context);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const program = monitor(port);
  expect(await program.ended()).toBe(1);
  expect(program.output()).toContain(
    `Gatepulse cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
      "Another program listens there: choose another --port or --simulator-port (0: any free one)\n",
  );
  other.close();
});

test.concurrent("after a kill the directory is free, and the killed one's workerd ends", async (context) => {
  const { directory, monitor } = await house(context);
  const first = monitor();
  await addressOf(first);
  const runtime = runtimeOf(first);
  await first.stop("SIGKILL");
  const release = lockDirectory(directory);
  expect(release).not.toBeNull();
  release?.();
  expect(await gone(runtime)).toBe(true);
});

test.concurrent("Ctrl+C while the demo starts ends the runtime too, and all ends well", async (context) => {
  const { demo } = await house(context);
  const first = demo();
  process.kill(await eventually(() => workerdProcesses(first.child.pid)[0] ?? 0), "SIGINT");
  expect(await first.stop("SIGINT")).toBe(0);
  expect(first.output()).not.toContain("cannot start");
});

test.concurrent("a damaged lock is named", async ({ onTestFinished }) => {
  const directory = await temporaryDirectory(onTestFinished);
  const file = join(directory, "lock.sqlite");
  await writeFile(file, "no database ".repeat(50));
  expect(() => lockDirectory(directory)).toThrow(`${file} is damaged: remove it, and start again`);
});
