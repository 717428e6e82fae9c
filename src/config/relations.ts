/**
 * What one part of the configuration means for another, judged on the input as written, so that a fault in one
 * field hides no fault in another: addresses, vendor prefixes, ids, windows, and secrets that were pasted. Pure.
 */
import { judgeBaseUrl } from "./base-url.ts";
import { formatPath, type Fault, type Path } from "./faults.ts";
import { hasSecretMark, looksLikeSecret } from "./secret-shape.ts";

interface Entry {
  readonly path: Path;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Any input at all; what does not have the right shape is left to the schema. */
export function relationFaults(input: unknown): readonly Fault[] {
  const root = { path: [], value: recordOf(input) };
  const gateways = entriesOf(root, "gateways");
  return [
    ...secretFaults(input, []),
    ...gateways.flatMap(baseUrlFaults),
    ...gateways.flatMap(vendorPrefixFaults),
    ...duplicateFaults(gateways, "id", (gateway) => gateway["id"]),
    ...gateways.flatMap((gateway) => duplicateFaults(entriesOf(gateway, "monitors"), "id", monitorIdOf)),
    ...entriesOf(root, "maintenance").flatMap((window) => windowFaults(window, gateways)),
  ];
}

/** The id that a monitor has when it gives none. */
function monitorIdOf(monitor: Readonly<Record<string, unknown>>): unknown {
  return monitor["id"] ?? monitor["kind"];
}

const MAX_DEPTH = 12;
const SECRET_WORDS = {
  problem: "looks like a secret itself",
  mend: "remove it and renew it: it may be in this file's history. Set the new one with `wrangler secret put NAME`; only NAME may stand here",
};

function secretFaults(value: unknown, path: Path): readonly Fault[] {
  if (typeof value === "string") {
    const isAddress = path.at(-1) === "baseUrl" || path.at(-1) === "url";
    const isSecret = isAddress ? hasSecretMark(value) : looksLikeSecret(value);
    return isSecret ? [{ path: formatPath(path), ...SECRET_WORDS }] : [];
  }
  if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH) return [];
  const faults: Fault[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
    if (looksLikeSecret(key)) faults.push({ path: formatPath(innerPath), ...SECRET_WORDS });
    faults.push(...secretFaults(inner, innerPath));
  }
  return faults;
}

function baseUrlFaults({ path, value }: Entry): readonly Fault[] {
  const baseUrl = value["baseUrl"];
  if (typeof baseUrl !== "string") return [];
  const judged = judgeBaseUrl(baseUrl, { insecureHttp: value["insecureHttp"] === true });
  if (judged.ok) return [];
  const where = formatPath([...path, "baseUrl"]);
  return judged.faults.map(({ problem, mend }) => ({ path: where, problem, mend }));
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
        mend: "remove all up to the last slash, or set vendorPrefix: true on the gateway",
      }));
  });
}

function duplicateFaults(
  entries: readonly Entry[],
  key: string,
  idOf: (value: Entry["value"]) => unknown,
): readonly Fault[] {
  const seen = new Map<string, Path>();
  return entries.flatMap(({ path, value }) => {
    const id = idOf(value);
    if (typeof id !== "string") return [];
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, path);
      return [];
    }
    const problem = `is the same as that of ${formatPath(first)}`;
    return [{ path: formatPath([...path, key]), problem, mend: "give each an id of its own" }];
  });
}

function windowFaults({ path, value }: Entry, gateways: readonly Entry[]): readonly Fault[] {
  const faults: Fault[] = [];
  const { from, to, gateways: named } = value;
  // An instant that does not parse is the schema's to refuse; NaN compares as false.
  if (typeof from === "string" && typeof to === "string" && Date.parse(from) >= Date.parse(to)) {
    faults.push({
      path: formatPath([...path, "to"]),
      problem: "is not after from",
      mend: "write a later instant",
    });
  }
  const known = new Set(gateways.map((gateway) => gateway.value["id"]));
  if (Array.isArray(named)) {
    named.forEach((id: unknown, index) => {
      if (typeof id !== "string" || known.has(id)) return;
      const where = formatPath([...path, "gateways", index]);
      faults.push({
        path: where,
        problem: "names no gateway of this configuration",
        mend: "write a gateway's id",
      });
    });
  }
  return faults;
}

function entriesOf(parent: Entry, key: string): readonly Entry[] {
  const list = parent.value[key];
  if (!Array.isArray(list)) return [];
  return list.map((value: unknown, index) => ({
    path: [...parent.path, key, index],
    value: recordOf(value),
  }));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
