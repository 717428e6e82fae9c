/**
 * What stands for a gateway's base URL and key in the Ledger, so that a change of either is noticed and neither is
 * stored.
 */
import type { Config } from "../config/config.ts";
import { sha256Hex } from "../history/digest.ts";
import type { Identities } from "./reconcile.ts";

/** `<address>:<key>` a gateway, both digests under a salt of this Ledger. */
export async function identify(
  config: Config,
  salt: string,
  secret: (name: string) => string | null,
): Promise<Identities> {
  const entries = config.gateways.map(async ({ id, baseUrl, apiKey }) => {
    const [address, key] = await Promise.all([
      sha256Hex(`${salt} address ${baseUrl}`, 8),
      sha256Hex(`${salt} key ${secret(apiKey) ?? ""}`, 8),
    ]);
    return [id, `${address}:${key}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
