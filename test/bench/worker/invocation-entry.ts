/**
 * What one invocation costs, a call at a time:
 * - `POST /tick/<probes>`: a tick of the Worker with a Ledger that only says what is due;
 * - `POST /begin`, `POST /record`: the real Ledger's own calls with all monitors due;
 * - `POST /evict`: puts it out of memory, for the same calls after that;
 * - `POST /ticks/<count>`: many ticks of it;
 * - `POST /plain/<lists>`: the least that fetches and parses;
 * - `POST /nothing`: nothing at all.
 */
import config from "#config";
import type { Assignment, BeginAnswer } from "../../../src/domain/tick.ts";
import { systemClock } from "../../../src/probe/clock.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";
import { outcomeOf } from "./weather.ts";

const TICK_MS = 60_000;

const { gateways } = config;

/** Each tick is a minute after the one before, though it runs at once: the clock is moved to its time, and goes on from there. */
let aheadMs = 0;
const clock = { ...systemClock(), now: () => Date.now() + aheadMs };
const worker = composeWorker({ config, clock });

export class Ledger extends worker.Ledger {
  async nothing(): Promise<null> {
    return null;
  }

  /** The platform puts an object that nobody has called for ten seconds out of memory. */
  async evict(): Promise<void> {
    this.ctx.abort("out of memory");
  }
}

export class Vantage extends worker.Vantage {}

interface BenchEnv extends Omit<Env, "LEDGER"> {
  readonly GATEWAY_API_KEY: string;
  readonly LEDGER: DurableObjectNamespace<Ledger>;
}

const NO_ANSWER: BeginAnswer = {
  duplicate: true,
  unfinished: false,
  assignments: [],
  canaries: [],
  lanes: 0,
  shards: 1,
};
let begun: BeginAnswer = NO_ANSWER;
let tickMs = 0;

async function begin(env: BenchEnv): Promise<unknown> {
  aheadMs += TICK_MS;
  tickMs = Math.floor(clock.now() / TICK_MS) * TICK_MS;
  begun = await env.LEDGER.getByName("ledger-0").begin({ tickMs, invocation: `i${tickMs}` });
  return begun.assignments.length;
}

async function record(env: BenchEnv): Promise<unknown> {
  const results = begun.assignments.flatMap(({ monitorIds }) =>
    monitorIds.map((monitorId, index) => ({ monitorId, outcome: outcomeOf("calm", index, clock.now()) })),
  );
  const batch = { tickMs, invocation: `i${tickMs}`, results, returned: [], ownNetworkFailed: false };
  await env.LEDGER.getByName("ledger-0").record(batch);
  return results.length;
}

async function tick(probes: number, env: BenchEnv, ctx: ExecutionContext): Promise<unknown> {
  aheadMs += TICK_MS;
  const assignments = gateways.slice(0, probes).map(({ id, monitors }): Assignment => ({
    gatewayId: id,
    hangs: false,
    suspect: false,
    excused: false,
    monitorIds: monitors.map((monitor) => monitor.id),
  }));
  const ledger = {
    getByName: () => ({
      begin: async (): Promise<BeginAnswer> => ({ ...NO_ANSWER, duplicate: false, assignments }),
      record: async () => undefined,
    }),
  };
  const controller = { scheduledTime: clock.now(), cron: "* * * * *", noRetry: () => undefined };
  await worker.handler.scheduled(controller, { ...env, LEDGER: ledger as unknown as Env["LEDGER"] }, ctx);
  return probes;
}

/** The least that fetches and parses: a loop of six lanes, until the model list of each gateway was read. */
async function fetchLists(count: number, key: string): Promise<void> {
  const waiting = gateways.slice(0, count).map(({ baseUrl }) => `${baseUrl}/v1/models`);
  const lane = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      JSON.parse(await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text());
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
}

async function ticksOfLedger(count: number, env: BenchEnv): Promise<unknown> {
  for (let done = 0; done < count; done += 1) {
    await begin(env);
    await record(env);
  }
  return count;
}

async function called(path: string, env: BenchEnv, ctx: ExecutionContext): Promise<unknown> {
  const [, what = "", count = ""] = path.split("/");
  const ledger = env.LEDGER.getByName("ledger-0");
  switch (what) {
    case "begin":
      return begin(env);
    case "record":
      return record(env);
    case "ticks":
      return ticksOfLedger(Number(count), env);
    case "evict":
      return ledger.evict().catch(() => null);
    case "tick":
      return tick(Number(count), env, ctx);
    case "plain":
      return fetchLists(Number(count), env.GATEWAY_API_KEY);
    default:
      return ledger.nothing();
  }
}

export default {
  fetch: async (request, env, ctx) => {
    if (request.method !== "POST") return worker.handler.fetch(request, env, ctx);
    return Response.json((await called(new URL(request.url).pathname, env, ctx)) ?? null);
  },
  scheduled: (controller, env, ctx) => {
    aheadMs = controller.scheduledTime - Date.now();
    return worker.handler.scheduled(controller, env, ctx);
  },
} satisfies ExportedHandler<BenchEnv>;
