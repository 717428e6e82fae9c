/**
 * Reads the exceptions of workerd's fetch. In production the edge answers for an unreachable origin (52x, 530), so
 * most of these are seen on one's own machine only. DNS and TLS failures are one and the same "internal error"
 * there; a second look at the TCP port, where one is given, tells them apart.
 */
import { isNameOrTls, readThrown, type ThrownFailure } from "../protocol/thrown.ts";
import type { Fetch, ReadFailure } from "./exchange.ts";

/** Tries to open a TCP connection and closes it at once; `connect()` of cloudflare:sockets can do so. */
export type TryTcp = (host: string, port: number) => Promise<"open" | "failed">;

/** `tryTcp` null: no second look, and what cannot be told is `unknown`. A look counts as a subrequest. */
export function workerdFailureReader(tryTcp: TryTcp | null): ReadFailure {
  return (error, url) => {
    const reading = readThrown(error, url);
    const isUntold = reading.type === "network" && reading.stage === "unknown" && isNameOrTls(error);
    return isUntold && tryTcp !== null ? lookAgain(url, tryTcp) : reading;
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

async function lookAgain(url: string, tryTcp: TryTcp): Promise<ThrownFailure> {
  const { hostname, port } = new URL(url);
  const tcp = await tryTcp(hostname, port === "" ? 443 : Number(port));
  return tcp === "open"
    ? { type: "network", stage: "tls", detail: "TLS failed" }
    : { type: "network", stage: "dns", detail: "the name does not resolve" };
}
