/** The channels that a new project can begin with: what each must know, and the test message. */
import { randomBytes } from "node:crypto";
import { channelKind } from "../../alert/channels.ts";
import type { ChannelConfig, Config } from "../../config/config.ts";
import type { AlertInput } from "../../config/define-config.ts";
import { parseConfig } from "../../config/load.ts";
import { channelProblem, secretNames, type ValueOf } from "../../config/secrets.ts";
import { testEvent } from "../../ledger/deliver/announce.ts";
import { NoMailBinding, send, type TestAnswer } from "../../ledger/deliver/channel-client.ts";
import type { Talk } from "./talk.ts";

interface ChannelField {
  /** Its setting. */
  readonly key: string;
  /** The name of the secret ends with it, after the channel's id: SLACK_URL. */
  readonly suffix: string;
  readonly question: string;
  /** Else its value itself is in the configuration. */
  readonly isSecret: boolean;
  /** Made where nobody gives one. */
  readonly made?: () => string;
}

export type OfferedKind = Exclude<ChannelConfig["kind"], "email">;

const WEBHOOK_ADDRESS = secret("url", "URL", "Address of the incoming webhook, like https://…");

/** Mail needs a binding besides, and only a deployed Worker can send it. */
const FIELDS: Readonly<Record<OfferedKind, readonly ChannelField[]>> = {
  slack: [WEBHOOK_ADDRESS],
  discord: [WEBHOOK_ADDRESS],
  teams: [WEBHOOK_ADDRESS],
  telegram: [
    secret("token", "TOKEN", "Token of the bot"),
    { ...secret("chat", "CHAT", "Number of the chat, or @channel"), isSecret: false },
  ],
  ntfy: [secret("url", "URL", "Address of the topic, like https://ntfy.sh/my-topic")],
  pagerduty: [secret("routingKey", "KEY", "Integration key (Events API v2)")],
  alertmanager: [secret("url", "URL", "Base address of Alertmanager")],
  webhook: [
    secret("url", "URL", "Address that receives the messages"),
    { ...secret("secret", "SECRET", "Signing secret; leave it empty for a new one"), made: newSigningSecret },
  ],
};

export const OFFERED_KINDS = Object.keys(FIELDS) as readonly OfferedKind[];

export const KIND_NAMES: Readonly<Record<OfferedKind, string>> = {
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  telegram: "Telegram",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  alertmanager: "Alertmanager",
  webhook: "A webhook of your own",
};

function secret(key: string, suffix: string, question: string): ChannelField {
  return { key, suffix, question, isSecret: true };
}

function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString("base64")}`;
}

/** With the names of its secrets. */
export interface PlannedChannel {
  readonly kind: OfferedKind;
  readonly id: string;
  readonly fields: readonly NamedField[];
}

export interface NamedField extends ChannelField {
  /** Of its secret. */
  readonly name: string;
  /** That of the first channel of this kind. */
  readonly firstName: string;
}

/** A second channel of a kind is numbered, and also one whose secrets would have the names of others. */
export function plannedChannel(kind: OfferedKind, config: Config): PlannedChannel {
  const taken = new Set([...config.alerts.map((channel) => channel.id), ...secretNames(config)]);
  const nameOf = (id: string, suffix: string) => `${id.toUpperCase().replaceAll("-", "_")}_${suffix}`;
  const id = firstFree(
    kind,
    (one) => !taken.has(one) && FIELDS[kind].every(({ suffix }) => !taken.has(nameOf(one, suffix))),
  );
  const named = (field: ChannelField): NamedField => {
    const { suffix } = field;
    return { ...field, name: nameOf(id, suffix), firstName: nameOf(kind, suffix) };
  };
  return { kind, id, fields: FIELDS[kind].map(named) };
}

/** The id, or with the first number from 2 that makes it free. */
export function firstFree(id: string, isFree: (id: string) => boolean): string {
  let free = id;
  for (let number = 2; !isFree(free); number += 1) free = `${id}-${number}`;
  return free;
}

/** What the configuration says about it. */
export function channelInput({ kind, id, fields }: PlannedChannel, valueOf: ValueOf): AlertInput {
  const settings = fields.map(({ key, name, isSecret }) => [key, isSecret ? name : (valueOf(name) ?? "")]);
  return { kind, ...(id !== kind && { id }), ...Object.fromEntries(settings) } as AlertInput;
}

/** Sends a test as the Ledger does, and says how that went. */
export async function isTestDelivered(
  planned: PlannedChannel,
  valueOf: ValueOf,
  { io, say }: Talk,
): Promise<boolean> {
  const parsed = parseConfig({ ...EMPTY, alerts: [channelInput(planned, valueOf)] });
  const [channel] = parsed.ok ? parsed.config.alerts : [];
  const faults = parsed.ok ? [] : parsed.faults.map(({ path, problem, fix }) => `${path} ${problem}: ${fix}`);
  const problem = channel === undefined ? faults.join("; ") : channelProblem(channel, valueOf);
  if (!parsed.ok || channel === undefined || problem !== null) {
    say(`No message can be sent: ${problem}.`);
    return false;
  }
  say("Sending a test message …");
  const nowMs = Date.now();
  const { answer } = await send([testEvent(parsed.config, nowMs)], channel, channelKind(channel), {
    title: EMPTY.title,
    timeZone: io.timeZone,
    isAdministered: false,
    secretOf: valueOf,
    fetch: (url, init) => fetch(url, init),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    sendMail: () => Promise.reject(new NoMailBinding()),
    now: () => nowMs,
    warn: () => undefined,
  });
  say(testWords(planned.kind, answer));
  return answer.type === "answered" && answer.outcome === "delivered";
}

const EMPTY = { title: "Model gateways", gateways: [] };

function testWords(kind: OfferedKind, answer: TestAnswer): string {
  if ("problem" in answer) return `The test message was not delivered: ${answer.problem}.`;
  if (answer.type === "mailed") return "The test message was sent.";
  const { status, body, outcome } = answer;
  return outcome === "delivered"
    ? `The test message was delivered: ${KIND_NAMES[kind]} answered HTTP ${status}.`
    : `The test message was not delivered. The answer was HTTP ${status}${body === "" ? "" : `: ${body}`}`;
}
