/** A whole monitor: the real Worker in workerd, with real sockets, KV and Ledger, in a fast time. Ticks are fired one by one. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, Miniflare, Response } from "miniflare";
import { readConfig } from "../../../src/config/load.ts";
import type { Region } from "../../../src/config/config.ts";
import type { ConfigInput, GatewayInput } from "../../../src/config/define-config.ts";
import type { Batch } from "../../../src/domain/tick.ts";
import { ledgerName } from "../../../src/ledger/rpc.ts";
import { bundleWorker } from "../../../src/local/bundle.ts";
import { runtimeOptions } from "../../../src/local/workerd.ts";
import { mustBeDescribed } from "../../openapi/description.ts";
import "./files-in-memory.ts";
import { peakMemoryBytes, workerdProcesses } from "./processes.ts";

const ENTRY = fileURLToPath(new URL("./worker/entry.ts", import.meta.url));

/** The name of the Worker under test. */
const SCRIPT = "gatepulse-under-test";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** What may become of a step: it is taken, the Ledger dies on the spot, or it fails with these words. */
export type Order = "go" | "abort" | (string & {});

/** A step between the Worker, its Ledger and KV. `put:…` is one of the Ledger. */
export interface Step {
  readonly name: `${"begin" | "record" | "put"}:${"before" | "after"}`;
  /** Of `record`. */
  readonly batch: Batch | null;
  /** Of `begin` and `record`; else 0. */
  readonly lane: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly json: any;
}

/** Does it hang on purpose what was asked for at this path, since this instant of real time? Until it is said, nothing ends. */
export type Hanging = (path: string, sinceMs: number) => boolean | Promise<boolean>;

export interface WorldOptions {
  readonly gateways: readonly GatewayInput[];
  /** Values by the name of the secret. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly config?: Partial<ConfigInput>;
  /** Where KV and the Ledger live; default: in memory. */
  readonly persistDir?: string;
  /** Virtual time at the start; default: the next full minute of real time. */
  readonly startMs?: number;
  /** Ticks go through workerd's queue, and a message is delivered again so often before it is a dead letter. Default: no queue. */
  readonly queueRetries?: number;
  /** By region: what stands instead of base addresses when they are asked from there. */
  readonly fromRegions?: Readonly<
    Partial<Record<Region, readonly (readonly [baseUrl: string, there: string])[]>>
  >;
  /** Virtual milliseconds in one real one; default 50. */
  readonly speed?: number;
  /** The clock moves only where the test moves it; what sleeps wakes up by `speed` all the same. Default false. */
  readonly stands?: boolean;
  /** Time limits run out only for whom it names; default: nobody. */
  readonly hangs?: Hanging;
  /** Told each step before and after it is taken; it waits for the answer. */
  readonly onStep?: (step: Step) => Promise<Order> | Order;
}

/** KV as Miniflare hands it out. */
type KvStore = Awaited<ReturnType<Miniflare["getKVNamespace"]>>;

export interface World {
  /** Where the Worker answers to everyone on this machine. */
  readonly url: URL;
  readonly startMs: number;
  /** Everything that the runtime and the Worker wrote to their logs. */
  readonly logs: readonly string[];
  /** Sets the clock to the instant and fires the tick of it; rejects where the tick failed. */
  readonly tick: (atMs: number) => Promise<void>;
  /** Fires a tick without touching the clock. */
  readonly fire: (scheduledMs: number) => Promise<void>;
  readonly nowMs: () => Promise<number>;
  readonly setClock: (nowMs: number) => Promise<void>;
  /** From now on the clock moves only where the test moves it. */
  readonly stand: () => Promise<void>;
  /** Lets time pass. Each alarm that falls due goes off in its time, and what it begins ends before time goes on. */
  readonly passUntil: (untilMs: number) => Promise<void>;
  /** Waits until no alarm is due, and no message is under way. */
  readonly settle: () => Promise<void>;
  /** Lets so much time pass that a snapshot is due, and has it published. */
  readonly publish: () => Promise<void>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /** JSON. */
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  readonly kv: () => Promise<KvStore>;
  /** Every row of these tables of the Ledger, as text and bytes; default: of all. */
  readonly ledgerRows: (tables?: readonly string[], shard?: number) => Promise<readonly unknown[]>;
  /** The names of the vantage points' objects that ever started, sorted. */
  readonly vantagePoints: () => Promise<readonly string[]>;
  /** Ends the Ledger as the platform does when it is idle. */
  readonly evictLedger: (shard?: number) => Promise<void>;
  /** Ends the Ledger at once, whatever it is doing. */
  readonly abortLedger: (shard?: number) => Promise<void>;
  /** The most memory that the runtime ever held, in bytes. */
  readonly peakMemoryBytes: () => number;
  readonly stop: () => Promise<void>;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const startMs = options.startMs ?? (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  const before = workerdProcesses();
  const logs: string[] = [];
  const miniflare = await startRuntime(options, startMs, logs);
  const pid = workerdProcesses().find((running) => !before.includes(running)) ?? null;
  const fire = firing(miniflare, logs);
  const order = orderer(miniflare);
  const setClock = async (toMs: number): Promise<void> => void (await order("clock", String(toMs)));
  const nowMs = () => order<number>("clock");
  return {
    url: await miniflare.ready,
    startMs,
    logs,
    fire,
    setClock,
    stand: async () => void (await order("stand")),
    nowMs,
    tick: async (atMs) => {
      await setClock(atMs);
      await fire(atMs);
    },
    passUntil: async (untilMs) => void (await order("pass", String(untilMs))),
    settle: async () => void (await order("settle")),
    publish: async () => {
      await setClock((await nowMs()) + 2.5 * MINUTE_MS);
      await order("tend");
    },
    get: (path, headers = {}) => ask(miniflare, path, { headers }),
    post: (path, body, headers = {}) => {
      const sent = { "content-type": "application/json", ...headers };
      return ask(miniflare, path, { method: "POST", headers: sent, body: JSON.stringify(body) });
    },
    kv: async () => {
      const kv = await miniflare.getKVNamespace("KV");
      await dropClosed();
      return kv;
    },
    vantagePoints: () => order<readonly string[]>("vantages"),
    ledgerRows: (tables, shard = 0) => ledgerRows(miniflare, tables, ledgerName(shard)),
    evictLedger: async (shard = 0) => {
      await miniflare.unsafeEvictDurableObject(SCRIPT, "Ledger", { name: ledgerName(shard) });
      await order("evicted");
    },
    abortLedger: async (shard = 0) => void (await order("die", ledgerName(shard))),
    peakMemoryBytes: () => peakMemoryBytes(pid),
    stop: () => miniflare.dispose(),
  };
}

interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Looks which connections the runtime has closed meanwhile. In the second turn all that has come is known. */
async function dropClosed(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

async function dispatch(
  miniflare: Miniflare,
  address: string,
  asking: Asking = {},
): Promise<Awaited<ReturnType<Miniflare["dispatchFetch"]>>> {
  await dropClosed();
  return miniflare.dispatchFetch(address, asking);
}

async function ask(miniflare: Miniflare, path: string, asking: Asking): Promise<Answer> {
  const answer = await dispatch(miniflare, `http://status.test${path}`, asking);
  const text = await answer.text();
  const { status, headers } = answer;
  // Whatever is asked, the answer is as the API's description says.
  mustBeDescribed(
    { method: asking.method ?? "GET", path },
    { status, headers: new Headers([...headers]), text },
  );
  const isJson = /[/+]json/u.test(answer.headers.get("content-type") ?? "");
  return { status, headers: Object.fromEntries(headers), text, json: isJson ? JSON.parse(text) : null };
}

type Ordering = <Answer>(name: string, body?: string) => Promise<Answer>;

function orderer(miniflare: Miniflare): Ordering {
  return async (name, body = "") => {
    const answer = await dispatch(miniflare, `http://test/__test/${name}`, { method: "POST", body });
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as never;
  };
}

/** A tick's own failure says little; what the Worker logged says why. */
function firing(miniflare: Miniflare, logs: readonly string[]): World["fire"] {
  return async (scheduledMs) => {
    const address = `http://test/cdn-cgi/local/scheduled?cron=*+*+*+*+*&time=${scheduledMs}`;
    const answer = await dispatch(miniflare, address);
    const outcome = await answer.text();
    if (answer.ok) return;
    const logged = logs.slice(-2).join(" | ") || "nothing";
    throw new Error(`the tick ended as ${outcome}; last logged: ${logged}`);
  };
}

/** Built once a process. */
let script: Promise<string> | null = null;

async function startRuntime(options: WorldOptions, startMs: number, logs: string[]): Promise<Miniflare> {
  const { gateways, secrets = {}, config, persistDir = null, onStep, hangs } = options;
  const { speed = 50, stands = false, queueRetries } = options;
  const input: ConfigInput = {
    title: "Test",
    plan: "paid",
    parts: { calendar: true },
    maxProbesPerTick: 1000,
    ...config,
    gateways,
  };
  const product = runtimeOptions({
    script: await (script ??= bundleWorker(ENTRY)),
    config: readConfig(input),
    persistDir,
    tickSeconds: 60,
    secrets: {
      ...secrets,
      TEST_SPEED: String(speed),
      TEST_STANDS: stands ? "yes" : "",
      TEST_START_MS: String(startMs),
      TEST_REGIONS: JSON.stringify(options.fromRegions ?? {}),
    },
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...product,
      ...(queueRetries !== undefined && queueOptions(queueRetries)),
      name: SCRIPT,
      unsafeInspectDurableObjects: true,
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
        logs.push(`${level}: ${message}`);
      },
      handleUncaughtError: (error: Error) => {
        logs.push(`uncaught: ${error.stack ?? error.message}`);
      },
      serviceBindings: {
        ...("serviceBindings" in product && (product.serviceBindings ?? {})),
        ...(onStep && { STEPS: stepListener(onStep) }),
        ...(hangs && { HANGING: hangingListener(hangs) }),
      },
    }),
  );
  await miniflare.ready;
  return miniflare;
}

/** As wrangler.toml binds them. */
function queueOptions(maxRetries: number) {
  const [ticks, dead] = ["gatepulse-ticks", "gatepulse-ticks-dead"];
  return {
    queueProducers: { TICKS: ticks },
    queueConsumers: {
      [ticks]: { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries, deadLetterQueue: dead },
      [dead]: { maxBatchSize: 1, maxBatchTimeout: 0, maxRetries: 100 },
    },
  };
}

interface TestRequest {
  readonly url: string;
  json(): Promise<unknown>;
}

function stepListener(onStep: NonNullable<WorldOptions["onStep"]>) {
  return async (request: TestRequest): Promise<Response> => {
    const name = new URL(request.url).pathname.slice(1) as Step["name"];
    const isCall = !name.startsWith("put");
    const detail = (isCall ? await request.json() : {}) as Partial<Batch>;
    const { lane = 0 } = detail;
    const batch = name.startsWith("record") ? (detail as Batch) : null;
    return new Response(await onStep({ name, batch, lane }));
  };
}

function hangingListener(hangs: Hanging) {
  return async (request: TestRequest): Promise<Response> => {
    const { path, sinceMs } = (await request.json()) as { path: string; sinceMs: number };
    return Response.json(await hangs(path, sinceMs));
  };
}

/** Every row of these tables, as text and bytes; default: of all. */
async function ledgerRows(
  miniflare: Miniflare,
  wanted: readonly string[] | undefined,
  ledger: string,
): Promise<readonly unknown[]> {
  const storage = await miniflare.unsafeGetDurableObjectStorage(SCRIPT, "Ledger", { name: ledger });
  const all = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
  const tables = wanted ?? (await storage.exec(all)).map((row) => String(Object(row)["name"]));
  const rows: unknown[] = [];
  for (const table of tables) rows.push(...(await storage.exec(`SELECT * FROM ${table}`)));
  return rows;
}
