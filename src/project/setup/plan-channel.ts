/** Asks where alerts go, and sends a test message there. */
import { t, translated } from "../../config/spoken.ts";
import type { AlertEvent, Speaker } from "../../alert/alert-event.ts";
import type { Config, ChannelConfig } from "../../config/config.ts";
import type { AlertInput } from "../../config/define-config.ts";
import { DOCUMENTS } from "../../protocol/causes.ts";
import CHANNELS from "./channels.json" with { type: "json" };
import type { Talk } from "./talk.ts";
import { randomBytes } from "node:crypto";
import { channelKind } from "../../alert/channels.ts";
import { parseConfig } from "../../config/load.ts";
import { channelProblem, secretNames, type ValueOf } from "../../config/secrets.ts";
import { testEvent } from "../../ledger/deliver/announce.ts";
import { NoMailBinding, send, type TestAnswer } from "../../ledger/deliver/channel-client.ts";

/** @param config of the project. Null: no channel is wanted. */
export async function planChannel(talk: Talk, config: Config): Promise<AlertInput | null> {
  const kind = talk.wishes.channel ?? (await askKind(talk, config));
  if (kind === null) return null;
  const planned = plannedChannel(kind, config);
  const settings = new Map<string, string>();
  const valueOf = (name: string): string | null => settings.get(name) ?? talk.valueOf(name);
  await learnFields(talk, planned, settings, false);
  for (;;) {
    const isUnset = planned.fields.some(({ name }) => valueOf(name) === null);
    const isDone = isUnset || talk.wishes.noCheck || (await isTestDelivered(planned, valueOf, talk, config));
    if (isDone || talk.prompts === null) return channelInput(planned, valueOf);
    switch (await talk.prompts.choose(t`What do you want to do?`, AFTER_FAILURE)) {
      case "again":
        break;
      case "change":
        await learnFields(talk, planned, settings, true);
        break;
      case "continue":
        return channelInput(planned, valueOf);
      case "none":
        for (const { name } of planned.fields) talk.secrets.delete(name);
        return null;
    }
  }
}

const AFTER_FAILURE = [
  { value: "again", label: t`Try again` },
  { value: "change", label: t`Enter it again` },
  { value: "continue", label: t`Continue with this channel` },
  { value: "none", label: t`Continue without it` },
] as const;

async function askKind({ prompts }: Talk, { alerts }: Config): Promise<OfferedKind | null> {
  if (prompts === null || alerts.length > 0) return null;
  const kinds = OFFERED_KINDS.map((value) => ({ value, label: translated(OFFERED[value].name) }));
  const none = {
    value: "none",
    label: t`Nowhere yet`,
    hint: t`email and more: ${DOCUMENTS}/channels.md`,
  } as const;
  const chosen = await prompts.choose(t`Where do alerts go?`, [...kinds, none]);
  return chosen === "none" ? null : chosen;
}

/** @param isAgain also what is set already. */
async function learnFields(
  { prompts, secrets, valueOf, say }: Talk,
  planned: PlannedChannel,
  settings: Map<string, string>,
  isAgain: boolean,
): Promise<void> {
  for (const field of planned.fields) {
    const { name, isPublic = false, isMade = false } = field;
    const own = isAgain ? null : valueOf(name);
    if (own !== null) say(t`${name} is set already.`);
    const asked = own ?? (await ask(field));
    const value = asked === "" && isMade ? newSigningSecret() : asked;
    if (isPublic) settings.set(name, value);
    else secrets.set(name, value || null);
    if (value === "") say(t`${name} is not set yet.`);
  }

  async function ask({ name, question, isPublic, isMade }: NamedField): Promise<string> {
    if (prompts === null) return "";
    const message = `${translated(question)} (${name})`;
    const problemOf = (text: string): string | null => (text === "" ? t`The configuration needs it` : null);
    if (isPublic === true) return prompts.text({ message, problemOf });
    return prompts.secret({
      message: isMade === true ? message : t`${message}; leave it empty to set it later`,
    });
  }
}

interface ChannelField {
  /** Its setting. */
  readonly key: string;
  /** The name of the secret ends with it, after the channel's id: SLACK_URL. */
  readonly suffix: string;
  readonly question: string;
  /** Its value itself is in the configuration, which else names a secret. */
  readonly isPublic?: boolean;
  /** Made where nobody gives one. */
  readonly isMade?: boolean;
}

/** Mail needs a binding besides, and only a deployed Worker can send it. A request of your own needs its template. */
export type OfferedKind = Exclude<ChannelConfig["kind"], "email" | "custom" | "otlp" | "push">;

const OFFERED: Readonly<
  Record<OfferedKind, { readonly name: string; readonly fields: readonly ChannelField[] }>
> = CHANNELS;

export const OFFERED_KINDS = Object.keys(OFFERED) as readonly OfferedKind[];

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
}

/** A second channel of a kind is numbered, and also one whose secrets would have the names of others. */
function plannedChannel(kind: OfferedKind, config: Config): PlannedChannel {
  const taken = new Set([...config.alerts.map((channel) => channel.id), ...secretNames(config)]);
  const nameOf = (id: string, suffix: string) => `${id.toUpperCase().replaceAll("-", "_")}_${suffix}`;
  const id = firstFree(
    kind,
    (one) => !taken.has(one) && OFFERED[kind].fields.every(({ suffix }) => !taken.has(nameOf(one, suffix))),
  );
  const fields = OFFERED[kind].fields.map((field) => ({ ...field, name: nameOf(id, field.suffix) }));
  return { kind, id, fields };
}

/** The id, or with the first number from 2 that makes it free. */
export function firstFree(id: string, isFree: (id: string) => boolean): string {
  let free = id;
  for (let number = 2; !isFree(free); number += 1) free = `${id}-${number}`;
  return free;
}

/** What the configuration says about it. */
function channelInput({ kind, id, fields }: PlannedChannel, valueOf: ValueOf): AlertInput {
  const settings = fields.map(({ key, name, isPublic }) => [
    key,
    isPublic === true ? (valueOf(name) ?? "") : name,
  ]);
  return { kind, ...(id !== kind && { id }), ...Object.fromEntries(settings) } as AlertInput;
}

/** Sends a test as the Ledger does, and says how that went. */
async function isTestDelivered(
  planned: PlannedChannel,
  valueOf: ValueOf,
  { io, say }: Talk,
  { title, language }: Config,
): Promise<boolean> {
  const alerts = [channelInput(planned, valueOf)];
  const parsed = parseConfig({ title, language, gateways: [], alerts });
  const [channel] = parsed.ok ? parsed.config.alerts : [];
  const faults = parsed.ok
    ? []
    : parsed.faults.map(({ path, problem, fix }) => t`${`${path} ${problem}`}: ${fix}`);
  const problem = channel === undefined ? faults.join("; ") : channelProblem(channel, valueOf);
  if (!parsed.ok || channel === undefined || problem !== null) {
    say(t`No message can be sent: ${problem ?? ""}.`);
    return false;
  }
  say(t`Sending a test message …`);
  const event = testEvent(parsed.config, Date.now());
  const speaker = { title, timeZone: io.timeZone, language, isAdministered: false };
  const answer = await sendFromHere(event, channel, speaker, valueOf);
  say(testWords(planned.kind, answer));
  return answer.type === "answered" && answer.outcome === "delivered";
}

/** Sends one message from this machine, as the Ledger does. */
export async function sendFromHere(
  event: AlertEvent,
  channel: ChannelConfig,
  speaker: Speaker,
  secretOf: ValueOf,
): Promise<TestAnswer> {
  const { answer } = await send([event], channel, channelKind(channel), {
    ...speaker,
    secretOf,
    fetch: (url, init) => fetch(url, init),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    sendMail: () => Promise.reject(new NoMailBinding()),
    now: Date.now,
    warn: () => undefined,
  });
  return answer;
}

function testWords(kind: OfferedKind, answer: TestAnswer): string {
  if ("problem" in answer) return t`The test message was not delivered: ${answer.problem}.`;
  if (answer.type === "mailed") return t`The test message was sent.`;
  const { status, body, outcome } = answer;
  return outcome === "delivered"
    ? t`The test message was delivered: ${translated(OFFERED[kind].name)} answered HTTP ${status}.`
    : t`The test message was not delivered. The answer was HTTP ${status}${body === "" ? "" : `: ${body}`}`;
}
