/** Which gateway a URL of the simulator means, and what is left of its path. Pure. */

export type Address =
  /** The simulator's own pages. */
  | { readonly type: "own"; readonly path: string }
  /** `scenario`: what a gateway of that name plays unless told otherwise. */
  | { readonly type: "gateway"; readonly name: string; readonly scenario: string; readonly path: string };

export const DEFAULT_SCENARIO = "healthy";

/** `/v1/…` and `/api/…`: the healthy gateway; `/g/<name>/…`: a named one; `/<scenario>/…`: one that plays it. */
export function addressOf(target: string): Address {
  const path = pathOf(target);
  const [, first = "", ...rest] = path.split("/");
  if (first === "" || first.startsWith("__") || first === "favicon.ico") return { type: "own", path };
  if (first === "v1" || first === "api") {
    return { type: "gateway", name: DEFAULT_SCENARIO, scenario: DEFAULT_SCENARIO, path };
  }
  const [name = "", ...below] = rest;
  return first === "g"
    ? { type: "gateway", name: namedGateway(decode(name)), scenario: DEFAULT_SCENARIO, path: join(below) }
    : { type: "gateway", name: first, scenario: first, path: join(rest) };
}

/** Apart from gateways that are named for their scenario. */
export function namedGateway(name: string): string {
  return `g/${name}`;
}

function pathOf(target: string): string {
  const withoutOrigin = target.replace(/^https?:\/\/[^/]*/, "");
  const end = withoutOrigin.search(/[?#]/);
  return end === -1 ? withoutOrigin : withoutOrigin.slice(0, end);
}

function join(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
