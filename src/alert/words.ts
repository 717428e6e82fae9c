/** The words of alerts. Chinese ones are in the Worker if the configuration asks for them (`src/local/build.ts`). */
import CHINESE from "#chinese" with { type: "json" };
import { type StoredCatalogue, type StoredMessages, storedMessages } from "../domain/language/words.ts";
import type { Language } from "../config/config.ts";
import { type Cause, CAUSE_NAMES, OPERATOR_CAUSE_NAMES } from "../protocol/diagnosis.ts";
import ENGLISH from "./en.json" with { type: "json" };

type Shape = Omit<typeof ENGLISH, "regions"> & {
  readonly causes: Readonly<Record<Cause, string>>;
  readonly operatorCauses: Readonly<Partial<Record<Cause, string>>>;
  readonly regions: { readonly names: Readonly<Record<string, string>> };
};

export interface AlertWords extends Shape {
  /** Null: stored texts are already in this language. */
  readonly stored: StoredMessages | null;
}

/** What alerts need of `src/http/assets/<language>.json`. */
export interface AlertCatalogue extends Shape {
  readonly stored: StoredCatalogue;
}

let chinese: AlertWords | null = null;

export function alertWords(language: Language): AlertWords {
  if (language === "zh" && CHINESE !== null)
    return (chinese ??= { ...CHINESE, stored: storedMessages(CHINESE.stored) });
  return { ...ENGLISH, causes: CAUSE_NAMES, operatorCauses: OPERATOR_CAUSE_NAMES, stored: null };
}
