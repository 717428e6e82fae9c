/** One call to a dead-man service, which alerts when calls stop coming. Its address is a secret, so no message contains it. */
import { readSecretAddress } from "../config/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";
import { USER_AGENT } from "./version.ts";

export interface HeartbeatPorts {
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "timeoutSignal">;
}

const LIMIT_MS = 10_000;

/** Null: the service accepted (2xx); else what went wrong. Never rejects. @param value of the secret; null: not set. */
export async function callHeartbeat(
  secretName: string,
  value: string | null,
  { fetch, clock }: HeartbeatPorts,
): Promise<string | null> {
  const address = readSecretAddress(secretName, value);
  if (!address.ok) return address.problem;
  const signal = clock.timeoutSignal(LIMIT_MS);
  try {
    const init = {
      method: "GET",
      headers: { "user-agent": USER_AGENT },
      redirect: "manual",
      signal,
    } as const;
    const { status, body } = await fetch(address.url.href, init);
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
