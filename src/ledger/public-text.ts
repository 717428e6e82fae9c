/**
 * What the public may read of a gateway's own words: a private endpoint's host, its addresses and the query of any URL
 * are gone from them. Pure.
 */
import type { GatewayConfig } from "../config/config.ts";
import { createHostHider } from "../protocol/secret-hosts.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";

type Hide = (text: string) => string;

const hiders = new WeakMap<GatewayConfig, Hide>();

/** Leaves text as it is where the gateway's endpoint is public. */
function hidingOf(gateway: GatewayConfig): Hide {
  const known = hiders.get(gateway);
  if (known) return known;
  const hide = gateway.showEndpoint ? (text: string) => text : createHostHider([hostOf(gateway.baseUrl)]);
  hiders.set(gateway, hide);
  return hide;
}

export function publicDiagnosis(diagnosis: Diagnosis, gateway: GatewayConfig): Diagnosis {
  const hide = hidingOf(gateway);
  const hidden = (text: string | null): string | null => (text === null ? null : hide(text));
  return {
    ...diagnosis,
    errorType: hidden(diagnosis.errorType),
    errorCode: hidden(diagnosis.errorCode),
    requestId: hidden(diagnosis.requestId),
    taskId: hidden(diagnosis.taskId),
    taskState: hidden(diagnosis.taskState),
    message: hidden(diagnosis.message),
  };
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}
