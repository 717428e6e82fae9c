/** What a tick, the Ledger and a region are given: bindings, secrets, the network, the clock and chance. */
import { runCanaryProbe } from "#canaries";
import { exportMetrics } from "#metrics-export";
import { PARTS } from "#parts";
import { readStatusPage } from "#status-pages";
import { connect } from "cloudflare:sockets";
import type { Mail } from "../alert/channel.ts";
import type { Config, Region } from "../config/config.ts";
import { requestsForProbes } from "../config/plan-limits.ts";
import { keyNames } from "../config/secrets.ts";
import type { ShardTick } from "../domain/tick.ts";
import { NoMailBinding } from "../ledger/deliver/channel-client.ts";
import type { LedgerSettings } from "../ledger/rpc.ts";
import type { Clock } from "../probe/clock.ts";
import { callHeartbeat } from "../probe/heartbeat.ts";
import { runModelsProbe } from "../probe/models-probe.ts";
import { createRedactorCache, type RoundsDeps } from "../probe/rounds.ts";
import type { TickPorts } from "../probe/tick.ts";
import type { VantageRpc } from "../probe/vantage.ts";
import { vantagePoint } from "../probe/vantage-point.ts";
import { USER_AGENT, VERSION } from "../probe/version.ts";
import { tcpLooker, workerdFailureReader } from "../probe/workerd-failure.ts";
import type { Redact } from "../protocol/redaction/redact.ts";
import { type Env, ledgerOf, readAsset, secretOf, tickIntervalOf, vantagePort } from "./env.ts";

/** What a configuration comes to, once an isolate: an address is parsed here, which costs a fifteenth of a probe. */
export function standingOf(config: Config, clock: Clock) {
  const { gateways } = config;
  const hosts = new Map(gateways.map(({ id, baseUrl }) => [id, new URL(baseUrl).host]));
  const hostOf = (gatewayId: string): string => hosts.get(gatewayId) ?? "unknown.invalid";
  const regions = new Map(gateways.map((gateway) => [gateway.id, gateway.regions]));
  const namesOf = keyNames(config, hostOf);
  const targets = new Map(
    gateways.flatMap((gateway) => {
      const models = gateway.monitors.flatMap(({ canary, model }) => (canary === null ? [] : (model ?? [])));
      const own = {
        gateway,
        /** The models that the gateway's canaries use, each once. */
        watched: [...new Set(models)],
        /** Names of the secrets that are sent to the gateway, and, if they are few, to others on the same host. */
        keyNames: namesOf(gateway),
      };
      return gateway.monitors.map((monitor) => [monitor.id, Object.assign({ monitor }, own)] as const);
    }),
  );
  return {
    config,
    clock,
    redactorFor: createRedactorCache(),
    hostOf,
    regionsOf: (gatewayId: string): readonly Region[] => regions.get(gatewayId) ?? [],
    targetOf: (monitorId: string) => targets.get(monitorId) ?? null,
  };
}

export type Standing = ReturnType<typeof standingOf>;

type WatchedTarget = NonNullable<ReturnType<Standing["targetOf"]>>;

export function tickPorts(
  env: Env,
  { shard, lane = 0 }: ShardTick,
  standing: Standing,
): Omit<TickPorts, "startLanes"> {
  const { config, clock, hostOf } = standing;
  const { heartbeat } = config;
  const deps = probeDeps(clock, (url, init) => fetch(url, init));
  return {
    ledger: {
      begin: (request) => ledgerOf(env, shard).begin(request),
      record: (batch) => ledgerOf(env, shard).record(batch),
    },
    clock,
    ...probePorts(env, standing, deps),
    readPage: async (page, leave) => {
      const read = await readStatusPage(page, { ...deps, leave });
      if (read !== null && "problem" in read)
        warnOfTick(`the status page ${page} was not read: ${read.problem}`);
      return read;
    },
    vantage: vantagePort(env, standing.regionsOf, { shard, shards: config.shards }),
    hostOf,
    requestLimit: requestsForProbes(config),
    heartbeat:
      heartbeat !== null && shard === HEART && lane === 0
        ? () => callHeartbeat(heartbeat, secretOf(env, heartbeat), deps)
        : null,
    warn: warnOfTick,
  };
}

function probeDeps(clock: Clock, send: typeof fetch): RoundsDeps {
  return {
    // A cached model list is no evidence.
    fetch: (url, init) => send(url, { ...init, cache: "no-store" }),
    clock,
    random: () => Math.random(),
    readFailure: workerdFailureReader(tcpLooker(connect, clock)),
  };
}

function probePorts(
  env: Env,
  standing: Pick<Standing, "targetOf" | "redactorFor">,
  deps: RoundsDeps,
): Pick<TickPorts, "probe" | "canary"> {
  const { targetOf } = standing;
  return {
    probe: async (monitorId, leave) => {
      const target = targetOf(monitorId);
      if (target === null) return { type: "not_sent_by_platform" };
      const { baseUrl, apiKey } = target.gateway;
      const { expect, slowerThanMs } = target.monitor;
      const secret = { apiKey: secretOf(env, apiKey), secretName: apiKey };
      const redactorFor = redactorOfAll(env, target, standing);
      return runModelsProbe(
        { baseUrl, ...secret, expect, watched: target.watched, slowerThanMs },
        { ...deps, redactorFor, leave },
      );
    },
    canary: async (errand, leave) => {
      const target = targetOf(errand.monitorId);
      if (!target?.monitor.canary) return { type: "not_sent_by_platform" };
      const { canary, slowerThanMs, model } = target.monitor;
      const secret = { apiKey: secretOf(env, canary.apiKey), secretName: canary.apiKey };
      const redactorFor = redactorOfAll(env, target, standing);
      return runCanaryProbe(
        { monitor: { canary, slowerThanMs, model }, baseUrl: target.gateway.baseUrl, ...secret },
        errand,
        { ...deps, redactorFor, leave },
      );
    },
  };
}

/** Of all keys that a gateway is ever sent, whichever is sent now: it may name any of them in an answer. */
function redactorOfAll(
  env: Env,
  { keyNames: names }: WatchedTarget,
  { redactorFor }: Pick<Standing, "redactorFor">,
): () => Redact {
  // All of them in the same order, so that one redactor serves them.
  return () => redactorFor(...names.map((name) => secretOf(env, name) ?? ""));
}

/** The shard whose first lane calls the dead-man service, which expects one pulse, not several. */
const HEART = 0;

/** What a vantage point asks through; the platform's own leaves from where it runs. */
export type FetchFrom = (region: string) => typeof fetch;

export function vantageProbe(
  env: Env,
  standing: Standing,
  { clock, fetch: send }: { readonly clock: Clock; readonly fetch: typeof fetch },
): VantageRpc["probe"] {
  const { probe } = probePorts(env, standing, probeDeps(clock, send));
  return vantagePoint(probe, clock);
}

export function ledgerSettings(
  env: Env,
  shard: number,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): LedgerSettings {
  const settings: LedgerSettings = {
    config,
    shard,
    peer: (other) => ledgerOf(env, other),
    kv: env.KV,
    client: `gatepulse/${VERSION}`,
    tickIntervalMs: tickIntervalOf(env),
    run: null,
    secret: (name) => secretOf(env, name),
    now: () => clock.now(),
    timeoutSignal: (ms) => clock.timeoutSignal(ms),
    fetch: (url, init) => {
      const headers = { "user-agent": USER_AGENT, ...init.headers };
      return fetch(url, { ...init, headers, cache: "no-store" });
    },
    renderPage: async (published, nowMs) => {
      const pages = config.parts.includes("pages") ? PARTS.pages : undefined;
      const deps = { config, asset: (name: string) => readAsset(env, name) };
      return (await pages?.renderFrontPage(published, nowMs, deps)) ?? null;
    },
    sendMail: (mail, binding) => sendMail(env, mail, binding),
  };
  const { otlp } = config;
  if (otlp === null) return settings;
  const ports = { ...settings, version: VERSION };
  return { ...settings, exportMetrics: (published) => exportMetrics(otlp, published, ports) };
}

/** By the platform's mail (Cloudflare Email Service), one message for all addressees. */
async function sendMail(env: Env, { from, to, subject, text }: Mail, binding: string): Promise<void> {
  const mail: Partial<SendEmail> = Object(Reflect.get(env, binding));
  if (typeof mail.send !== "function") throw new NoMailBinding();
  await mail.send({ from, to: [...to], subject, text });
}

/** The kind of a failure alone: a gateway may have had a word in its text. */
export function warnOfTick(what: string, error?: unknown): void {
  const kind = error === undefined ? [] : [error instanceof Error ? error.name : "unknown error"];
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`tick: ${what}`, ...kind);
}
