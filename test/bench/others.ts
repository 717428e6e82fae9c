/** Processes beside the runtime: gateways, and Debian's prometheus-blackbox-exporter, which asks them too. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { eventually } from "../local/program.ts";
import { exporterVersion } from "./performance-document.ts";

const LANES = 6;
/** The module that only wants a good status, as Debian configures it. */
const MODULE = "http_2xx";

export interface Other {
  readonly pid: number;
  /** Asks each gateway so many times. */
  ask(rounds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Gateways in a process of their own (`gateways.ts`), which ends when `use` is over. */
export async function withGateways<Value>(
  use: (origin: string, gateways: ChildProcess) => Promise<Value>,
): Promise<Value> {
  const child = fork(fileURLToPath(new URL("gateways.ts", import.meta.url)));
  try {
    const [port] = (await once(child, "message")) as [number];
    return await use(`http://127.0.0.1:${port}`, child);
  } finally {
    await ended(child, () => child.disconnect());
  }
}

/** Null: it is not installed. */
export async function startExporter(baseUrls: readonly string[]): Promise<Other | null> {
  if ((await exporterVersion()) === null) return null;
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const child = spawn(
    "prometheus-blackbox-exporter",
    [
      "--config.file=/etc/prometheus/blackbox.yml",
      `--web.listen-address=${address}`,
      // It writes a line a probe, which is not its task here.
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const isUp = () => fetch(`http://${address}/-/healthy`).then(({ ok }) => ok);
  await eventually(() => isUp().catch(() => false));
  return {
    pid: child.pid ?? 0,
    ask: async (rounds) => {
      const waiting = Array.from({ length: rounds }, () => baseUrls).flat();
      const lane = async (): Promise<void> => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const target = encodeURIComponent(`${next}/v1/models`);
          const answer = await fetch(`http://${address}/probe?module=${MODULE}&target=${target}`);
          const text = await answer.text();
          if (!/^probe_success 1$/m.test(text)) throw new Error("the exporter's probe failed");
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
    stop: () => ended(child, () => child.kill()),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Only what this process started. */
async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  end();
  await exit;
}
