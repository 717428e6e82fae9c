/** What a tick of a shard is given: its Ledger, the network, the clock, chance. */
import { connect } from "cloudflare:sockets";
import { requestsForProbes } from "../config/plan-limits.ts";
import { runCanaryProbe } from "../probe/canary-probe.ts";
import type { Clock } from "../probe/clock.ts";
import type { HeartbeatPorts } from "../probe/heartbeat.ts";
import { runModelsProbe } from "../probe/models-probe.ts";
import { Permits } from "../probe/permits.ts";
import type { RoundsDeps } from "../probe/rounds.ts";
import type { TickPorts } from "../probe/tick.ts";
import type { Redact } from "../protocol/redaction/redact.ts";
import { workerdFailureReader, workerdFetch } from "../probe/workerd-failure.ts";
import { tcpLooker } from "../probe/workerd-tcp.ts";
import { type Env, ledgerOf, secretOf } from "./env.ts";
import type { Standing } from "./standing.ts";
import type { WatchedTarget } from "./targets.ts";
import { vantagePort } from "./vantage-port.ts";
import { warnOfTick } from "./warn.ts";

export function tickPorts(env: Env, shard: number, standing: Standing): TickPorts {
  const { config, clock, hostOf } = standing;
  const deps = probeDeps(clock, (url, init) => fetch(url, init));
  return {
    ledger: {
      // For a moment of a deploy it may be of the version before, which does not tell.
      begin: async (request) => Object.assign({ shards: 1 }, await ledgerOf(env, shard).begin(request)),
      record: (batch) => ledgerOf(env, shard).record(batch),
    },
    clock,
    ...probePorts(env, standing, deps),
    vantage: vantagePort(env, standing.regionsOf, { shard, shards: config.shards }),
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
  standing: Pick<Standing, "targetOf" | "redactorFor">,
  deps: RoundsDeps,
): Pick<TickPorts, "probe" | "canary"> {
  const { targetOf } = standing;
  const listDeps = { ...deps, largeBodies: new Permits(LARGE_BODIES_AT_ONCE) };
  // Their own: a slow one keeps no list waiting.
  const canaryDeps = { ...deps, largeBodies: new Permits(1) };
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
        { ...listDeps, redactorFor, leave },
      );
    },
    canary: async (errand, leave) => {
      const target = targetOf(errand.monitorId);
      if (!target?.monitor.canary) return { type: "not_sent_by_platform" };
      const { canary, slowerThanMs } = target.monitor;
      const secret = { apiKey: secretOf(env, canary.apiKey), secretName: canary.apiKey };
      const redactorFor = redactorOfAll(env, target, standing);
      return runCanaryProbe(
        { monitor: { canary, slowerThanMs }, baseUrl: target.gateway.baseUrl, ...secret },
        errand,
        { ...canaryDeps, redactorFor, leave },
      );
    },
  };
}

/** Of all keys that a gateway is ever sent, whichever is sent now: it may name any of them in an answer. */
function redactorOfAll(
  env: Env,
  { keyNames }: WatchedTarget,
  { redactorFor }: Pick<Standing, "redactorFor">,
): () => Redact {
  // All of them in the same order, so that one redactor serves them.
  return () => redactorFor(...keyNames.map((name) => secretOf(env, name) ?? ""));
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
