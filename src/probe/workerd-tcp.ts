/**
 * A second look at a port: whether a TCP connection comes about at all. Its socket is the platform's, given as an
 * argument; nothing is sent over it.
 */
import type { Clock } from "./clock.ts";
import type { TryTcp } from "./workerd-failure.ts";

export type Connect = (address: { hostname: string; port: number }) => {
  readonly opened: Promise<unknown>;
  close(): Promise<void>;
};

const LONGEST_LOOK_MS = 3000;

/** Never rejects: what cannot be asked for, or takes longer than three seconds, has failed. */
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
      // A socket that never opened refuses to close.
      await socket.close().catch(() => undefined);
      return seen;
    } catch {
      return "failed";
    }
  };
}
