/**
 * A tick of the real Worker, with its Ledger (`POST /tick`) or with one that only says what is due (`POST /probes`),
 * the least that fetches and parses the same answers (`POST /floor`), and the same with the probe's own request
 * (`POST /request`).
 */
import config from "#config";
import { parseConfig } from "../../../src/config/load.ts";
import { systemClock } from "../../../src/probe/clock.ts";
import { USER_AGENT } from "../../../src/probe/version.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";
import { fetchLists } from "./plain-fetch.ts";

const TICK_MS = 60_000;

const parsed = parseConfig(config);
const gateways = parsed.ok ? parsed.config.gateways : [];
const baseUrls = gateways.map(({ baseUrl }) => baseUrl);
const assignments = gateways.map(({ id, monitors }) => ({
  gatewayId: id,
  hangs: false,
  suspect: false,
  excused: false,
  monitorIds: monitors.map((monitor) => monitor.id),
}));

/** Each tick is a minute after the one before, though it runs at once. */
let ticks = 0;
const clock = { ...systemClock(), now: () => Date.now() + ticks * TICK_MS };
const worker = composeWorker({ configInput: config, clock });

export class Ledger extends worker.Ledger {}

export class Vantage extends worker.Vantage {}

const IDLE_LEDGER = {
  getByName: () => ({
    begin: async () => ({ duplicate: false, unfinished: false, assignments, putOff: 0 }),
    record: async () => undefined,
  }),
};

const askAsTheProbe = (url: string, key: string): Promise<Response> =>
  fetch(url, {
    headers: { authorization: `Bearer ${key}`, accept: "application/json", "user-agent": USER_AGENT },
    redirect: "manual",
    cache: "no-store",
    signal: AbortSignal.timeout(30_000),
  });

interface BenchEnv extends Env {
  readonly GATEWAY_API_KEY: string;
}

export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/floor") await fetchLists(baseUrls, env.GATEWAY_API_KEY);
    else if (pathname === "/request") await fetchLists(baseUrls, env.GATEWAY_API_KEY, askAsTheProbe);
    else {
      ticks += 1;
      const controller = { scheduledTime: clock.now(), cron: "* * * * *", noRetry: () => undefined };
      const ledger = pathname === "/probes" ? { LEDGER: IDLE_LEDGER as unknown as Env["LEDGER"] } : {};
      await worker.handler.scheduled(controller, { ...env, ...ledger }, ctx);
    }
    return Response.json(null);
  },
} satisfies ExportedHandler<BenchEnv>;
