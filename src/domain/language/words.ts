/** How sentences of a language are filled, and what is stored in English translated. The words are in catalogues. */
import { type Cause, CAUSE_ADVICE } from "../../protocol/diagnosis.ts";
import { OWN_MESSAGES, type OwnMessage } from "../../protocol/thrown.ts";

type Patterns = readonly (readonly [pattern: RegExp, words: string])[];

/** For texts that are stored in English. Unknown ones stay English. */
export interface StoredMessages {
  readonly advice: Readonly<Record<Cause, string>>;
  /** What `advise` puts behind an owner's advice, or in its place. */
  readonly tails: Patterns;
  /** A sentence begins with the pattern; `$1` is what its group matched. */
  readonly sentences: Patterns;
  /** Titles and details of the API's problems. */
  readonly problems: Patterns;
  /** `$1` and `$2` are what the groups of the pattern matched. */
  readonly messages: Readonly<Record<OwnMessage, string>>;
}

/** As a catalogue has them: sources of regular expressions, with their words. */
export interface StoredCatalogue extends Omit<StoredMessages, "problems" | "sentences" | "tails"> {
  readonly tails: readonly (readonly string[])[];
  readonly sentences: readonly (readonly string[])[];
  readonly problems: readonly (readonly string[])[];
}

export function storedMessages({ problems, sentences, tails, ...rest }: StoredCatalogue): StoredMessages {
  const patterns = (lines: readonly (readonly string[])[]) =>
    lines.map(([pattern = "", words = ""]) => [new RegExp(pattern, "u"), words] as const);
  return {
    ...rest,
    problems: patterns(problems),
    sentences: patterns(sentences),
    tails: patterns(tails),
  };
}

/** The sentences of a stored text in the language; a quote is one that only English has. */
export function toldSentences(
  text: string,
  cause: Cause | null,
  stored: StoredMessages,
): readonly (string | { readonly quote: string })[] {
  const tail = stored.tails.find(([pattern]) => pattern.test(text));
  if (tail) {
    const [pattern, told] = tail;
    const head = text.replace(pattern, "").trim();
    const end = told.replace("$1", () => pattern.exec(text)?.[1] ?? "");
    return [...(head === "" ? [] : toldSentences(head, cause, stored)), end];
  }
  if (cause !== null && text === CAUSE_ADVICE[cause]) return [stored.advice[cause]];
  const known = knownSentence(text, stored);
  if (known !== null) return [known];
  return [...(cause === null ? [] : [stored.advice[cause]]), { quote: text }];
}

/** In the language; null: it is written in English, or not known. */
export function knownSentence(text: string, stored: StoredMessages | null, patterns = stored?.sentences) {
  const known = patterns?.find(([pattern]) => pattern.test(text));
  return known ? known[1].replace("$1", () => known[0].exec(text)?.[1] ?? "") : null;
}

/** A message of Gatepulse's own, in the language; null: the words are the service's. */
export function ownMessage(text: string, stored: StoredMessages | null): string | null {
  const names = Object.keys(OWN_MESSAGES) as OwnMessage[];
  const known = names.find((name) => OWN_MESSAGES[name].test(text));
  if (known === undefined) return null;
  return stored === null ? text : text.replace(OWN_MESSAGES[known], stored.messages[known]);
}

/** `{0}` is the first of what the sentence tells; `{0|is|are}` are the words for one of it and for another number, which is at `#`. */
const SLOT = /\{(\d)(?:\|([^|]*)\|([^}]*))?\}/u;

const split = new Map<string, readonly (string | undefined)[]>();

/** Fills a sentence, whose language chooses the order. @returns a text if it tells only texts and numbers. */
export function say(sentence: string, ...told: readonly (string | number)[]): string;
export function say<Told extends readonly unknown[]>(
  sentence: string,
  ...told: Told
): string | readonly (Told[number] | string | undefined)[];
export function say(sentence: string, ...told: readonly unknown[]) {
  const parts = split.get(sentence) ?? sentence.split(SLOT);
  split.set(sentence, parts);
  const said: unknown[] = [];
  for (let index = 0; index < parts.length; index += 4) {
    const [words, slot, one, many] = parts.slice(index, index + 4);
    said.push(words);
    if (slot === undefined) continue;
    const value = told[Number(slot)];
    if (value === undefined) throw new Error(`nothing is told at ${slot}: ${sentence}`);
    said.push(many === undefined ? value : (value === 1 ? one : many)?.replace("#", `${value as number}`));
  }
  return told.some((part) => typeof part === "object") ? said : said.join("");
}
