/**
 * Time from the start of workerd to the first answer: the deployed script answers `GET /api/v1/status` from KV, the bare
 * Worker answers at once. workerd alone, without the runner around it, whose own start would hide the difference.
 */
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
import { median, takeTurns } from "./measure.ts";
import { atMost, type Row, row, timesAtMost } from "./row.ts";

const ROUNDS = 15;

/** https://developers.cloudflare.com/workers/platform/limits: a deploy whose global scope takes longer is refused. */
const MOST_START_MS = 1000;

const BARE = `export class Ledger {}
export default { fetch: () => new Response("good") };`;

export async function measureStartUp(script: string, published: Published): Promise<readonly Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  const kv = await serveKv(published);
  try {
    const contestant = async (name: string, code: string): Promise<() => Promise<number>> => {
      await writeFile(join(directory, `${name}.js`), code);
      await writeFile(join(directory, `${name}.capnp`), configuration(name, portOf(kv)));
      return () => firstAnswerMs(join(directory, `${name}.capnp`));
    };
    const taken = await takeTurns(ROUNDS, {
      product: await contestant("product", script),
      bare: await contestant("bare", BARE),
    });
    const [productMs, bareMs] = [median(taken.product), median(taken.bare)];
    const toFirst = "from the start of workerd to the first status; floor: to a bare Worker's first answer";
    const added = "what the script adds to it; the platform lets a script begin for a second";
    return [
      row("ms", toFirst, productMs, { floor: bareMs, limit: timesAtMost(2.5) }),
      row("ms", added, productMs - bareMs, { limit: atMost(MOST_START_MS) }),
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

async function firstAnswerMs(configFile: string): Promise<number> {
  const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");
  const startedMs = performance.now();
  const child = spawn(workerd, ["serve", configFile, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  try {
    const port = await listeningPort(child);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/status`, {
      headers: { connection: "close" },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the first answer is ${answer.status}`);
    return performance.now() - startedMs;
  } finally {
    child.kill("SIGKILL");
    await exit;
  }
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
