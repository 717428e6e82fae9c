/** What a tick of a shard is given: its Ledger, the network, the clock, chance. */
import { connect } from "cloudflare:sockets";
import type { GatewayConfig } from "../config/config.ts";
import { requestsForProbes } from "../config/plan-limits.ts";
import { runCanaryProbe } from "../probe/canary-probe.ts";
import type { Clock } from "../probe/clock.ts";
import type { HeartbeatPorts } from "../probe/heartbeat.ts";
import { runModelsProbe } from "../probe/models-probe.ts";
import { Permits } from "../probe/permits.ts";
import type { RoundsDeps } from "../probe/rounds.ts";
import type { TickPorts } from "../probe/tick.ts";
import { workerdFailureReader, workerdFetch } from "../probe/workerd-failure.ts";
import { tcpLooker } from "../probe/workerd-tcp.ts";
import { type Env, ledgerOf, secretOf } from "./env.ts";
import type { Standing } from "./standing.ts";
import { vantagePort } from "./vantage-port.ts";
import { warnOfTick } from "./warn.ts";

export function tickPorts(env: Env, shard: number, standing: Standing): TickPorts {
  const { config, clock, hostOf } = standing;
  const deps = probeDeps(clock, (url, init) => fetch(url, init));
  return {
    ledger: {
      // For a moment of a deploy it may be of the version before, which knows neither.
      begin: async (request) =>
        Object.assign({ canaries: [], unfinished: false }, await ledgerOf(env, shard).begin(request)),
      record: (batch) => ledgerOf(env, shard).record(batch),
    },
    clock,
    ...probePorts(env, standing, deps),
    vantage: vantagePort(env, config, shard),
    hostOf,
    requestLimit: requestsForProbes(config),
    heartbeat: shard === HEART ? heartbeatOf(env, standing, deps) : null,
    random: () => Math.random(),
    warn: warnOfTick,
  };
}

export function probeDeps(clock: Clock, send: typeof fetch): RoundsDeps {
  return {
    fetch: workerdFetch((url, init) => send(url, init)),
    clock,
    random: () => Math.random(),
    readFailure: workerdFailureReader(tcpLooker(connect, clock)),
  };
}

export function probePorts(
  env: Env,
  standing: Pick<Standing, "config" | "keysOf" | "redactorFor">,
  deps: RoundsDeps,
): Pick<TickPorts, "probe" | "canary"> {
  const { config } = standing;
  const gateways = new Map(config.gateways.map((gateway) => [gateway.id, gateway]));
  const monitors = new Map(config.gateways.flatMap((gateway) => gateway.monitors).map((of) => [of.id, of]));
  const largeBodies = new Permits(LARGE_BODIES_AT_ONCE);
  // Their own: a slow one keeps no list waiting.
  const canaryBodies = new Permits(1);
  return {
    probe: async (monitorId, leave) => {
      const monitor = monitors.get(monitorId);
      const gateway = monitor && gateways.get(monitor.gatewayId);
      if (!monitor || !gateway) return { type: "not_sent_by_platform" };
      const { baseUrl, apiKey } = gateway;
      const { expect, slowerThanMs } = monitor;
      const secret = { apiKey: secretOf(env, apiKey), secretName: apiKey };
      const target = { baseUrl, ...secret, expect, watched: watchedBy(gateway), slowerThanMs };
      const redact = redactorOfAll(env, gateway, standing);
      return runModelsProbe(target, { ...deps, redactorFor: redact, largeBodies, leave });
    },
    canary: async (errand, leave) => {
      const monitor = monitors.get(errand.monitorId);
      const gateway = monitor && gateways.get(monitor.gatewayId);
      if (!monitor?.canary || !gateway) return { type: "not_sent_by_platform" };
      const { canary, slowerThanMs } = monitor;
      const secret = { apiKey: secretOf(env, canary.apiKey), secretName: canary.apiKey };
      const target = { monitor: { canary, slowerThanMs }, baseUrl: gateway.baseUrl, ...secret };
      const redact = redactorOfAll(env, gateway, standing);
      return runCanaryProbe(target, errand, {
        ...deps,
        redactorFor: redact,
        largeBodies: canaryBodies,
        leave,
      });
    },
  };
}

/** Of all keys that a gateway is ever sent, whichever is sent now: it may name any of them in an answer. */
function redactorOfAll(
  env: Env,
  gateway: GatewayConfig,
  { keysOf, redactorFor }: Pick<Standing, "keysOf" | "redactorFor">,
): Standing["redactorFor"] {
  const keys = keysOf(gateway.id).map((name) => secretOf(env, name) ?? "");
  // All of them in the same order, so that one redactor serves them.
  return (...sent) => redactorFor(...new Set([...keys, ...sent]));
}

/** The models that its canaries ask for, each once. */
function watchedBy({ monitors }: GatewayConfig): readonly string[] {
  return [...new Set(monitors.flatMap(({ canary, model }) => (canary === null ? [] : (model ?? []))))];
}

function heartbeatOf(
  env: Env,
  { config, heartbeat }: Standing,
  ports: HeartbeatPorts,
): TickPorts["heartbeat"] {
  const name = config.heartbeat;
  return heartbeat === null || name === null ? null : () => heartbeat(secretOf(env, name), ports);
}

/** Of 8 MiB each, in an isolate of 128 MB. */
const LARGE_BODIES_AT_ONCE = 4;

/** The shard whose ticks tell the dead-man service: it knows one pulse, not several. */
const HEART = 0;
