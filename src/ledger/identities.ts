/**
 * What stands for a gateway's base URL and key in the Ledger, so that a change of either is noticed and neither is
 * stored.
 */
import type { Config } from "../config/config.ts";
import { sha256Hex } from "../history/digest.ts";
import type { Identities } from "./reconcile.ts";

/**
 * `<address>:<key>` a gateway, both digests under a salt of this Ledger; that of the key alone, by its full id, of a canary that
 * has one of its own.
 */
export async function identify(
  config: Config,
  salt: string,
  secret: (name: string) => string | null,
): Promise<Identities> {
  const digestOf = (apiKey: string): Promise<string> => sha256Hex(`${salt} key ${secret(apiKey) ?? ""}`, 8);
  const gateways = config.gateways.map(async ({ id, baseUrl, apiKey }) => {
    const address = await sha256Hex(`${salt} address ${baseUrl}`, 8);
    return [id, `${address}:${await digestOf(apiKey)}`] as const;
  });
  const canaries = config.gateways
    .flatMap(({ monitors }) => monitors)
    .flatMap(({ id, canary }) => (canary?.hasOwnKey ? [{ id, apiKey: canary.apiKey }] : []))
    .map(async ({ id, apiKey }) => [id, await digestOf(apiKey)] as const);
  return Object.fromEntries(await Promise.all([...gateways, ...canaries]));
}
