/** Time from the start of workerd alone to the first answer of the deployed script, and of a bare Worker. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { freshMetadata, type Published } from "./history.ts";
import { cpuOf, median, takeTurns } from "./measure.ts";
import { atPaceOf, withPace } from "./pace.ts";
import { atMost, type Row, row, timesAtMost } from "./row.ts";
import { bytesOf } from "./servers.ts";

const ROUNDS = 15;

/** https://developers.cloudflare.com/workers/platform/limits: a deploy whose global scope takes longer is refused. */
const MOST_START_MS = 1000;

/** On the machine of the plan's figures. */
const MOST_PAGE_MS = 15;

const BARE = `export class Ledger {}
export default { fetch: () => new Response("good") };`;

export async function measureStartUp(script: string, published: Published): Promise<readonly Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  const kv = await serveKv(published);
  try {
    const configured = async (name: string, code: string): Promise<string> => {
      const file = join(directory, `${name}.capnp`);
      await writeFile(join(directory, `${name}.js`), code);
      await writeFile(file, configuration(name, portOf(kv)));
      return file;
    };
    const [ours, bare] = [await configured("product", script), await configured("bare", BARE)];
    const { taken, listMs } = await withPace(async (pace) => ({
      taken: await takeTurns(ROUNDS, {
        product: () => inNewRuntime(ours, firstStatusMs),
        bare: () => inNewRuntime(bare, firstStatusMs),
        page: async () => {
          await pace.look();
          return inNewRuntime(ours, ({ url, pid }) => cpuOf(pid, () => bytesOf(new URL("/", url))));
        },
      }),
      listMs: pace.takeListMs(),
    }));
    const [productMs, bareMs] = [median(taken.product), median(taken.bare)];
    const toFirst = "from the start of workerd to the first status; floor: to a bare Worker's first answer";
    const added = "what the script adds to it; the platform lets a script begin for a second";
    return [
      row("ms", toFirst, productMs, { floor: bareMs, limit: timesAtMost(2) }),
      row("ms", added, productMs - bareMs, { limit: atMost(MOST_START_MS) }),
      row(
        "ms",
        "CPU of a new isolate's first page, 100 monitors; floor: 15 ms, at the machine's pace",
        median(taken.page),
        { floor: atPaceOf(listMs, MOST_PAGE_MS), limit: timesAtMost(1) },
      ),
    ];
  } finally {
    kv.close();
    kv.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Speaks as KV does to workerd: the value, and its metadata in a header. */
async function serveKv(published: Published): Promise<Server> {
  const { bytes } = published;
  const metadata = freshMetadata(published);
  const server = createServer((_, response) => {
    response.writeHead(200, { "cf-kv-metadata": JSON.stringify(metadata), "content-length": bytes.length });
    response.end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function configuration(name: string, kvPort: number): string {
  const nothing = { script: "", persistDir: null, tickSeconds: 60, secrets: {} };
  const { compatibilityDate, compatibilityFlags } = runtimeOptions(nothing);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "${name}.js", esModule = embed "${name}.js")],
      compatibilityDate = ${JSON.stringify(compatibilityDate)},
      compatibilityFlags = ${JSON.stringify(compatibilityFlags)},
      bindings = [
        (name = "KV", kvNamespace = "kv"),
        (name = "LEDGER", durableObjectNamespace = "Ledger"),
      ],
      durableObjectNamespaces = [(className = "Ledger", uniqueKey = "ledger", enableSql = true)],
      durableObjectStorage = (inMemory = void),
    )),
    (name = "kv", external = (address = "127.0.0.1:${kvPort}", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}

interface Runtime {
  readonly url: string;
  readonly pid: number;
  /** When its process was started, as `performance.now` counts. */
  readonly startedMs: number;
}

async function inNewRuntime(
  configFile: string,
  measure: (runtime: Runtime) => Promise<number>,
): Promise<number> {
  const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");
  const startedMs = performance.now();
  const child = spawn(workerd, ["serve", configFile, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  try {
    const url = `http://127.0.0.1:${await listeningPort(child)}/`;
    return await measure({ url, pid: child.pid ?? 0, startedMs });
  } finally {
    child.kill("SIGKILL");
    await exit;
  }
}

async function firstStatusMs({ url, startedMs }: Runtime): Promise<number> {
  await bytesOf(new URL("/api/v1/status", url));
  return performance.now() - startedMs;
}

/** workerd tells it on its control channel. */
async function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3] as Readable;
  let told = "";
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  for await (const chunk of control) {
    told += String(chunk);
    const [, port] = /"event":\s*"listen"[^\n]*"port":\s*(\d+)/.exec(told) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd did not start: ${complaint}`);
}
