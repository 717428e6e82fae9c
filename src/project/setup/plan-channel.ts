/** Asks where alerts go, and sends a test message there. */
import type { AlertInput } from "../../config/define-config.ts";
import { DOCUMENTS } from "../../protocol/causes.ts";
import {
  channelInput,
  KIND_NAMES,
  OFFERED_KINDS,
  plannedChannel,
  sendTest,
  testWords,
  valuesProblem,
  type OfferedKind,
  type PlannedChannel,
} from "./channels.ts";
import type { Talk } from "./talk.ts";

/** @param taken ids of the channels that are there. Null: no channel is wanted. */
export async function planChannel(talk: Talk, taken: readonly string[]): Promise<AlertInput | null> {
  const kind = talk.wishes.channel ?? (await askKind(talk, taken));
  if (kind === null) return null;
  const planned = plannedChannel(kind, taken);
  const settings = new Map<string, string>();
  const valueOf = (name: string): string | null => settings.get(name) ?? talk.valueOf(name);
  await learnFields(talk, planned, settings, false);
  for (;;) {
    const isDelivered = talk.wishes.noCheck || (await tryOnce(talk, planned, valueOf));
    if (isDelivered || talk.prompts === null) return channelInput(planned, valueOf);
    switch (await talk.prompts.choose("What do you want to do?", AFTER_FAILURE)) {
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
  { value: "again", label: "Try again" },
  { value: "change", label: "Enter it again" },
  { value: "continue", label: "Continue with this channel" },
  { value: "none", label: "Continue without it" },
] as const;

async function askKind({ prompts }: Talk, taken: readonly string[]): Promise<OfferedKind | null> {
  if (prompts === null || taken.length > 0) return null;
  const kinds = OFFERED_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }));
  const none = {
    value: "none",
    label: "Nowhere yet",
    hint: `email and more: ${DOCUMENTS}/channels.md`,
  } as const;
  const chosen = await prompts.choose("Where do alerts go?", [...kinds, none]);
  return chosen === "none" ? null : chosen;
}

/** @param isAgain also what is set already. */
async function learnFields(
  { prompts, secrets, valueOf, say }: Talk,
  planned: PlannedChannel,
  settings: Map<string, string>,
  isAgain: boolean,
): Promise<void> {
  for (const { name, question, isSecret, made } of planned.fields) {
    const known = isAgain ? null : valueOf(name);
    if (known !== null) say(`${name} is set already.`);
    const asked = known ?? (await ask(isSecret, `${question} (${name})`));
    const value = asked === "" && made !== undefined ? made() : asked;
    if (isSecret) secrets.set(name, value || null);
    else settings.set(name, value);
    if (value === "") say(`${name} is not set yet.`);
  }

  async function ask(isSecret: boolean, message: string): Promise<string> {
    if (prompts === null) return "";
    return isSecret ? prompts.secret({ message }) : prompts.text({ message });
  }
}

async function tryOnce(
  { io, say }: Talk,
  planned: PlannedChannel,
  valueOf: (name: string) => string | null,
): Promise<boolean> {
  const problem = valuesProblem(planned, valueOf);
  if (problem !== null) {
    say(`No message can be sent: ${problem}.`);
    return false;
  }
  say("Sending a test message …");
  const answer = await sendTest(planned, valueOf, io.timeZone);
  say(testWords(planned, answer));
  return answer.type === "answered" && answer.outcome === "delivered";
}
