/**
 * The questions of an audit: small, fixed, and each with an answer that can be checked. One answer says little about a model. How
 * often its answers are right can be compared. Pure.
 */
import { isEqual, objectsOf } from "./canary-evidence.ts";
import { asObject, asText, readJson, type JsonObject } from "./json.ts";

export interface Exercise {
  readonly name: string;
  readonly prompt: string;
  /** A right answer: the text, or what the tool is called with. */
  readonly right: string | JsonObject;
  readonly tool?: JsonObject & { readonly name: string };
  /** Absent: the text is right, word for word. */
  readonly isRight?: (answer: AuditAnswer) => boolean;
}

/** Of the first choice of a chat completion. */
interface AuditAnswer {
  readonly text: string;
  readonly inputTokens: number | null;
}

const BOXES = 400;
const SOUGHT = 313;

function codeOf(box: number): number {
  return 1000 + ((box * 7919) % 9000);
}

/** Words that are one token each for all tokenizers. */
const COUNTED = ["time", "house", "water", "people", "world", "school", "money", "night"];
const COUNTED_LINES = 30;
const COUNTED_TOKENS = COUNTED.length * COUNTED_LINES;

const PRIMES = { count: 3, primes: [2, 3, 5, 7], done: true };

const SET_ALARM = {
  name: "set_alarm",
  description: "Sets an alarm.",
  parameters: {
    type: "object",
    properties: {
      hour: { type: "integer" },
      minute: { type: "integer" },
      day: { type: "string", enum: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] },
    },
    required: ["hour", "minute", "day"],
  },
};

export const EXERCISES: readonly Exercise[] = [
  {
    name: "product",
    prompt: "What is 47 times 83? Reply with the number only.",
    right: "3901",
  },
  {
    name: "long_product",
    prompt: "What is 6841 times 397? Reply with the digits only.",
    right: "2715877",
  },
  {
    name: "backwards",
    prompt: "Write the word transmission backwards. Reply with the result only.",
    right: "noissimsnart",
  },
  {
    name: "letters",
    prompt: "How often does the letter r occur in: strawberry and raspberry? Reply with the number only.",
    right: "6",
  },
  {
    name: "sorted",
    prompt:
      "Sort these words alphabetically: pear, fig, quince, apple, mango, date. Reply with them only, separated by commas without spaces.",
    right: "apple,date,fig,mango,pear,quince",
  },
  {
    name: "left_out",
    prompt:
      "Write the whole numbers from 1 to 20 that are no multiples of 3, in order, separated by single spaces. Reply with them only.",
    right: "1 2 4 5 7 8 10 11 13 14 16 17 19 20",
  },
  {
    name: "weekday",
    prompt: "Which day of the week was 29 February 2024? Reply with one English word.",
    right: "thursday",
  },
  {
    name: "order",
    prompt:
      "Anna is taller than Ben. Carl is shorter than Ben. Dora is taller than Anna. Eve is shorter than Carl. Who is the second tallest? Reply with the name only.",
    right: "anna",
  },
  {
    name: "json",
    prompt:
      'Reply with one JSON object and nothing else, without a code block: "count" is the number 3, "primes" is the list of the first four prime numbers, "done" is true.',
    right: JSON.stringify(PRIMES),
    isRight: ({ text }) => isEqual(readJson(text.trim()), PRIMES),
  },
  {
    name: "long_context",
    prompt: `${Array.from({ length: BOXES }, (_, box) => `Box ${box} holds ${codeOf(box)}.`).join(" ")} Which number does box ${SOUGHT} hold? Reply with the number only.`,
    right: String(codeOf(SOUGHT)),
  },
  {
    name: "tool_call",
    prompt: "Set an alarm for a quarter to seven on Friday morning.",
    tool: SET_ALARM,
    right: { hour: 6, minute: 45, day: "fri" },
  },
  {
    // What the gateway adds to the prompt counts, too. The form of a chat is a few tokens.
    name: "usage",
    prompt: `${`${COUNTED.join(" ")}\n`.repeat(COUNTED_LINES)}Reply with the word ok.`,
    right: "ok",
    isRight: ({ inputTokens }) =>
      inputTokens !== null && inputTokens >= COUNTED_TOKENS && inputTokens <= COUNTED_TOKENS * 1.5,
  },
];

/** Members of the body of a chat. */
export function bodyOfExercise({ prompt, tool }: Exercise): JsonObject {
  const messages = [{ role: "user", content: prompt }];
  return tool === undefined ? { messages } : { messages, tools: [{ type: "function", function: tool }] };
}

/** In characters, as JSON. */
export function longestExercise(names: readonly string[]): number {
  const asked = EXERCISES.filter(({ name }) => names.includes(name));
  return Math.max(0, ...asked.map((exercise) => JSON.stringify(bodyOfExercise(exercise)).length));
}

/** @param json the body of a good answer. */
export function isRightAnswer(exercise: Exercise, json: unknown, inputTokens: number | null): boolean {
  const [choice] = objectsOf(asObject(json)?.["choices"]);
  const message = asObject(choice?.["message"]);
  const text = asText(message?.["content"]) ?? "";
  const { right, tool, isRight } = exercise;
  if (isRight !== undefined) return isRight({ text, inputTokens });
  if (typeof right === "string") return plain(text) === right;
  const [call] = objectsOf(message?.["tool_calls"]);
  const called = asObject(call?.["function"]);
  return called?.["name"] === tool?.name && isEqual(readJson(asText(called?.["arguments"]) ?? ""), right);
}

/** Quotes, emphasis, a final period and capitals do not make an answer wrong. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/^[*"'`]+|[*"'`.]+$/g, "")
    .toLowerCase();
}
