/**
 * Sentences of Gatepulse's own that were stored when something was seen: in English, and told in the page's language as far
 * as its catalogue knows them. Pure.
 */
import { CAUSE_TABLE } from "../../../protocol/causes.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import { type Child, jsx } from "../../jsx/jsx-runtime.ts";
import { languageOf } from "./language.ts";
import type { Messages } from "../i18n/messages.ts";
import { OWN_MESSAGES, type OwnMessage } from "../../../protocol/thrown.ts";

/** @param cause what the text gives advice about; null: it tells something else. */
export function storedWords(text: string, cause: Cause | null, words: Messages): Child {
  const { stored, gap } = words;
  if (stored === null) return jsx("bdi", { lang: languageOf(text, words), children: text });
  if (cause !== null && text === CAUSE_TABLE[cause].advice) return stored.advice[cause];
  const known = stored.sentences.find(([pattern]) => pattern.test(text));
  if (known) return text.replace(...known);
  const quoted = jsx("q", { lang: "en", children: text });
  // Of another version, perhaps, and it may say more: what goes with the cause stands before it.
  return cause === null ? quoted : [stored.advice[cause], gap, quoted];
}

/** A message of Gatepulse's own, in the page's language; null: the words are the service's. */
export function ownMessage(text: string, { stored }: Messages): string | null {
  const names = Object.keys(OWN_MESSAGES) as OwnMessage[];
  const known = names.find((name) => OWN_MESSAGES[name].test(text));
  if (known === undefined) return null;
  return stored === null ? text : text.replace(OWN_MESSAGES[known], stored.messages[known]);
}
