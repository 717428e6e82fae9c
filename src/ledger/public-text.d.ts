/**
 * What the public may read of a gateway's own words: a private endpoint's host, its addresses and the query of any URL
 * are gone from them. Pure.
 */
import type { GatewayConfig } from "../config/config.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
type Hide = (text: string) => string;
/** Leaves text as it is where the gateway's endpoint is public. */
export declare function hidingOf(gateway: GatewayConfig): Hide;
export declare function publicDiagnosis(diagnosis: Diagnosis, gateway: GatewayConfig): Diagnosis;
export {};
