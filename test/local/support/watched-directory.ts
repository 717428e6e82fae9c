/** `npm start` over a directory of a test, as seen from outside. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { statusSchema, type StatusDocument } from "../../../src/history/documents.ts";
import type { AlertsAnswer } from "../../../src/ledger/admin/admin-answers.ts";
import { SIMULATOR_KEYS } from "../../../src/simulator/api.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { addressOf, eventually, type Program, start } from "../program.ts";
import { ADMIN_TOKEN, SIGNING_SECRET } from "./alerting.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface Watching {
  readonly program: Program;
  readonly address: string;
  status(): Promise<StatusDocument | null>;
  /** HTTP status; 0: the answer broke off. */
  health(): Promise<number>;
  /** When each gateway was probed, as history says. */
  probes(gatewayId: string): Promise<readonly string[]>;
  incidents(): Promise<readonly { readonly gateway: string; readonly resolvedAt: string | null }[]>;
  /** How many alerts wait, or could not be delivered. */
  owed(): Promise<number>;
  /** Has every gateway probed with the next tick. @returns whether all of that was taken. */
  probeSoon(): Promise<boolean>;
}

export interface WatchingOptions {
  readonly simulator: Simulator;
  readonly gateways: readonly string[];
  readonly shards?: number;
  /** Where the configuration is written. */
  readonly directory: string;
  readonly persist: string;
  /** Of a webhook; default: there is none. */
  readonly alerts?: string;
  /** What starts the program with these words behind it; default: it is started itself. */
  readonly wrap?: readonly string[];
  /** Between ticks; default 1. */
  readonly tickSeconds?: number;
  /** Both beside what it has of its own. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Nothing of it is left when the test is over. @param whenOver the test's own `onTestFinished`. */
export async function watchedScene(whenOver: (clean: () => Promise<void>) => void) {
  const directory = await temporaryDirectory(whenOver);
  const persist = join(directory, "data");
  await mkdir(persist);
  const simulator = await startSimulator();
  whenOver(() => simulator.close());
  return {
    simulator,
    directory,
    persist,
    /** As `startWatching`, over them. */
    watch: async (
      options: Omit<WatchingOptions, "simulator" | "directory" | "persist"> & { readonly persist?: string },
    ) => {
      const watching = await startWatching({ simulator, directory, persist, ...options });
      whenOver(async () => void (await watching.program.stop()));
      return watching;
    },
  };
}

export async function startWatching(options: WatchingOptions): Promise<Watching> {
  const program = await launch(options);
  const address = await addressOf(program);
  const json = async (path: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    // A connection that is kept may be closed just as it is used again.
    const answer = await fetch(`${address}${path}`, { headers: { connection: "close" } });
    const text = await answer.text();
    // The front server's own answer while there is no runtime.
    const body: unknown = /^[{[]/.test(text) ? JSON.parse(text) : text;
    return { status: answer.status, body };
  };
  return {
    program,
    address,
    status: async () => {
      const { status, body } = await json("/api/v1/status").catch(brokenOff);
      return status === 200 ? statusSchema().parse(body) : null;
    },
    health: async () => (await json("/healthz").catch(brokenOff)).status,
    probes: async (gatewayId) => {
      const { body } = await json(`/api/v1/gateways/${gatewayId}/monitors/models/history?step=probe`);
      return ((body as { points?: { at: string }[] }).points ?? []).map(({ at }) => at);
    },
    incidents: async () => {
      const { body } = await json("/api/v1/incidents");
      const { incidents } = body as { incidents: { gateway: string; resolvedAt: string | null }[] };
      return incidents.map(({ gateway, resolvedAt }) => ({ gateway, resolvedAt }));
    },
    owed: async () => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, connection: "close" };
      const answer = await fetch(`${address}/api/v1/admin/alerts`, { headers });
      const { channels } = (await answer.json()) as AlertsAnswer;
      return channels.reduce((sum, { waiting, undelivered }) => sum + (waiting?.count ?? 0) + undelivered, 0);
    },
    probeSoon: async () => {
      const ordered = options.gateways.map((id) =>
        fetch(`${address}/api/v1/admin/gateways/${id}/monitors/models/probe`, {
          method: "POST",
          headers: { authorization: `Bearer ${ADMIN_TOKEN}`, connection: "close" },
        }),
      );
      return (await Promise.all(ordered)).every(({ ok }) => ok);
    },
  };
}

/** The runtime died in the middle of its answer. */
function brokenOff(): { readonly status: number; readonly body: unknown } {
  return { status: 0, body: {} };
}

async function launch(options: WatchingOptions): Promise<Program> {
  const { simulator, directory, persist, alerts, shards = 1, wrap = [], tickSeconds = 1 } = options;
  const gateways = options.gateways.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" }));
  const hooks =
    alerts === undefined ? [] : [{ kind: "webhook", id: "ops", url: "URL_OPS", secret: "SIGNING" }];
  const own = { title: "Watched", plan: "paid", flapping: false, shards, gateways, alerts: hooks };
  const config = { ...own, ...options.config };
  const file = join(directory, "gatepulse.config.json");
  await writeFile(file, JSON.stringify(config));
  const secrets = { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN, URL_OPS: alerts ?? "", SIGNING: SIGNING_SECRET };
  const env = { ...options.env, ...secrets };
  const args = ["--port", "0", "--tick", `${tickSeconds}`, "--config", file, "--persist", persist];
  const words = [...wrap, "node", "bin/gatepulse.js", "start", ...args];
  return start(words[0] ?? "", words.slice(1), { env });
}

/** Waits until each gateway is shown so. */
export async function showing(
  watching: Watching,
  wanted: Readonly<Record<string, string>>,
): Promise<StatusDocument | null> {
  const isShown = (seen: StatusDocument | null) =>
    Object.entries(wanted).every(([id, health]) => healthIn(seen, id) === health);
  return eventually(() => watching.status(), isShown);
}

export function healthIn(status: StatusDocument | null, gatewayId: string): string | undefined {
  return status?.gateways.find(({ id }) => id === gatewayId)?.status;
}
