import { describe, expect, test } from "vitest";
import { bodyOfExercise, type Exercise, EXERCISES, isRightAnswer } from "../../src/protocol/audit.ts";

const named = (name: string): Exercise => {
  const found = EXERCISES.find((of) => of.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

/** A chat completion with this message. */
const answer = (message: object) => ({ choices: [{ index: 0, message, finish_reason: "stop" }] });

function answered({ right, tool }: Exercise): object {
  const words = typeof right === "string" ? right : JSON.stringify(right);
  if (tool === undefined) return answer({ content: words });
  const call = { name: tool.name, arguments: words };
  return answer({ content: null, tool_calls: [{ id: "1", type: "function", function: call }] });
}

describe.each(EXERCISES.map((exercise) => [exercise.name, exercise] as const))("%s", (_name, exercise) => {
  test("its own right answer is right", () => {
    expect(isRightAnswer(exercise, answered(exercise), 260)).toBe(true);
  });

  test("the answers of all others are wrong, and so is none", () => {
    const others = EXERCISES.filter((other) => other !== exercise).map(answered);
    const wrong = [...others, answer({ content: "" }), answer({ content: null }), {}, null, []];
    expect(wrong.filter((json) => isRightAnswer(exercise, json, null))).toEqual([]);
  });
});

test.each([
  ["product", "3901", true],
  ["product", " **3901.**\n", true],
  ["product", "The product is 3901.", false],
  ["weekday", "Thursday", true],
  ["order", '"Anna"', true],
  ["json", '{ "done": true, "primes": [2, 3, 5, 7], "count": 3 }\n', true],
  ["json", '```json\n{"count":3,"primes":[2,3,5,7],"done":true}\n```', false],
  ["json", '{"count":3,"primes":[2,3,5,7],"done":true,"more":1}', false],
])("%s: %j is right: %s", (name, content, isRight) => {
  expect(isRightAnswer(named(name), answer({ content }), null)).toBe(isRight);
});

test("the right answer in a huge text is wrong, and is judged at once", () => {
  const content = `${".".repeat(200_000)}3901`;
  expect(isRightAnswer(named("product"), answer({ content }), null)).toBe(false);
});

test.each([
  [null, false],
  [239, false],
  [240, true],
  [270, true],
  [361, false],
])("%s input tokens of a prompt with 240 words are believed: %s", (tokens, isRight) => {
  expect(isRightAnswer(named("usage"), answer({ content: "ok" }), tokens)).toBe(isRight);
});

test("a tool that is called with other arguments is wrong", () => {
  const call = (name: string, args: string) =>
    answer({ tool_calls: [{ function: { name, arguments: args } }] });
  const exercise = named("tool_call");
  const wrong = [
    call("set_alarm", '{"hour":7,"minute":45,"day":"fri"}'),
    call("set_alarm", '{"hour":6'),
    call("alarm", '{"hour":6,"minute":45,"day":"fri"}'),
  ];
  expect(wrong.filter((json) => isRightAnswer(exercise, json, null))).toEqual([]);
  expect(bodyOfExercise(exercise)).toMatchObject({ tools: [{ function: { name: "set_alarm" } }] });
});
