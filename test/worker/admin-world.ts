/** An administrator before a whole Ledger (service, courier, alarm) on real SQLite and KV, in virtual time. */
import type { ChannelConfig, Config } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { LedgerSettings } from "../../src/ledger/rpc.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { mustBeDescribed } from "../openapi/description.ts";
import { depsOf } from "./reading.ts";
import { playTick } from "../fixtures/played-ledger.ts";
import {
  bindings,
  hostSettings,
  hostStorage,
  inObject,
  published,
  START,
  TICK_MS,
  withoutExpiry,
} from "./ledger-harness.ts";

const TOKEN = "correct-horse-battery-staple";

const ALL = { turns: null, owners: null, causes: null, gateways: null, events: null };

/** The address is a secret: `https://<channel>.example/hook/5c9f5a3e`. */
export const webhook = (id: string): ChannelConfig => ({
  kind: "webhook",
  id,
  url: `URL_OF_${id}`,
  secret: ["SIGNING"],
  only: ALL,
});

/** As `webhook`, and it refuses for good by 400. */
export const slack = (id: string): ChannelConfig => ({
  kind: "slack",
  id,
  url: `URL_OF_${id}`,
  only: ALL,
});

export interface Told {
  /** The channel's id. */
  readonly to: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
}

export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly json: any;
}

export type Probe = (monitorId: string) => Partial<ProbeOutcome>;

/** Gateways `g0` and `g1`, one monitor each, unless the configuration says otherwise. */
export const withAdmin = (over: Partial<Config>, run: (world: AdminWorld) => Promise<void>): Promise<void> =>
  inObject(({ storage }) => run(new AdminWorld(storage, usual(over))));

const usual = (over: Partial<Config>): Config => config([gateway("g0"), gateway("g1")], over);

export const GOOD: Probe = () => ({});
export const DOWN: Probe = () => ({
  diagnosis: diagnosis("upstream_unavailable", "down", { httpStatus: 503 }),
});
/** `g0` is down, all else is up. */
export const ONE_DOWN: Probe = (monitorId) => (monitorId === "g0/models" ? DOWN(monitorId) : {});

/** By two failures of `g0` in a row. @returns its id. */
export async function openIncident(world: AdminWorld): Promise<string> {
  await world.tick(ONE_DOWN);
  await world.tick(ONE_DOWN);
  const [incident] = (await published()).status.incidents;
  if (!incident) throw new Error("no incident was published");
  return incident.id;
}

export class AdminWorld {
  nowMs = START;
  storageFails = false;
  /** When the platform is to wake the Ledger; null: never. */
  alarmMs: number | null = null;
  /** Each write to KV; default: it is done. */
  put: (write: () => Promise<void>) => Promise<void> = (write) => write();
  /** What the receivers answer. */
  receive: (to: string) => Response | Promise<Response> = () => new Response(null, { status: 204 });
  /** All that arrived, in order. */
  readonly told: Told[] = [];
  readonly #storage: DurableObjectStorage;
  host: LedgerService;
  readonly #underWay = new Set<Promise<Response>>();

  constructor(storage: DurableObjectStorage, settings: Config) {
    this.#storage = storage;
    this.host = this.#start(settings);
  }

  #start(settings: Config): LedgerService {
    return new LedgerService(hostStorage(this.#storage, this), this.#settings(settings));
  }

  /** Another start, with another configuration. */
  deploy(over: Partial<Config>): void {
    this.host = this.#start(usual(over));
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const request = new Request(`https://status.example/api/v1/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const deps = depsOf({
      adminToken: TOKEN,
      now: () => this.nowMs,
      administer: (order) => this.host.administer(order),
    });
    const answer = await handleRequest(request, deps);
    const { status, headers } = answer;
    const text = await answer.text();
    mustBeDescribed({ method, path: new URL(request.url).pathname }, { status, headers, text });
    return { status, json: JSON.parse(text) };
  }

  /** Time goes on to the next full minute, and its tick probes what is due. @returns what it probed. */
  async tick(probe: Probe): Promise<string[]> {
    this.nowMs = Math.floor(this.nowMs / TICK_MS + 1) * TICK_MS;
    const host = this.host;
    const assigned = await playTick(
      {
        begin: (request) => host.begin(request),
        record: (batch) => {
          this.nowMs += 1000;
          return host.record(batch);
        },
      },
      this.nowMs,
      probe,
    );
    await this.wake();
    return assigned;
  }

  /** Waits for deliveries, and wakes the Ledger, if it wants to be woken by now. */
  async wake(): Promise<void> {
    await this.#deliveries();
    while (this.alarmMs !== null && this.alarmMs <= this.nowMs) await this.alarm();
  }

  async alarm(): Promise<void> {
    this.alarmMs = null;
    await this.host.alarm();
    await this.#deliveries();
  }

  /** A turn of the event loop after the last answer, what it meant is stored, and the next message is under way. */
  async #deliveries(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      if (this.#underWay.size === 0) return;
      await Promise.allSettled(this.#underWay);
    }
  }

  #settings(settings: Config): LedgerSettings {
    const kv = withoutExpiry(bindings.KV);
    return hostSettings(settings, {
      kv: {
        put: (...written: Parameters<KVNamespace["put"]>) => this.put(() => kv.put(...written)),
      } as unknown as KVNamespace,
      now: () => this.nowMs,
      fetch: (url, { body }) => {
        const to = new URL(url).hostname.split(".", 1)[0] ?? "";
        const told = { to, body: JSON.parse(String(body)) };
        this.told.push(told);
        const answering = Promise.resolve(this.receive(to));
        // Who sends a test waits for it, and nobody else does.
        if (told.body.type !== "test") this.#underWay.add(answering);
        void answering.finally(() => this.#underWay.delete(answering)).catch(() => undefined);
        return answering;
      },
    });
  }
}
