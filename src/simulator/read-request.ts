/** Reads one request whole. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

export interface ReadRequest {
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  /** Names in lower case; repeated ones joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of `Authorization: Bearer`; null without one. */
  readonly key: string | null;
  readonly ip: string;
}

/** What is kept of it, for tests and people. */
export interface RecordedRequest {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly method: string;
  /** As received, with the gateway's part and the query. */
  readonly path: string;
  /** The gateway's name; `elsewhere` for the host that redirects lead to. */
  readonly gateway: string;
  /** Null where no scenario was played. */
  readonly scenario: string | null;
  /** Names in lower case; `authorization` as it came. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 2,000 characters. */
  readonly body: string;
  /** The one in its answer. */
  readonly requestId: string;
}

/** Rejects where the connection breaks. */
export async function readRequest(request: IncomingMessage): Promise<ReadRequest> {
  const body = await text(request);
  const headers = headersOf(request);
  return {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    headers,
    body,
    key: /^bearer +(\S.*)$/i.exec(headers["authorization"] ?? "")?.[1] ?? null,
    ip: request.socket.remoteAddress ?? "",
  };
}

export function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

// Which gateway a URL of the simulator means, and what is left of its path. Pure.

export type Address =
  /** The simulator's own pages. */
  | { readonly type: "own"; readonly path: string }
  /** `scenario`: what a gateway of that name plays until an order changes it. */
  | { readonly type: "gateway"; readonly name: string; readonly scenario: string; readonly path: string };

export const DEFAULT_SCENARIO = "healthy";

/** `/v1/…` and `/api/…`: the healthy gateway; `/g/<name>/…`: a named one; `/<scenario>/…`: one that plays it. */
export function addressOf(target: string): Address {
  const path = new URL(target, "http://simulator").pathname;
  const [, first = "", ...rest] = path.split("/");
  if (first === "" || first.startsWith("__") || first === "favicon.ico") return { type: "own", path };
  if (first === "v1" || first === "api") {
    return { type: "gateway", name: DEFAULT_SCENARIO, scenario: DEFAULT_SCENARIO, path };
  }
  const [name = "", ...below] = rest;
  return first === "g"
    ? {
        type: "gateway",
        name: namedGateway(decodeURIComponent(name)),
        scenario: DEFAULT_SCENARIO,
        path: join(below),
      }
    : { type: "gateway", name: first, scenario: first, path: join(rest) };
}

/** Apart from gateways that are named for their scenario. */
export function namedGateway(name: string): string {
  return `g/${name}`;
}

function join(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}
