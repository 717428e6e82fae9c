/**
 * Puts the parts together: which ports a tick has, what the Ledger is built from, where a request goes. No logic of
 * its own. The configuration and the clock are arguments, so that tests compose the same Worker.
 */
import { connect } from "cloudflare:sockets";
import type { Mail } from "./alert/channel.ts";
import type { Config, GatewayConfig } from "./config/config.ts";
import { keyNames } from "./config/key-names.ts";
import { parseConfig } from "./config/load.ts";
import { requestsForProbes } from "./config/plan-limits.ts";
import { handleRequest } from "./http/app.ts";
import { SnapshotMemory } from "./http/snapshot-memory.ts";
import { NoMailBinding } from "./ledger/courier-send.ts";
import { defineLedger, type LedgerClass, type LedgerRpc } from "./ledger/ledger.ts";
import type { Clock } from "./probe/clock.ts";
import { createHeartbeat, type Heartbeat, type HeartbeatPorts } from "./probe/heartbeat.ts";
import { runCanaryProbe } from "./probe/canary-probe.ts";
import { Permits } from "./probe/permits.ts";
import { runModelsProbe } from "./probe/models-probe.ts";
import { createRedactorCache } from "./probe/redactor-cache.ts";
import type { RoundsDeps } from "./probe/rounds.ts";
import { runTick, type TickPorts } from "./probe/tick.ts";
import { USER_AGENT, VERSION } from "./probe/version.ts";
import { workerdFailureReader, workerdFetch } from "./probe/workerd-failure.ts";
import { tcpLooker } from "./probe/workerd-tcp.ts";

export interface Env {
  readonly KV: KVNamespace;
  readonly LEDGER: DurableObjectNamespace<Rpc.DurableObjectBranded & LedgerRpc>;
  /** Seconds from tick to tick; 60 unless a local runner says otherwise. */
  readonly TICK_SECONDS?: string;
  /** Set by a runner that lets nobody else run: what a run before it began is over. */
  readonly RUN_ID?: string;
  readonly ADMIN_TOKEN?: string;
  readonly VIEW_TOKEN?: unknown;
}

export interface Composition {
  /** What the configuration file exports. */
  readonly configInput: unknown;
  readonly clock: Clock;
}

export interface ComposedWorker {
  readonly handler: Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled">>;
  readonly Ledger: LedgerClass<Env>;
}

/**
 * The configuration is read here, once an isolate and while it starts: an invocation of the free plan has no CPU time
 * to spare for it.
 * @throws with every fault: a Worker that cannot trust its configuration watches nothing.
 */
export function composeWorker({ configInput, clock }: Composition): ComposedWorker {
  const config = readConfig(configInput);
  const hostOf = hostReader(config);
  const standing = {
    config,
    clock,
    redactorFor: createRedactorCache(),
    hostOf,
    keysOf: keyNames(config, hostOf),
    heartbeat: config.heartbeat === null ? null : createHeartbeat(config.heartbeat),
  };
  const memory = new SnapshotMemory();
  return {
    handler: {
      fetch: (request, env) =>
        handleRequest(request, {
          kv: env.KV,
          memory,
          now: () => clock.now(),
          adminToken: secretOf(env, "ADMIN_TOKEN"),
          viewToken: viewTokenOf(env),
          administer: (order) => env.LEDGER.getByName(LEDGER_NAME).administer(order),
          shard: 0,
          version: VERSION,
        }),
      scheduled: async (controller, env) => {
        const intervalMs = tickIntervalOf(env);
        const tickMs = Math.floor(controller.scheduledTime / intervalMs) * intervalMs;
        const ports = tickPorts(env, standing);
        await runTick({ tickMs, invocation: crypto.randomUUID() }, ports);
      },
    },
    Ledger: defineLedger((env: Env) => ({
      config,
      kv: env.KV,
      client: `gatepulse/${VERSION}`,
      tickIntervalMs: tickIntervalOf(env),
      run: env.RUN_ID ?? null,
      secret: (name) => secretOf(env, name),
      now: () => clock.now(),
      timeoutSignal: (ms) => clock.timeoutSignal(ms),
      fetch: (url, init) => {
        const headers = { "user-agent": USER_AGENT, ...init.headers };
        return fetch(url, { ...init, headers, cache: "no-store" });
      },
      sendMail: (mail, binding) => sendMail(env, mail, binding),
    })),
  };
}

function readConfig(input: unknown): Config {
  const parsed = parseConfig(input);
  if (parsed.ok) return parsed.config;
  const faults = parsed.faults.map(({ path, problem, mend }) => `${path}: ${problem}; ${mend}`);
  throw new Error(`the configuration has faults:\n${faults.join("\n")}`);
}

function tickIntervalOf({ TICK_SECONDS }: Env): number {
  const seconds = Number(TICK_SECONDS ?? "60");
  return (seconds > 0 ? seconds : 60) * 1000;
}

/** Secrets are text bindings under the names that the configuration gives. */
function secretOf(env: Env, name: string): string | null {
  const value: unknown = Reflect.get(env, name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Whatever is bound under this name closes the page; what is no text is a token that opens nothing. */
function viewTokenOf({ VIEW_TOKEN }: Env): string | null {
  if (VIEW_TOKEN === undefined) return null;
  return typeof VIEW_TOKEN === "string" ? VIEW_TOKEN : "";
}

/** By the platform's mail (Cloudflare Email Service), one message for all addressees. */
async function sendMail(env: Env, { from, to, subject, text }: Mail, binding: string): Promise<void> {
  const mail: Partial<SendEmail> = Object(Reflect.get(env, binding));
  if (typeof mail.send !== "function") throw new NoMailBinding();
  await mail.send({ from, to: [...to], subject, text });
}

/** What lives as long as the isolate. */
interface Standing {
  readonly config: Config;
  readonly clock: Clock;
  readonly redactorFor: ReturnType<typeof createRedactorCache>;
  readonly hostOf: TickPorts["hostOf"];
  /** The names of the secrets that the gateway is sent, and of those that others of its host are sent, if they are few. */
  readonly keysOf: (gatewayId: string) => readonly string[];
  readonly heartbeat: Heartbeat | null;
}

/** An address is parsed once an isolate, when it is first asked for: parsing it costs a fifteenth of a probe. */
function hostReader({ gateways }: Config): TickPorts["hostOf"] {
  const addresses = new Map(gateways.map(({ id, baseUrl }) => [id, baseUrl]));
  const hosts = new Map<string, string>();
  return (gatewayId) => {
    const known = hosts.get(gatewayId);
    if (known !== undefined) return known;
    const { host } = new URL(addresses.get(gatewayId) ?? "http://unknown.invalid");
    hosts.set(gatewayId, host);
    return host;
  };
}

function tickPorts(env: Env, standing: Standing): TickPorts {
  const { config, clock, hostOf } = standing;
  const deps = {
    fetch: workerdFetch((url, init) => fetch(url, init)),
    clock,
    random: () => Math.random(),
    readFailure: workerdFailureReader(tcpLooker(connect, clock)),
  };
  return {
    // A stub that has failed once stays broken: each call takes a new one.
    ledger: {
      // For a moment of a deploy it may be of the version before, which knows no canaries.
      begin: async (request) =>
        Object.assign({ canaries: [] }, await env.LEDGER.getByName(LEDGER_NAME).begin(request)),
      record: (batch) => env.LEDGER.getByName(LEDGER_NAME).record(batch),
    },
    clock,
    ...probePorts(env, standing, deps),
    hostOf,
    requestLimit: requestsForProbes(config),
    heartbeat: heartbeatOf(env, standing, deps),
    random: () => Math.random(),
    warn,
  };
}

function probePorts(
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

const LEDGER_NAME = "ledger-0";

/** The kind of a failure alone: a gateway may have had a word in its text. */
function warn(what: string, error?: unknown): void {
  const kind = error === undefined ? [] : [error instanceof Error ? error.name : "unknown error"];
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`tick: ${what}`, ...kind);
}
