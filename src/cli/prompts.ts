/** Questions to a person at a terminal. The library that asks is loaded with the first question. */
import { t } from "../config/spoken.ts";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

interface TextQuestion {
  readonly message: string;
  /** Shown while nothing is typed. */
  readonly example?: string;
  /** The same, and the answer if nothing is typed. */
  readonly suggested?: string;
  /** What is wrong with an answer, without white space around it; null: nothing. */
  readonly problemOf?: (text: string) => string | null;
}

/** Each throws `Interrupted` at Ctrl-C. */
export interface Prompts {
  /** Without white space around it. */
  text(question: TextQuestion): Promise<string>;
  /** The same, and what is typed is not shown. */
  secret(question: Pick<TextQuestion, "message" | "problemOf">): Promise<string>;
  confirm(message: string): Promise<boolean>;
  choose<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** @param initial chosen already. */
  chooseMany(
    message: string,
    words: readonly string[],
    initial: readonly string[],
  ): Promise<readonly string[]>;
}

/** Ctrl-C at a question. */
export class Interrupted extends Error {}

const STYLE = { withGuide: false };
const MOST_SHOWN = 8;

export const terminalPrompts: Prompts = {
  text: async ({ message, suggested = "", example = suggested, problemOf }) => {
    const { text } = await import("@clack/prompts");
    const validate = (typed: string | undefined) => validation(problemOf)(typed?.trim() || suggested);
    const more = { placeholder: example, defaultValue: suggested, validate };
    return trimmed(await text({ ...STYLE, message, ...more })) || suggested;
  },
  secret: async ({ message, problemOf }) => {
    const { password } = await import("@clack/prompts");
    return trimmed(await password({ ...STYLE, message, validate: validation(problemOf) }));
  },
  confirm: async (message) => {
    const { confirm } = await import("@clack/prompts");
    return answered(await confirm({ ...STYLE, message, active: t`Yes`, inactive: t`No` }));
  },
  choose: async <Value extends string>(message: string, choices: readonly Choice<Value>[]) => {
    const { select } = await import("@clack/prompts");
    const options = choices.map((choice) => ({ ...choice }));
    return answered(await select<string>({ ...STYLE, message, options })) as Value;
  },
  chooseMany: async (message, words, initial) => {
    const { multiselect } = await import("@clack/prompts");
    const options = words.map((value) => ({ value }));
    const more = { maxItems: MOST_SHOWN, initialValues: [...initial], required: false };
    return answered(await multiselect<string>({ ...STYLE, message, options, ...more }));
  },
};

function validation(problemOf: TextQuestion["problemOf"]) {
  return (text: string | undefined): string | undefined => problemOf?.((text ?? "").trim()) ?? undefined;
}

function trimmed(answer: string | symbol | undefined): string {
  return (answered(answer) ?? "").trim();
}

/** A symbol says that Ctrl-C was pressed. */
function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (typeof answer === "symbol") throw new Interrupted();
  return answer as Exclude<Value, symbol>;
}
