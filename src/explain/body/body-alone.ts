/** A body without its status line: JSON, the transcript of a stream, a task's record, a page, words. Pure; linear. */
import { judgeAnswer } from "../../protocol/diagnose.ts";
import { asObject, jsonInString, mayBeJson, readBody } from "../../protocol/json.ts";
import type { Kind } from "../../protocol/observation.ts";
import { readAnswer } from "../../protocol/reading.ts";
import { readTask } from "../../protocol/task-state.ts";
import { bareBody } from "./body-end.ts";
import { repairedFailure } from "./cut-json.ts";
import { guessKind, isLinesOfEvents, isLinesOfJson } from "./kind-guess.ts";
import { readLedJson } from "./led-json.ts";
import type { Form, Note, Pasted } from "../pasted.ts";
import { statusInJson, statusInText } from "./told-status.ts";

export function readBodyAlone(text: string, kind: Kind | null): Pasted {
  if (isLinesOfEvents(text)) return pastedOf({ form: "event_stream", body: text, kind });
  if (isLinesOfJson(text)) {
    return pastedOf({ form: "event_stream", body: text, kind, detail: "one object a line" });
  }
  const bare = unquoted(bareBody(text));
  const read = readBody(bare);
  if (read.form === "json") return readJson(bare, read.json, kind);
  const led = readLedJson(bare);
  if (led !== null) return readJson(led.body, led.json, kind, false, led.status);
  if (!/^\s*[{["]/.test(bare))
    return pastedOf({ form: "text", body: bare, kind, status: statusInText(bare) });
  const repaired = repairedFailure(bare);
  if (repaired === null) return pastedOf({ form: "json", body: bare, kind, isCut: true });
  const whole = readBody(repaired);
  const pasted = readJson(repaired, whole.form === "json" ? whole.json : null, kind, true);
  return isGood(pasted)
    ? pastedOf({ form: "json", body: bare, kind, isCut: true })
    : { ...pasted, form: "json" };
}

/** What a gateway writes for success is in the half that is there. */
function isGood({ observation }: Pasted): boolean {
  if (observation.type !== "answer") return false;
  const { cause } = judgeAnswer(observation, readAnswer(observation));
  return cause === "ok" || cause === "task_pending";
}

function readJson(
  body: string,
  json: unknown,
  kind: Kind | null,
  isCut = false,
  status: number | null = null,
): Pasted {
  if (asObject(json) === null && !Array.isArray(json)) return pastedOf({ form: "text", body, kind });
  const told = kind ?? guessKind(null, {}, body);
  const isTask = told === "task" && readTask(json).phase !== null;
  return pastedOf({
    form: isTask ? "task" : "json",
    body,
    kind,
    status: status ?? statusInJson(json),
    isCut,
  });
}

interface Found {
  readonly form: Form;
  readonly body: string;
  readonly kind: Kind | null;
  readonly detail?: string;
  /** What the body says of itself. */
  readonly status?: number | null;
  readonly isCut?: boolean;
}

function pastedOf({ form, body, kind, detail, status, isCut }: Found): Pasted {
  const notes: Note[] = ["status_unknown"];
  if (kind === null) notes.push("kind_guessed");
  if (isCut === true) notes.push("body_cut");
  return {
    form,
    detail: detail ?? null,
    observation: {
      type: "answer",
      kind: kind ?? guessKind(null, {}, body),
      status: status ?? 200,
      headers: {},
      body,
      bodyEnd: "complete",
    },
    request: null,
    notes,
  };
}

/** JSON that was printed as a string. */
function unquoted(text: string): string {
  if (!/^\s*"/.test(text) || text.length > MAX_QUOTED) return text;
  const read = readBody(text);
  const inner = read.form === "json" && typeof read.json === "string" ? read.json : null;
  return inner !== null && mayBeJson(inner) && jsonInString(inner) !== null ? inner : text;
}

const MAX_QUOTED = 65_536;
