/** A gateway's own words without a private host, its addresses and the query of any URL; for the public, without accounts. Pure. */
import type { Config, GatewayConfig } from "../../config/config.ts";
import type { Incident } from "../../domain/incident.ts";
import type { ProbeOutcome } from "../../domain/probe-outcome.ts";
import type { KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { clip, MAX_MESSAGE_LENGTH, MAX_NAME_LENGTH, mayBeClipped } from "../../protocol/error-facts.ts";
import { withoutAccounts } from "../../protocol/redaction/accounts.ts";
import { createHostHider, type Hide } from "../../protocol/redaction/hosts.ts";

const hiders = new WeakMap<GatewayConfig, Hide>();

/** Does not change text if the gateway's endpoint is public. */
function hidingOf(gateway: GatewayConfig): Hide {
  const known = hiders.get(gateway);
  if (known) return known;
  const hide = gateway.showEndpoint
    ? (text: string) => text
    : createHostHider([new URL(gateway.baseUrl).hostname]);
  hiders.set(gateway, hide);
  return hide;
}

export function publicDiagnosis(diagnosis: KeptDiagnosis, gateway: GatewayConfig): KeptDiagnosis {
  return withoutHost(withoutAccounts(diagnosis), gateway, diagnosis);
}

export function publicName(name: string, gateway: GatewayConfig): string {
  const { taskId } = withoutAccounts({ taskId: name });
  return hidingOf(gateway)(taskId, mayBeClipped(name, MAX_NAME_LENGTH));
}

/** For alert channels. @param said the texts, as long as they were stored. */
export function withoutHost(
  diagnosis: KeptDiagnosis,
  gateway: GatewayConfig,
  said: KeptDiagnosis = diagnosis,
): KeptDiagnosis {
  const hide = hidingOf(gateway);
  const hidden = (
    name: "errorType" | "errorCode" | "requestId" | "taskId" | "taskState" | "message",
    maxLength = MAX_NAME_LENGTH,
  ): string | null =>
    diagnosis[name] === null ? null : hide(diagnosis[name], mayBeClipped(said[name] ?? "", maxLength));
  return {
    ...diagnosis,
    errorType: hidden("errorType"),
    errorCode: hidden("errorCode"),
    requestId: hidden("requestId"),
    taskId: hidden("taskId"),
    taskState: hidden("taskState"),
    message: hidden("message", MAX_MESSAGE_LENGTH),
  };
}

/** Removes a gateway's words. For when it is no longer known which of them are private. */
export function withoutWords(diagnosis: KeptDiagnosis): KeptDiagnosis {
  const none = { errorType: null, errorCode: null, requestId: null, taskId: null, taskState: null };
  return { ...diagnosis, ...none, message: null };
}

/** Removes everything private from an incident's failures. It may outlive its gateway's address, or the gateway itself. */
export function withPublicFailures(
  incident: Incident,
  tell: (diagnosis: KeptDiagnosis) => KeptDiagnosis,
): Incident {
  const told = (failure: ProbeOutcome | null): ProbeOutcome | null =>
    failure && { ...failure, diagnosis: tell(failure.diagnosis) };
  return {
    ...incident,
    firstFailure: told(incident.firstFailure),
    latestFailure: told(incident.latestFailure),
  };
}

export function archivedIncident(incident: Incident, { gateways }: Config): Incident {
  const gateway = gateways.find(({ id }) => id === incident.gatewayId);
  return withPublicFailures(incident, (diagnosis) =>
    gateway === undefined ? withoutWords(diagnosis) : withoutHost(diagnosis, gateway),
  );
}

/** Limits of the status, which is read all the time; reports have the whole texts. */
const LONGEST_NAME = 32;
/** A UUID has 36. */
const LONGEST_ID = 40;
const LONGEST_MESSAGE = 120;

/** Cuts the texts so short that the status has room for hundreds of monitors. */
export function briefDiagnosis(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return {
    ...diagnosis,
    errorType: cut(diagnosis.errorType, LONGEST_NAME),
    errorCode: cut(diagnosis.errorCode, LONGEST_NAME),
    requestId: cut(diagnosis.requestId, LONGEST_ID),
    taskId: cut(diagnosis.taskId, LONGEST_ID),
    taskState: cut(diagnosis.taskState, LONGEST_NAME),
    message: cut(diagnosis.message, LONGEST_MESSAGE),
    completionId: undefined,
    streamed: undefined,
  };
}

function cut(text: string | null, length: number): string | null {
  return text === null || text.length <= length ? text : `${clip(text, length - 1)}…`;
}
