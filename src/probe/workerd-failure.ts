/** What an exception of workerd's fetch means. Locally, DNS and TLS failures look alike: a TCP connection tells them apart. */
import { isNameOrTls, readThrown, type ThrownFailure } from "../protocol/thrown.ts";
import type { Clock } from "./clock.ts";
import type { ReadFailure } from "./exchange.ts";

/** Opens a TCP connection and closes it at once, as `connect()` of cloudflare:sockets can. */
export type TryTcp = (host: string, port: number) => Promise<"open" | "failed">;

/** `tryTcp` null: if the exception does not tell the stage, it is `unknown`. A try counts as a subrequest. */
export function workerdFailureReader(tryTcp: TryTcp | null): ReadFailure {
  return (error, url) => {
    const reading = readThrown(error, url);
    const isUnexplained = reading.type === "network" && reading.stage === "unknown" && isNameOrTls(error);
    return isUnexplained && tryTcp !== null ? lookAgain(url, tryTcp) : reading;
  };
}

async function lookAgain(url: string, tryTcp: TryTcp): Promise<ThrownFailure> {
  const { hostname, port } = new URL(url);
  const tcp = await tryTcp(hostname, port === "" ? 443 : Number(port));
  return tcp === "open"
    ? { type: "network", stage: "tls", detail: "TLS failed" }
    : { type: "network", stage: "dns", detail: "DNS lookup failed" };
}

export type Connect = (address: { hostname: string; port: number }) => {
  readonly opened: Promise<unknown>;
  close(): Promise<void>;
};

const LONGEST_LOOK_MS = 3000;

/** Never rejects: a connection that cannot be opened within three seconds has failed. */
export function tcpLooker(connect: Connect, clock: Clock): TryTcp {
  return async (hostname, port) => {
    try {
      const socket = connect({ hostname, port });
      const opened = socket.opened.then(
        () => "open" as const,
        () => "failed" as const,
      );
      const late = clock.sleep(LONGEST_LOOK_MS).then(() => "failed" as const);
      const seen = await Promise.race([opened, late]);
      // Closing a socket that never opened rejects.
      await socket.close().catch(() => undefined);
      return seen;
    } catch {
      return "failed";
    }
  };
}
