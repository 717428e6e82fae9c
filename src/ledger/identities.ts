/**
 * What stands for a gateway's base URL and key in the Ledger, so that a change of either is noticed and neither is
 * stored.
 */
import type { Config } from "../config/config.ts";
import type { Identities } from "./begin.ts";

/** `<address>:<key>` a gateway, both digests under a salt of this Ledger. */
export async function identify(
  config: Config,
  salt: string,
  secret: (name: string) => string | null,
): Promise<Identities> {
  const entries = config.gateways.map(async ({ id, baseUrl, apiKey }) => {
    const [address, key] = await Promise.all([
      digestOf(`${salt} address ${baseUrl}`),
      digestOf(`${salt} key ${secret(apiKey) ?? ""}`),
    ]);
    return [id, `${address}:${key}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
