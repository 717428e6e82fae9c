/** What must fit together in a configuration, beyond the schema of each part. Pure. */
import { judgeBaseUrl } from "./base-url.ts";
import { isCanaryKind } from "./canary-schema.ts";
import type { Config, GatewayConfig, MonitorConfig } from "./config.ts";
import { formatPath, type Fault, type Path } from "./faults.ts";
import { hasModel, usualMonitorId } from "./monitor-input.ts";
import { MOST_SHARDS, shardParts } from "./placement.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { hasSecretMark, looksLikeSecret } from "./secret-shape.ts";

type Written = Readonly<Record<string, unknown>>;

/** Of one monitor; what is no canary has none, and what does not have the right shape is left to the schema. */
function canaryFaults(path: Path, canary: Written): readonly Fault[] {
  if (!isCanaryKind(canary["kind"])) return [];
  return [
    ...(hasModel(canary["kind"]) ? bodyFaults(path, canary, canary["kind"]) : []),
    ...(canary["kind"] === "http" ? methodFaults(path, canary) : []),
    ...endFaults(path, canary),
    ...canaryKeyFaults(path, canary, canary["kind"]),
  ];
}

/** What is told apart beside the body is not left to it. */
function bodyFaults(path: Path, { body }: Written, kind: string): readonly Fault[] {
  const isStreamable = kind === "chat" || kind === "messages";
  const { model, stream } = recordOf(body);
  const at = (key: string): string => formatPath([...path, "body", key]);
  const streamFix = isStreamable ? "write stream: true beside body, not in it" : "remove it";
  return [
    ...(stream === undefined
      ? []
      : [{ path: at("stream"), problem: "is not decided by the body", fix: streamFix }]),
    ...(model === undefined || model === null
      ? []
      : [
          {
            path: at("model"),
            problem: "is not decided by the body",
            fix: "write model beside body, not in it",
          },
        ]),
  ];
}

function methodFaults(path: Path, { method, body }: Written): readonly Fault[] {
  if (method !== "GET" || body === undefined) return [];
  const where = formatPath([...path, "body"]);
  return [{ path: where, problem: "is not sent with GET", fix: 'remove it, or write method: "POST"' }];
}

function endFaults(path: Path, { pointers, stream }: Written): readonly Fault[] {
  if (recordOf(pointers)["end"] === undefined || stream === true) return [];
  const where = formatPath([...path, "pointers", "end"]);
  const problem = "is of streams, and this is none";
  return [{ path: where, problem, fix: "remove it, or write stream: true beside pointers" }];
}

/** Without a key only what is open to all answers; a key of its own that goes nowhere is a mistake. */
function canaryKeyFaults(path: Path, { headers, apiKey }: Written, kind: string): readonly Fault[] {
  const written = Object.entries(recordOf(headers));
  const usual = written.every(([name]) => name.toLowerCase() !== "authorization");
  const isNamed =
    usual || written.some(([, content]) => typeof content === "string" && content.includes("{key}"));
  if (isNamed || (kind === "http" && apiKey === undefined)) return [];
  const fix = 'name it in one, like { authorization: null, "x-api-key": "{key}" }';
  return [{ path: formatPath([...path, "headers"]), problem: "send no key", fix }];
}

const SECRET_WORDS = {
  problem: "looks like a secret itself",
  fix: "remove it and renew it: it may be in this file's history. Set the new one with `wrangler secret put NAME` (for npm start in .dev.vars); only NAME may stand here",
};

/** Deeper nothing is read: the schema has refused what is. */
const MAX_DEPTH = 64;

function secretFaults(input: unknown): readonly Fault[] {
  return faultsIn(input, [], new Set());
}

/** @param seen what was looked into already: an object may hold itself, or stand in several places. */
function faultsIn(value: unknown, path: Path, seen: Set<unknown>): readonly Fault[] {
  if (typeof value === "string") {
    const isSecret = isLongByNature(value, path) ? hasSecretMark(value) : looksLikeSecret(value);
    return isSecret ? [{ path: formatPath(path), ...SECRET_WORDS }] : [];
  }
  if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH || seen.has(value)) return [];
  seen.add(value);
  const faults: Fault[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
    if (looksLikeSecret(key)) faults.push({ path: formatPath(innerPath), ...SECRET_WORDS });
    faults.push(...faultsIn(inner, innerPath, seen));
  }
  return faults;
}

/** Addresses, paths and pictures in a request may rightly have long runs without meaning. */
function isLongByNature(value: string, path: Path): boolean {
  const key = path.at(-1);
  if (key === "baseUrl" || key === "endpoint") return true;
  // What a channel calls url is the name of a secret.
  if (key === "url" && path.length === 1) return true;
  if (path[0] !== "gateways" || path[2] !== "monitors") return false;
  const isPath = path.length === 5 && (key === "path" || key === "taskPath");
  return isPath || (path[4] === "body" && /^data:[a-z]+\/[a-z0-9.+-]+;base64,/.test(value));
}

interface Entry {
  readonly path: Path;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Any input at all; what does not have the right shape is left to the schema. */
export function relationFaults(input: unknown): readonly Fault[] {
  const root = { path: [], value: recordOf(input) };
  const gateways = entriesOf(root, "gateways");
  const channels = entriesOf(root, "alerts");
  const monitors = gateways.flatMap((gateway) => entriesOf(gateway, "monitors"));
  const known = new Set(gateways.map((gateway) => gateway.value["id"]));
  return [
    ...secretFaults(input),
    ...gateways.flatMap(baseUrlFaults),
    ...gateways.flatMap(vendorPrefixFaults),
    ...gateways.flatMap(regionsFaults),
    ...monitors.flatMap(({ path, value }) => canaryFaults(path, value)),
    ...duplicateFaults(gateways, (gateway) => gateway["id"]),
    ...gateways.flatMap((gateway) => duplicateFaults(entriesOf(gateway, "monitors"), ownMonitorId)),
    ...formerlyFaults(gateways),
    ...duplicateFaults(channels, (channel) => channel["id"] ?? channel["kind"]),
    ...channels.flatMap(({ path, value }) =>
      unknownGatewayFaults([...path, "only", "gateway"], recordOf(value["only"])["gateway"], known),
    ),
    ...keyFaults([root, ...channels], [...gateways, ...monitors]),
    ...purposeFaults([root, ...channels]),
    ...pastedAddressFaults(root, ["heartbeat"]),
    ...channels.flatMap((channel) => pastedAddressFaults(channel, ["url"])),
    ...entriesOf(root, "maintenance").flatMap((window) => windowFaults(window, known)),
  ];
}

/** `former` as a monitor of that gateway gives it; full ids stay as they are. */
export function fullMonitorId(gatewayId: string, former: string): string {
  return former.includes("/") ? former : `${gatewayId}/${former}`;
}

function ownMonitorId({ id, kind, model }: Entry["value"]): unknown {
  return id ?? (typeof kind === "string" ? usualMonitorId(kind, model) : undefined);
}

function baseUrlFaults({ path, value }: Entry): readonly Fault[] {
  const baseUrl = value["baseUrl"];
  if (typeof baseUrl !== "string") return [];
  const judged = judgeBaseUrl(baseUrl, { insecureHttp: value["insecureHttp"] === true });
  if (judged.ok) return [];
  const where = formatPath([...path, "baseUrl"]);
  return judged.faults.map(({ problem, fix }) => ({ path: where, problem, fix }));
}

/** A canary costs money: it is asked from one place. */
function regionsFaults(gateway: Entry): readonly Fault[] {
  const { regions, monitors } = gateway.value;
  if (regions === undefined || !Array.isArray(monitors) || monitors.length === 0) return [];
  if (entriesOf(gateway, "monitors").some(({ value }) => value["kind"] === "models")) return [];
  const path = formatPath([...gateway.path, "regions"]);
  const fix = 'add a monitor like { kind: "models" }, or remove it';
  return [{ path, problem: "concerns no monitor of this gateway: regions ask for lists alone", fix }];
}

/** Spec 4.1: the model ID must not carry a vendor path prefix. */
function vendorPrefixFaults(gateway: Entry): readonly Fault[] {
  if (gateway.value["vendorPrefix"] === true) return [];
  return entriesOf(gateway, "monitors").flatMap(({ path, value }) => {
    const expect: unknown = value["expect"];
    const models: [Path, unknown][] = [[[...path, "model"], value["model"]]];
    if (Array.isArray(expect))
      expect.forEach((model, index) => models.push([[...path, "expect", index], model]));
    return models
      .filter(([, model]) => typeof model === "string" && model.includes("/"))
      .map(([modelPath]) => ({
        path: formatPath(modelPath),
        problem: "carries a vendor prefix",
        fix: "remove all up to the last slash, or set vendorPrefix: true on the gateway",
      }));
  });
}

function duplicateFaults(
  entries: readonly Entry[],
  idOf: (value: Entry["value"]) => unknown,
): readonly Fault[] {
  const seen = new Map<string, Path>();
  return entries.flatMap(({ path, value }) => {
    const id = idOf(value);
    const made = id === value["kind"] ? "its kind" : "its kind and model";
    const usual = value["id"] === undefined ? ` (${made}, unless you give one)` : "";
    if (typeof id !== "string") return [];
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, path);
      return [];
    }
    const problem = `is the same as that of ${formatPath(first)}${usual}`;
    return [{ path: formatPath([...path, "id"]), problem, fix: "give each an id of its own" }];
  });
}

/** A monitor that carries on what another one still writes, or two that carry on the same, would mix histories. */
function formerlyFaults(gateways: readonly Entry[]): readonly Fault[] {
  const living = new Set(gateways.flatMap(livingMonitors));
  const claimants = new Map<string, Path>();
  return gateways.flatMap((gateway) =>
    entriesOf(gateway, "monitors").flatMap(({ path, value }) =>
      formerIds(gateway, value["formerly"]).flatMap(({ id, at }) => {
        const first = claimants.get(id) ?? path;
        claimants.set(id, first);
        const where = formatPath([...path, "formerly", ...at]);
        if (living.has(id)) return [{ path: where, ...STILL_THERE }];
        const problem = `is claimed by ${formatPath(first)} too`;
        const fix = "let one monitor alone carry that history on";
        return first === path ? [] : [{ path: where, problem, fix }];
      }),
    ),
  );
}

const STILL_THERE = {
  problem: "is the id of a monitor of this configuration",
  fix: "write an id that no monitor has any more",
};

/** Full ids; `at`: the place in a list. */
function formerIds({ value: { id: gatewayId } }: Entry, formerly: unknown) {
  return [formerly].flat().flatMap((former, index) => {
    if (typeof gatewayId !== "string" || typeof former !== "string") return [];
    return [{ id: fullMonitorId(gatewayId, former), at: Array.isArray(formerly) ? [index] : [] }];
  });
}

/** Full ids. */
function livingMonitors(gateway: Entry): readonly string[] {
  const { id, monitors } = gateway.value;
  const ids =
    monitors === undefined
      ? ["models"]
      : entriesOf(gateway, "monitors").map(({ value }) => ownMonitorId(value));
  return ids.flatMap((own) =>
    typeof id === "string" && typeof own === "string" ? [fullMonitorId(id, own)] : [],
  );
}

/** The key of a gateway, or of a canary, is sent to that gateway alone, and the address of a channel to no gateway. */
function keyFaults(users: readonly Entry[], holders: readonly Entry[]): readonly Fault[] {
  const keys = new Set(holders.map((holder) => holder.value["apiKey"]));
  return users.flatMap(({ path, value }) =>
    SECRET_FIELDS.flatMap((field) =>
      namesIn(value[field]).some((name) => keys.has(name))
        ? [{ path: formatPath([...path, field]), ...KEY_OF_GATEWAY }]
        : [],
    ),
  );
}

const SECRET_FIELDS = ["heartbeat", "url", "secret", "token", "routingKey", "binding"] as const;

/**
 * Channels may share an address, a key or a token. But what signs or opens is sent where an address leads, and an address
 * is known to everybody who is shown a token: one secret is for one thing.
 */
function purposeFaults(users: readonly Entry[]): readonly Fault[] {
  const first = new Map<string, { readonly purpose: string; readonly path: string }>();
  return users.flatMap(({ path, value }) =>
    SECRET_FIELDS.flatMap((field) => {
      // What the root calls url is no name.
      if (field === "url" && path.length === 0) return [];
      // It stands in addresses of Telegram's.
      const purpose = field === "token" && value["kind"] === "telegram" ? "bot" : field;
      const where = formatPath([...path, field]);
      const others = namesIn(value[field]).flatMap((name) => {
        const other = first.get(name);
        if (other === undefined) first.set(name, { purpose, path: where });
        return other === undefined || other.purpose === purpose ? [] : [other.path];
      });
      const [other] = others;
      if (other === undefined) return [];
      const problem = `names the secret of ${other}, which is for something else`;
      return [{ path: where, problem, fix: KEY_OF_GATEWAY.fix }];
    }),
  );
}

function namesIn(field: unknown): readonly string[] {
  return [field].flat().filter((name) => typeof name === "string");
}

/** What alerts and heartbeats are sent to is known to nobody else: unlike other addresses it is a secret. */
function pastedAddressFaults({ path, value }: Entry, fields: readonly string[]): readonly Fault[] {
  return fields.flatMap((field) => {
    const pasted = value[field];
    if (typeof pasted !== "string" || !pasted.includes("://") || looksLikeSecret(pasted)) return [];
    return [{ path: formatPath([...path, field]), ...PASTED_ADDRESS }];
  });
}

const PASTED_ADDRESS = {
  problem: "is an address, where the name of a secret belongs",
  fix: "remove it, and renew it if anybody else has seen this file: who knows it can send there. Set it with `wrangler secret put NAME` (for npm start in .dev.vars); only NAME may stand here",
};

const KEY_OF_GATEWAY = {
  problem: "names the secret that holds a gateway's key",
  fix: "name a secret of its own",
};

function windowFaults({ path, value }: Entry, known: ReadonlySet<unknown>): readonly Fault[] {
  const { from, to, gateways } = value;
  const unknown = unknownGatewayFaults([...path, "gateways"], gateways, known);
  // An instant that does not parse is the schema's to refuse; NaN compares as false.
  if (typeof from !== "string" || typeof to !== "string" || !(Date.parse(from) >= Date.parse(to)))
    return unknown;
  const where = formatPath([...path, "to"]);
  return [{ path: where, problem: "is not after from", fix: "write a later instant" }, ...unknown];
}

function unknownGatewayFaults(path: Path, named: unknown, known: ReadonlySet<unknown>): readonly Fault[] {
  if (!Array.isArray(named)) return [];
  return named.flatMap((id: unknown, index) => {
    if (typeof id !== "string" || known.has(id)) return [];
    const where = formatPath([...path, index]);
    return [{ path: where, problem: "names no gateway of this configuration", fix: "write a gateway's id" }];
  });
}

function entriesOf(parent: Entry, key: string): readonly Entry[] {
  const list = parent.value[key];
  if (!Array.isArray(list)) return [];
  // A doubled comma leaves a hole, over which map() passes.
  return Array.from(list, (value: unknown, index) => ({
    path: [...parent.path, key, index],
    value: recordOf(value),
  }));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** A row may hold 2 MB; some of it is for monitors that left in the same hour. */
export const MOST_ROLLUP_BYTES = 1_800_000;

/** Of one roll-up at most, beside the id: of a list, and of what generates. */
const LIST_BYTES = 88;
const CANARY_BYTES = 170;

interface Load {
  readonly series: number;
  readonly bytes: number;
}

export function seriesFaults(config: Config): readonly Fault[] {
  const loads = loadsOf(config);
  // All together: most configurations need no sharding.
  const fullest = isBearable(total([...loads.values()])) ? null : fullestOf(config, loads);
  if (fullest === null || isBearable(fullest)) return [];
  const problem = `is too few: one shard has ${fullest.series} series (each monitor, and each of its regions), more than a row of its history holds`;
  return [{ path: "shards", problem, fix: fixOf(config, loads) }];
}

/** At most, of an hour or day. */
export function rollupBytes(config: Config): number {
  return total([...loadsOf(config).values()]).bytes;
}

function fixOf(config: Config, loads: ReadonlyMap<string, Load>): string {
  for (let shards = config.shards + 1; shards <= MOST_SHARDS; shards += 1) {
    if (!isBearable(fullestOf({ ...config, shards }, loads))) continue;
    const isPaid = shards > PLAN_LIMITS[config.plan].mostShards;
    return `write shards: ${shards}${isPaid ? ' and plan: "paid"' : ""}`;
  }
  return "have fewer monitors, or fewer regions";
}

function fullestOf(config: Config, loads: ReadonlyMap<string, Load>): Load {
  const shards = shardParts(config).map(({ gateways }) =>
    total(gateways.flatMap(({ id }) => loads.get(id) ?? [])),
  );
  return shards.reduce((fullest, load) => (load.bytes > fullest.bytes ? load : fullest));
}

function loadsOf({ gateways }: Config): ReadonlyMap<string, Load> {
  return new Map(gateways.map((gateway) => [gateway.id, loadOf(gateway)]));
}

function loadOf({ monitors, regions }: GatewayConfig): Load {
  return total(monitors.flatMap((monitor) => seriesOf(monitor, regions)));
}

/** A canary is asked from one place. */
function seriesOf({ id, canary }: MonitorConfig, regions: readonly string[]): readonly Load[] {
  if (canary !== null) return [{ series: 1, bytes: id.length + CANARY_BYTES }];
  const ids = [id, ...regions.map((region) => `${id}@${region}`)];
  return ids.map(({ length }) => ({ series: 1, bytes: length + LIST_BYTES }));
}

function total(loads: readonly Load[]): Load {
  return loads.reduce((sum, load) => ({ series: sum.series + load.series, bytes: sum.bytes + load.bytes }), {
    series: 0,
    bytes: 0,
  });
}

function isBearable({ bytes }: Load): boolean {
  return bytes <= MOST_ROLLUP_BYTES;
}
