/** Asks where alerts go, and sends a test message there. */
import type { Config } from "../../config/config.ts";
import type { AlertInput } from "../../config/define-config.ts";
import { DOCUMENTS } from "../../protocol/causes.ts";
import {
  channelInput,
  isTestDelivered,
  KIND_NAMES,
  OFFERED_KINDS,
  plannedChannel,
  type NamedField,
  type OfferedKind,
  type PlannedChannel,
} from "./channels.ts";
import type { Talk } from "./talk.ts";

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
    const isDone = isUnset || talk.wishes.noCheck || (await isTestDelivered(planned, valueOf, talk));
    if (isDone || talk.prompts === null) return channelInput(planned, valueOf);
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

async function askKind({ prompts }: Talk, { alerts }: Config): Promise<OfferedKind | null> {
  if (prompts === null || alerts.length > 0) return null;
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
  { prompts, secrets, valueOf, passedIn, say }: Talk,
  planned: PlannedChannel,
  settings: Map<string, string>,
  isAgain: boolean,
): Promise<void> {
  for (const field of planned.fields) {
    const { name, firstName, isSecret, made } = field;
    const own = isAgain ? null : valueOf(name);
    if (own !== null) say(`${name} is set already.`);
    const passed = own === null && !isAgain && name !== firstName ? passedIn(firstName) : null;
    if (passed !== null)
      say(`${firstName} of the environment becomes ${name}: another channel has that name.`);
    const asked = own ?? passed ?? (await ask(field));
    const value = asked === "" && made !== undefined ? made() : asked;
    if (isSecret) secrets.set(name, value || null);
    else settings.set(name, value);
    if (value === "") say(`${name} is not set yet.`);
  }

  async function ask({ name, question, isSecret, made }: NamedField): Promise<string> {
    if (prompts === null) return "";
    const message = `${question} (${name})`;
    const problemOf = (text: string): string | null => (text === "" ? "The configuration needs it" : null);
    if (!isSecret) return prompts.text({ message, problemOf });
    return prompts.secret({
      message: made === undefined ? `${message}; leave it empty to set it later` : message,
    });
  }
}
