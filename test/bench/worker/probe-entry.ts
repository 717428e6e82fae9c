/**
 * A tick of the real Worker, with its Ledger (`POST /tick`) or with one that only says what is due (`POST /probes`),
 * and the least that fetches and parses the same answers (`POST /floor`).
 */
import config from "#config";
import { parseConfig } from "../../../src/config/load.ts";
import { systemClock } from "../../../src/probe/clock.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";

const LANES = 6;
const TICK_MS = 60_000;

const parsed = parseConfig(config);
const gateways = parsed.ok ? parsed.config.gateways : [];
const assignments = gateways.map(({ id, monitors }) => ({
  gatewayId: id,
  hangs: false,
  monitorIds: monitors.map((monitor) => monitor.id),
}));

/** Each tick is a minute after the one before, though it runs at once. */
let ticks = 0;
const clock = { ...systemClock(), now: () => Date.now() + ticks * TICK_MS };
const worker = composeWorker({ configInput: config, clock });

export class Ledger extends worker.Ledger {}

const IDLE_LEDGER = {
  getByName: () => ({
    begin: async () => ({ duplicate: false, assignments, putOff: 0 }),
    record: async () => undefined,
  }),
};

async function fetchAll(key: string): Promise<void> {
  const waiting = gateways.map(({ baseUrl }) => `${baseUrl}/v1/models`);
  const lane = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      JSON.parse(await answer.text());
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

interface BenchEnv extends Env {
  readonly GATEWAY_API_KEY: string;
}

export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/floor") await fetchAll(env.GATEWAY_API_KEY);
    else {
      ticks += 1;
      const controller = { scheduledTime: clock.now(), cron: "* * * * *", noRetry: () => undefined };
      const ledger = pathname === "/probes" ? { LEDGER: IDLE_LEDGER as unknown as Env["LEDGER"] } : {};
      await worker.handler.scheduled(controller, { ...env, ...ledger }, ctx);
    }
    return Response.json(null);
  },
} satisfies ExportedHandler<BenchEnv>;
