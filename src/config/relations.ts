/** What must fit together in a configuration, beyond the schema of each part. Pure. */
import { t } from "./spoken.ts";
import { judgeBaseUrl } from "./base-url.ts";
import { usualHeaders, usualMonitorId } from "./canary-config.ts";
import type { Config } from "./config.ts";
import type { ConfigInput, GatewayInput } from "./define-config.ts";
import { choice, formatPath, type Path, type PathFault } from "./faults.ts";
import { PAGES_A_TICK, PLAN_LIMITS, messagesATick } from "./plan-limits.ts";
import { withHeaders } from "./request.ts";
import { namesSecret } from "./secrets.ts";

/** What of an input has no fault by itself; the rest is gone. With a kind goes all that stands beside it. */
export type Sound<Input> = unknown extends Input
  ? Input
  : Input extends readonly (infer Item)[]
    ? readonly (Sound<Item> | undefined)[]
    : string extends keyof Input
      ? Input
      : Input extends object
        ? { readonly [Key in Exclude<keyof Input, "kind">]?: Sound<Input[Key]> } & Pick<
            Input,
            Extract<keyof Input, "kind">
          >
        : Input;

type Gateway = Sound<GatewayInput>;
type Monitor = Sound<NonNullable<GatewayInput["monitors"]>[number]>;
type Report = (path: Path, problem: string, fix: string) => void;

/** Parts with faults of their own are not judged: what remains of the input is well-formed. */
export function relationFaults(config: Sound<ConfigInput>, isPlanSound: boolean): readonly PathFault[] {
  const faults: PathFault[] = [];
  const report: Report = (path, problem, fix) => faults.push({ path, problem, fix });
  const gateways = placesOf(config.gateways, ["gateways"]);
  const known = new Set(gateways.flatMap(([{ id }]) => id ?? []));
  if (isPlanSound) judgePlan(config, report);
  for (const [gateway, path] of gateways) judgeGateway(gateway, path, report);
  judgeReferences(config, gateways, report);
  judgeIds(gateways, ({ id }) => id, report);
  judgeFormer(gateways, report);
  judgeKeys(config, gateways, report);
  const channels = placesOf(config.alerts, ["alerts"]);
  judgeIds(channels, ({ id, kind }) => id ?? kind, report);
  for (const [{ id, kind }, path] of channels)
    for (const name of ["otlp", "push"] as const)
      if (config[name] && (id ?? kind) === name)
        report([...path, "id"], t`is what ${name} is called`, t`use another id`);
  for (const [{ only }, path] of channels)
    judgeNames(only?.gateway, [...path, "only", "gateway"], known, report);
  for (const [window, path] of placesOf(config.maintenance, ["maintenance"])) {
    judgeNames(window.gateways, [...path, "gateways"], known, report);
    const { from, to } = "to" in window ? window : {};
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      report([...path, "to"], t`is not after from`, t`write a later instant`);
  }
  return faults;
}

type Placed<Value> = readonly [value: Value, path: Path];

function placesOf<Item>(
  list: readonly (Item | undefined)[] | undefined,
  path: Path,
): readonly Placed<Item>[] {
  return (list ?? []).flatMap((item, index) =>
    item === undefined ? [] : [[item, [...path, index]] as const],
  );
}

function monitorsOf(gateway: Gateway, path: Path): readonly Placed<Monitor>[] {
  return placesOf<Monitor>(gateway.monitors, [...path, "monitors"]);
}

function judgePlan(
  { plan, maxProbesPerTick = 0, shards = 1, lanes = 1, heartbeat, gateways }: Sound<ConfigInput>,
  report: Report,
) {
  if (plan === "paid") return;
  const { subrequests, mostMessages } = PLAN_LIMITS.free;
  const pages = new Set(gateways?.flatMap((of) => of?.upstream?.map((named) => named?.status) ?? [])).size;
  const probes = subrequests - (heartbeat === undefined ? 0 : 1) - Math.min(pages, PAGES_A_TICK);
  if (maxProbesPerTick > probes) {
    const problem = t`is too many for the ${subrequests} requests that an invocation of the free plan may send in all`;
    report(["maxProbesPerTick"], problem, t`write at most ${probes}, or plan: "paid"`);
  }
  const tooMany = t`is too many for the queue of the free plan`;
  if (shards > mostMessages) {
    const problem = t`${tooMany}: each shard sends a message a minute`;
    report(["shards"], problem, t`write at most ${mostMessages}, or plan: "paid"`);
  } else if (messagesATick({ shards, lanes }) > mostMessages) {
    const most = shards === 1 ? mostMessages + 1 : 1;
    const problem = t`${tooMany}: each further lane sends a message a minute`;
    report(["lanes"], problem, t`write at most ${most}, or plan: "paid"`);
  }
}

function judgeGateway(gateway: Gateway, path: Path, report: Report): void {
  const { baseUrl, insecureHttp = false, vendorPrefix = false } = gateway;
  const judgement = baseUrl === undefined ? null : judgeBaseUrl(baseUrl, { insecureHttp });
  if (judgement?.ok === false)
    for (const { problem, fix } of judgement.faults) report([...path, "baseUrl"], problem, fix);
  const monitors = monitorsOf(gateway, path);
  judgeIds(monitors, ownMonitorId, report);
  for (const [monitor, monitorPath] of monitors) {
    if (!vendorPrefix) judgePrefixes(monitor, monitorPath, report);
    judgeCanary(monitor, monitorPath, report);
    judgeMaxCost(monitor, monitorPath, report);
  }
}

/** What is compared is in one Ledger. */
function judgeReferences(
  { shards = 1 }: Sound<ConfigInput>,
  gateways: readonly Placed<Gateway>[],
  report: Report,
): void {
  const audited = gateways.filter(([of]) => of.monitors?.some((monitor) => monitor?.kind === "audit"));
  for (const [gateway, path] of gateways)
    for (const [monitor, at] of monitorsOf(gateway, path)) {
      const reference = monitor.kind === "audit" ? monitor.reference : undefined;
      if (reference === undefined) continue;
      const known = audited.flatMap(([other]) => (other === gateway ? [] : (other.id ?? [])));
      const where = [...at, "reference"];
      if (!known.includes(reference))
        report(where, t`is not another gateway with an audit`, choice(known, reference));
      else if (shards > 1) report(where, t`is compared only without shards`, t`remove it, or shards`);
    }
}

/** Spec 4.1: the model ID must not carry a vendor path prefix. */
function judgePrefixes(monitor: Monitor, path: Path, report: Report): void {
  const models: readonly Placed<string | undefined>[] =
    monitor.kind === "models"
      ? placesOf(monitor.expect, [...path, "expect"])
      : [["model" in monitor ? monitor.model : undefined, [...path, "model"]]];
  const fix = t`remove everything up to the last slash, or set vendorPrefix: true on the gateway`;
  for (const [model, where] of models)
    if (model?.includes("/") === true) report(where, t`has a vendor prefix`, fix);
}

function judgeCanary(monitor: Monitor, path: Path, report: Report): void {
  if (monitor.kind === "models") return;
  const { kind, headers = {}, apiKey } = monitor;
  if (kind === "http") {
    if (monitor.method === "GET" && monitor.body !== undefined)
      report([...path, "body"], t`is not sent with GET`, t`remove it, or write method: "POST"`);
  } else if (kind !== "console") {
    // These are settings beside the body.
    const { model, stream } = monitor.body ?? {};
    const problem = t`does not belong in the body`;
    const isStreamable = kind !== "embeddings" && kind !== "image" && kind !== "video";
    const fix = isStreamable ? t`write stream: true beside body, not in it` : t`remove it`;
    if (stream !== undefined) report([...path, "body", "stream"], problem, fix);
    if (model !== undefined && model !== null)
      report([...path, "body", "model"], problem, t`write model beside body, not in it`);
  }
  if ("firstTokenSlowerThan" in monitor && monitor.firstTokenSlowerThan !== undefined && !monitor.stream)
    report(
      [...path, "firstTokenSlowerThan"],
      t`is of a stream`,
      t`write stream: true beside it, or remove it`,
    );
  const isKeySent = JSON.stringify(withHeaders(usualHeaders(kind), headers)).includes("{key}");
  // Without a key only what is open to all answers; a key of its own that is never sent is a mistake.
  if (!isKeySent && (kind !== "http" || apiKey !== undefined)) {
    const fix = t`name it in one, like { authorization: null, "x-api-key": "{key}" }`;
    report([...path, "headers"], t`send no key`, fix);
  }
}

function judgeMaxCost(monitor: Monitor, path: Path, report: Report): void {
  if (!("maxCost" in monitor) || monitor.maxCost === undefined) return;
  const { prices, maxCost } = monitor;
  const at = [...path, "maxCost"];
  if (prices === undefined)
    return report(at, t`has no prices to be computed from`, t`write prices beside it`);
  const { currency } = prices;
  if (currency !== undefined && maxCost.currency !== undefined && maxCost.currency !== currency)
    report([...at, "currency"], t`is not the currency of prices`, t`write ${currency}`);
}

/** A limit holds only if each request may cost something; and one must fit into it, or the canary is never asked. */
export function costFaults({ gateways }: Config): readonly PathFault[] {
  return gateways.flatMap(({ monitors }, gateway) =>
    monitors.flatMap(({ canary }, monitor) => {
      const { maxCostMicros = null, prices = null } = canary ?? {};
      if (maxCostMicros === null || prices === null) return [];
      const path = ["gateways", gateway, "monitors", monitor, "maxCost"];
      if (prices.mostMicros === 0) {
        const problem = t`is never reached: by these prices a request costs nothing`;
        const fix = t`set prices.request if the request has no body, write the real prices, or remove maxCost`;
        return [{ path, problem, fix }];
      }
      if (maxCostMicros >= prices.mostMicros) return [];
      const most = prices.mostMicros / 1_000_000;
      const problem = t`is less than one request may cost, ${most} ${prices.currency}`;
      return [{ path: [...path, "day"], problem, fix: t`write at least ${most}` }];
    }),
  );
}

function ownMonitorId(monitor: Monitor): string | undefined {
  return monitor.id ?? usualMonitorId(monitor.kind, "model" in monitor ? monitor.model : undefined);
}

/** `former` as a monitor of that gateway gives it; full ids stay as they are. */
export function fullMonitorId(gatewayId: string, former: string): string {
  return former.includes("/") ? former : `${gatewayId}/${former}`;
}

function judgeIds<Of extends { readonly id?: string | undefined }>(
  places: readonly Placed<Of>[],
  idOf: (of: Of) => string | undefined,
  report: Report,
): void {
  const first = new Map<string, Path>();
  for (const [of, path] of places) {
    const id = idOf(of);
    if (id === undefined) continue;
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    else {
      const usual = of.id === undefined ? t` (its default, unless you give one)` : "";
      const problem = t`is the same as that of ${formatPath(other)}${usual}`;
      report([...path, "id"], problem, t`give each its own id`);
    }
  }
}

/** A monitor that carries on what another one still writes, or two that carry on the same, would mix histories. */
function judgeFormer(gateways: readonly Placed<Gateway>[], report: Report): void {
  const living = new Set(gateways.flatMap(([gateway, path]) => livingMonitors(gateway, path)));
  const claimants = new Map<string, Path>();
  for (const [gateway, gatewayPath] of gateways) {
    for (const [{ formerly }, path] of monitorsOf(gateway, gatewayPath)) {
      for (const [index, former] of [formerly].flat().entries()) {
        if (former === undefined || gateway.id === undefined) continue;
        const id = fullMonitorId(gateway.id, former);
        const first = claimants.get(id) ?? path;
        claimants.set(id, first);
        const where = [...path, "formerly", ...(Array.isArray(formerly) ? [index] : [])];
        if (living.has(id))
          report(
            where,
            t`is the id of a monitor of this configuration`,
            t`write the id of a monitor that no longer exists`,
          );
        else if (first !== path)
          report(
            where,
            t`is also claimed by ${formatPath(first)}`,
            t`let only one monitor continue that history`,
          );
      }
    }
  }
}

function livingMonitors(gateway: Gateway, path: Path): readonly string[] {
  const { id: gatewayId, monitors } = gateway;
  if (gatewayId === undefined) return [];
  const ids = monitors === undefined ? ["models"] : monitorsOf(gateway, path).map(([of]) => ownMonitorId(of));
  return ids.flatMap((id) => (id === undefined ? [] : [fullMonitorId(gatewayId, id)]));
}

/** The key of a gateway, or of a canary, is sent to that gateway alone. */
function judgeKeys(
  { heartbeat, alerts }: Sound<ConfigInput>,
  gateways: readonly Placed<Gateway>[],
  report: Report,
): void {
  const keys = new Set<unknown>(
    gateways.flatMap(([gateway, path]) => [
      gateway.apiKey,
      ...monitorsOf(gateway, path).map(([monitor]) => ("apiKey" in monitor ? monitor.apiKey : undefined)),
    ]),
  );
  const judge = (names: unknown, path: Path): void => {
    if ([names].flat().some((name) => name !== undefined && keys.has(name)))
      report(path, t`is the secret of a gateway's key`, t`use a separate secret`);
  };
  judge(heartbeat, ["heartbeat"]);
  for (const [channel, path] of placesOf(alerts, ["alerts"]))
    for (const [field, names] of Object.entries(channel))
      if (namesSecret(field)) judge(names, [...path, field]);
}

function judgeNames(
  named: readonly (string | undefined)[] | undefined,
  path: Path,
  known: ReadonlySet<string>,
  report: Report,
): void {
  for (const [id, where] of placesOf(named, path))
    if (!known.has(id)) report(where, t`is not a gateway of this configuration`, choice([...known], id));
}
