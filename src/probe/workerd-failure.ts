/**
 * Reads the exceptions of workerd's fetch. In production the edge answers for an unreachable origin (52x, 530), so
 * most of these are seen on one's own machine only. DNS and TLS failures are one and the same "internal error"
 * there; a second look at the TCP port, where one is given, tells them apart.
 */
import type { Fetch, FailureReading, ReadFailure } from "./exchange.ts";

/** Tries to open a TCP connection and closes it at once; `connect()` of cloudflare:sockets can do so. */
export type TryTcp = (host: string, port: number) => Promise<"open" | "failed">;

/** `tryTcp` null: no second look, and what cannot be told is `unknown`. A look counts as a subrequest. */
export function workerdFailureReader(tryTcp: TryTcp | null): ReadFailure {
  return (error, url) => {
    const message = error instanceof Error ? error.message : String(error);
    if (/too many (?:sub|api )requests/i.test(message)) return { type: "subrequest_limit" };
    if (/^internal error/i.test(message)) return readInternalError(url, tryTcp);
    if (/network connection lost|gzip|brotli|decompress/i.test(message)) return network("connect", message);
    return network("unknown", message);
  };
}

/** The platform's fetch, told to keep no answer: a cached model list is no evidence. */
export function workerdFetch(fetch: WorkerdFetch): Fetch {
  return (url, init) => fetch(url, { ...init, cache: "no-store" });
}

type WorkerdFetch = (
  url: string,
  init: Parameters<Fetch>[1] & { readonly cache: "no-store" },
) => ReturnType<Fetch>;

type NetworkStage = Extract<FailureReading, { type: "network" }>["stage"];

/** The reference that follows the words differs each time and would make every failure look new. */
async function readInternalError(url: string, tryTcp: TryTcp | null): Promise<FailureReading> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "http:") return network("dns", "the name does not resolve");
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  if (!isAddress && tryTcp === null) return network("unknown", "the name does not resolve, or TLS failed");
  const tcp =
    isAddress || tryTcp === null ? "open" : await tryTcp(hostname, port === "" ? 443 : Number(port));
  return tcp === "open" ? network("tls", "TLS failed") : network("dns", "the name does not resolve");
}

function network(stage: NetworkStage, detail: string): FailureReading {
  return { type: "network", stage, detail };
}
