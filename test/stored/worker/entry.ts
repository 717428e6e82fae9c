/**
 * The whole Worker in virtual time, over its real Ledger and KV: ticks, alarms, pages and administration. Gateways and
 * receivers answer as the story tells. `POST /` with a StoryRequest. It imports little from
 * the product, so that it makes the data of each release.
 */
import { DurableObject } from "cloudflare:workers";
import config from "#config";
import { composeWorker, type Env } from "../../../src/worker.ts";

import { answerTo, ORDERS, STEP_MS } from "../story.ts";
import { IN_STREAMS, PlayedClock } from "../../fixtures/played-clock.ts";
import type { Stored, StoredCell, StoryAnswer, StoryPlayed, StoryRequest } from "../stored.ts";

const clock = new PlayedClock(IN_STREAMS);
const worker = composeWorker({ config, clock });

let random = 1;
/** mulberry32: the same story brings the same data. */
Math.random = () => {
  random = (random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(random ^ (random >>> 15), 1 | random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

let told: string[] = [];
let writes = 0;
const underWay = new Set<Promise<Response>>();
const RECEIVERS: ReadonlySet<string> = new Set(["ops", "chat"]);

globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const address = new Request(input).url;
  const to = new URL(address).hostname.split(".", 1)[0] ?? "";
  const { status, body, headers, latencyMs } = answerTo(init?.method ?? "GET", address, clock.now());
  const response = new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
  if (!RECEIVERS.has(to)) return clock.sleep(latencyMs).then(() => response);
  if (response.ok && to === "ops") {
    told.push(new Headers(init?.headers).get("webhook-id") ?? "none");
  }
  const answering = Promise.resolve(response);
  underWay.add(answering);
  return answering.finally(() => underWay.delete(answering));
};

/** Nobody waits for messages: they are over when none is under way after a turn. */
async function delivered(): Promise<void> {
  for (let still = 0; still < 2; still += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    if (underWay.size > 0) still = -1;
  }
}

export class Ledger extends worker.Ledger {
  readonly #storage: DurableObjectStorage;
  #alarmMs: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    const { storage } = ctx;
    Object.defineProperty(storage, "getAlarm", { value: async () => this.#alarmMs });
    Object.defineProperty(storage, "setAlarm", {
      value: async (atMs: number) => {
        writes += 1;
        this.#alarmMs = atMs;
      },
    });
    super(ctx, { ...env, KV: lasting(env.KV, () => (writes += 1)) });
    this.#storage = storage;
  }

  /** Fires the alarms that fall due before then. */
  async wake(untilMs: number): Promise<void> {
    await delivered();
    while (this.#alarmMs !== null && this.#alarmMs < untilMs) {
      clock.nowMs = Math.max(clock.nowMs, this.#alarmMs);
      this.#alarmMs = null;
      await this.alarm?.();
      await delivered();
    }
  }

  dump(): Stored["tables"] {
    const { sql } = this.#storage;
    return tablesOf(sql).map(({ name, create }) => ({
      name,
      create,
      rows: [...sql.exec(`SELECT * FROM ${name}`).raw()].map((row) => row.map(cellOf)),
    }));
  }

  /** The object that reads them is another one. */
  async putBack(tables: Stored["tables"]): Promise<void> {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const { name } of tablesOf(sql)) sql.exec(`DROP TABLE ${name}`);
      for (const { name, create, rows } of tables) {
        sql.exec(create);
        for (const row of rows) {
          sql.exec(`INSERT INTO ${name} VALUES (${row.map(() => "?").join(", ")})`, ...row.map(valueOf));
        }
      }
    });
    await this.#storage.sync();
    this.ctx.abort("restored");
  }

  async change(statement: string): Promise<void> {
    this.#storage.sql.exec(statement);
    await this.#storage.sync();
    this.ctx.abort("changed");
  }
}

/** Those of the platform begin with `_`. */
function tablesOf(sql: SqlStorage): { name: string; create: string }[] {
  return sql
    .exec<{ name: string; create: string }>(
      "SELECT name, sql AS 'create' FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_' ORDER BY name",
    )
    .toArray();
}

function cellOf(value: SqlStorageValue): StoredCell {
  return value instanceof ArrayBuffer ? { base64: base64Of(value) } : value;
}

function valueOf(cell: StoredCell): SqlStorageValue {
  return typeof cell === "object" && cell !== null ? bytesOf(cell.base64).buffer : cell;
}

/** What newer versions bind besides. */
export class Vantage extends DurableObject {}

interface StoryEnv extends Omit<Env, "LEDGER"> {
  readonly LEDGER: DurableObjectNamespace<Ledger>;
}

const SHARD = "ledger-0";

/** Virtual time stands while the Ledger works. */
function held(env: StoryEnv): Env {
  const getByName = (name: string) => {
    const stub = env.LEDGER.getByName(name);
    const call = (method: "begin" | "record" | "administer") => (argument: never) =>
      clock.holding((stub[method] as (of: never) => Promise<unknown>)(argument));
    return { begin: call("begin"), record: call("record"), administer: call("administer") };
  };
  return { ...env, LEDGER: { getByName } } as unknown as Env;
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
}

async function play(env: StoryEnv, { fromMs, untilMs, stepMs }: Span): Promise<StoryPlayed> {
  told = [];
  writes = 0;
  const failures: string[] = [];
  for (let tickMs = fromMs; tickMs < untilMs; tickMs += stepMs) {
    clock.nowMs = Math.max(clock.nowMs, tickMs);
    const controller = { scheduledTime: tickMs, cron: "* * * * *", noRetry: () => undefined };
    const ticking = Promise.resolve(
      worker.handler.scheduled(controller as ScheduledController, held(env), {} as ExecutionContext),
    );
    await clock.run(ticking).catch((error: unknown) => failures.push(`${tickMs}: ${String(error)}`));
    clock.forget();
    await administerDue(env, tickMs);
    const wake = env.LEDGER.getByName(SHARD).wake(tickMs + stepMs);
    await wake.catch((error: unknown) => failures.push(`${tickMs}: ${String(error)}`));
  }
  return { told, failures, writes };
}

async function administerDue(env: StoryEnv, tickMs: number): Promise<void> {
  for (const { atMs, method, path, body } of ORDERS) {
    if (atMs < tickMs || atMs >= tickMs + STEP_MS) continue;
    const { status, text } = await administer(env, method, await filledIn(env, path), body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  }
}

async function filledIn(env: StoryEnv, path: string): Promise<string> {
  const gateway = /\{open:(\w+)\}/u.exec(path)?.[1];
  if (gateway === undefined) return path;
  const { text } = await ask(env, "/api/v1/incidents");
  const { incidents } = JSON.parse(text) as { incidents: { id: string; resolvedAt: string | null }[] };
  const open = incidents.find(({ id, resolvedAt }) => id.startsWith(gateway) && resolvedAt === null);
  if (!open) throw new Error(`nothing of ${gateway} is open: ${text.slice(0, 500)}`);
  return path.replace(/\{.*\}/u, open.id);
}

async function administer(env: StoryEnv, method: string, path: string, body?: unknown): Promise<StoryAnswer> {
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  return ask(env, `/api/v1/admin/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function ask(env: StoryEnv, path: string, init: RequestInit = {}): Promise<StoryAnswer> {
  const request = new Request(`https://status.example${path}`, init);
  const answer = await worker.handler.fetch(
    request as Parameters<typeof worker.handler.fetch>[0],
    env,
    {} as ExecutionContext,
  );
  return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
}

/** An object that is made again breaks the call that asked for it. */
async function breaking(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined);
}

async function act(env: StoryEnv, request: StoryRequest): Promise<unknown> {
  const ledger = env.LEDGER.getByName(SHARD);
  switch (request.do) {
    case "play":
      return play(env, request);
    case "dump":
      return { tables: await ledger.dump(), kv: await dumpKv(env.KV) };
    case "putBack": {
      const { tables, kv } = request.stored;
      await restoreKv(env.KV, kv);
      await breaking(ledger.putBack(tables));
      return null;
    }
    case "sql":
      await breaking(ledger.change(request.statement));
      return null;
    case "ask": {
      clock.nowMs = request.atMs;
      const answers: Record<string, StoryAnswer> = {};
      for (const path of request.paths) answers[path] = await ask(env, path);
      return answers;
    }
    case "administer":
      clock.nowMs = request.atMs;
      return administer(env, request.method, request.path);
  }
}

export default {
  fetch: async (request, env, context) => {
    if (new URL(request.url).pathname === "/") {
      return Response.json((await act(env, await request.json<StoryRequest>())) ?? {});
    }
    // As deployed.
    return worker.handler.fetch(request, { ...env, KV: lasting(env.KV, () => undefined) }, context);
  },
} satisfies ExportedHandler<StoryEnv>;

/** What lies in KV as it was restored, and was not written since. */
const restored = new Map<string, string>();

/** Virtual time may lie in the real past, where KV would drop the value at once. */
function lasting(kv: KVNamespace, onWrite: () => void): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      if (name !== "put") {
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      }
      return async (key: string, value: ArrayBuffer, { metadata }: KVNamespacePutOptions) => {
        onWrite();
        restored.delete(key);
        await target.put(key, value, metadata === undefined ? {} : { metadata });
      };
    },
  });
}

/** Of a thousand values few are others than those that are there. */
async function restoreKv(kv: KVNamespace, values: Stored["kv"]): Promise<void> {
  const there = new Set(await keysOf(kv));
  const wanted = new Set(values.map(({ key }) => key));
  const gone = [...there].filter((key) => !wanted.has(key));
  const missing = values.filter((value) => {
    return !there.has(value.key) || restored.get(value.key) !== JSON.stringify(value);
  });
  await Promise.all(gone.map((key) => kv.delete(key)));
  await Promise.all(missing.map(({ key, base64, metadata }) => kv.put(key, bytesOf(base64), { metadata })));
  restored.clear();
  for (const value of values) restored.set(value.key, JSON.stringify(value));
}

async function keysOf(kv: KVNamespace): Promise<readonly string[]> {
  const keys: string[] = [];
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ cursor });
    keys.push(...page.keys.map(({ name }) => name));
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return keys;
}

async function dumpKv(kv: KVNamespace): Promise<Stored["kv"]> {
  const values: Stored["kv"][number][] = [];
  for (const key of await keysOf(kv)) {
    const { value, metadata } = await kv.getWithMetadata(key, "arrayBuffer");
    if (value !== null) values.push({ key, base64: base64Of(value), metadata });
  }
  return values;
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
