/**
 * What stands for a gateway's base URL and key in the Ledger, so that a change of either is noticed and neither is
 * stored.
 */
import type { Config } from "../config/config.ts";
import type { Identities } from "./begin.ts";
/** `<address>:<key>` a gateway, both digests under a salt of this Ledger. */
export declare function identify(config: Config, salt: string, secret: (name: string) => string | null): Promise<Identities>;
