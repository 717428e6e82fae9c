/** The questions of an audit: small, fixed, each with an answer that can be checked. How often they are right can be compared. Pure. */
import { isEqual, objectsOf } from "./canary-evidence.ts";
import WRITTEN from "./exercises.json" with { type: "json" };
import { asObject, asText, readJson, type JsonObject } from "./json.ts";

export interface Exercise {
  readonly name: string;
  readonly prompt: string;
  /** A right answer: the text; or JSON that is equal; or what the tool is called with. */
  readonly right: string | JsonObject;
  readonly tool?: JsonObject & { readonly name: string };
  /** Tokens of the prompt, at least. Then `usage` is judged, and not the text. */
  readonly tokens?: number;
}

/** What stands before a prompt. The words are one token each for all tokenizers. */
const TEXTS: Readonly<Record<string, string>> = {
  boxes: Array.from({ length: 400 }, (_, box) => `Box ${box} holds ${1000 + ((box * 7919) % 9000)}.`).join(
    " ",
  ),
  words: "time house water people world school money night\n".repeat(30),
};

export const EXERCISES: readonly Exercise[] = WRITTEN.map(({ after, prompt, ...exercise }) =>
  Object.assign(exercise, { prompt: after === undefined ? prompt : `${TEXTS[after]}\n${prompt}` }),
);

export function bodyOfExercise({ prompt, tool }: Exercise): JsonObject {
  const messages = [{ role: "user", content: prompt }];
  return tool === undefined ? { messages } : { messages, tools: [{ type: "function", function: tool }] };
}

/** In characters, as JSON. */
export function longestExercise(): number {
  return Math.max(...EXERCISES.map((exercise) => JSON.stringify(bodyOfExercise(exercise)).length));
}

/** What the gateway adds to a prompt counts as tokens, too; the form of a chat is a few. */
const MOST_ADDED = 1.5;

/** @param json the body of a good answer. */
export function isRightAnswer({ right, tool, tokens }: Exercise, json: unknown, inputTokens: number | null) {
  if (tokens !== undefined)
    return inputTokens !== null && inputTokens >= tokens && inputTokens <= tokens * MOST_ADDED;
  const [choice] = objectsOf(asObject(json)?.["choices"]);
  const message = asObject(choice?.["message"]);
  const text = asText(message?.["content"]) ?? "";
  if (typeof right === "string") return text.length <= LONGEST_ANSWER && plain(text) === right;
  if (tool === undefined) return isEqual(readJson(text), right);
  const [call] = objectsOf(message?.["tool_calls"]);
  const called = asObject(call?.["function"]);
  return called?.["name"] === tool.name && isEqual(readJson(asText(called["arguments"]) ?? ""), right);
}

/** In characters. A longer one is wrong, and to search it for its end would cost the square of its length. */
const LONGEST_ANSWER = 1000;

/** Quotes, emphasis, a final period and capitals do not make an answer wrong. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/^[*"'`]+|[*"'`.]+$/g, "")
    .toLowerCase();
}
