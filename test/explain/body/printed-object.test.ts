/** Good answers as programs print them: what they quote is not what happened. */
import { describe, expect, test } from "vitest";
import { explained } from "../pasted-text.ts";

const QUOTED = "openai.RateLimitError: Error code: 429 - {}";

describe("a good answer stays one", () => {
  test.each([
    [
      "as Python prints a dict",
      `{'id': 'c1', 'choices': [{'message': {'role': 'assistant', 'content': '${QUOTED}'}, 'finish_reason': 'stop'}], 'usage': None}`,
    ],
    [
      "as Python prints the client's object",
      `ChatCompletion(id='c1', choices=[Choice(finish_reason='stop', index=0, message=ChatCompletionMessage(content='${QUOTED}', role='assistant'))], usage=None)`,
    ],
    [
      "as Node prints an object",
      `{\n  id: 'c1',\n  choices: [\n    {\n      index: 0,\n      message: { role: 'assistant', content: '${QUOTED}' },\n      finish_reason: 'stop'\n    }\n  ]\n}\n`,
    ],
  ])("%s", (_, text) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ form: "json", kind: "chat", notes: ["status_unknown", "kind_guessed"] });
    expect(diagnosis).toMatchObject({ cause: "ok", httpStatus: null });
  });
});

test.each([
  ["an object with an error", "{'choices': [], 'error': {'message': 'a', 'code': 'insufficient_balance'}}"],
  ["a client's error", "RateLimitError(\"Error code: 429 - {'error': {'message': 'slow'}, 'choices': []}\")"],
  ["an object that is cut off", "{'id': 'c1', 'choices': [{'message': {'role': 'assistant', 'content': 'a'}"],
  ["JSON with a word behind it", '{"data": []} Warning'],
  [
    "a client's error's members",
    "{\n  status: 401,\n  headers: {},\n  error: { message: 'a' },\n  data: {}\n}",
  ],
])("%s is no success", (_, text) => expect(explained(text).diagnosis.ok).toBe(false));
