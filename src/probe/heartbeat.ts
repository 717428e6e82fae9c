/**
 * One call to a dead-man service, which alerts when calls stop coming. Its address is a secret, so no message contains
 * it.
 */
import { readSecretAddress } from "../config/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";
import { USER_AGENT } from "./version.ts";

export interface HeartbeatPorts {
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "timeoutSignal">;
}

const LIMIT_MS = 10_000;

/**
 * Each call sends one request, without following redirects or reading the body. It returns null if the service accepted (2xx),
 * else what went wrong, without the address. Never rejects. A fault of the secret itself is returned only once: the next tick
 * cannot fix it.
 */
export function createHeartbeat(secretName: string) {
  let isTold = false;
  /** `value` of the secret; null: not set. */
  return async (value: string | null, ports: HeartbeatPorts): Promise<string | null> => {
    const address = readSecretAddress(secretName, value);
    if (address.ok) return call(address.url, ports);
    const problem = isTold ? null : address.problem;
    isTold = true;
    return problem;
  };
}

async function call({ href }: URL, ports: HeartbeatPorts): Promise<string | null> {
  const signal = ports.clock.timeoutSignal(LIMIT_MS);
  try {
    const headers = { "user-agent": USER_AGENT };
    const { status, body } = await ports.fetch(href, { method: "GET", headers, redirect: "manual", signal });
    // Closes the connection without reading the body.
    body
      ?.getReader()
      .cancel()
      .catch(() => undefined);
    return status >= 200 && status <= 299 ? null : `HTTP ${status}`;
  } catch {
    // The error of fetch may contain the address.
    return signal.aborted ? "no answer within 10 seconds" : "the service could not be reached";
  }
}
