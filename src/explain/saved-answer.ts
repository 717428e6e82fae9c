/** JSON with `status`, `headers` and `body`, as a program saves an answer, and as logs of axios, got and others print it. Pure. */
import * as z from "zod/mini";
import { type JsonObject, asObject } from "../protocol/json.ts";
import { KINDS, type Kind } from "../protocol/observation.ts";
import { answerOf, notesOfBody, printed } from "./exchange.ts";
import { headersOf } from "./headers.ts";
import { guessKind, kindNotes } from "./kind-guess.ts";
import type { Pasted } from "./pasted.ts";
import { STATUS_KEYS } from "./told-status.ts";

/** The answer of a gateway, as a program hands it over. */
export const savedAnswerSchema = z.lazy(() =>
  z.object({
    status: z.int().check(z.gte(100), z.lte(999)),
    headers: z._default(z.record(z.string(), z.union([z.string(), z.array(z.string())])), {}),
    body: z._default(z.string(), ""),
    kind: z.optional(z.enum(KINDS)),
  }),
);
type SavedAnswer = z.infer<typeof savedAnswerSchema>;

/** `kind` wins over the answer's own. */
export function pastedAnswer(saved: SavedAnswer, kind: Kind | null): Pasted {
  return pastedOf({ ...saved, kind: saved.kind ?? null, isBodyThere: true }, kind);
}

/** The same of parsed JSON, in other names too; null: it is no answer, or a body that merely has a status of its own. */
export function readSavedAnswer(json: unknown, kind: Kind | null): Pasted | null {
  const object = asObject(json);
  if (object === null) return null;
  const holder = asObject(object["response"]) ?? asObject(asObject(object["error"])?.["response"]);
  const found = (holder === null ? null : foundIn(holder)) ?? foundIn(object);
  return found === null ? null : pastedOf(found, kind);
}

interface Found {
  readonly status: number;
  readonly headers: unknown;
  readonly body: string;
  readonly kind: Kind | null;
  readonly isBodyThere: boolean;
}

function pastedOf(found: Found, kind: Kind | null): Pasted {
  const { status, body } = found;
  const told = kind ?? found.kind;
  const headers = headersOf(found.headers) ?? {};
  const guessed = told ?? guessKind(null, headers, body);
  const observation = answerOf(guessed, status, headers, body);
  return {
    form: "answer",
    detail: null,
    observation,
    request: null,
    notes: [...kindNotes(told, null), ...notesOfBody(observation, !found.isBodyThere)],
  };
}

const BODY_KEYS = ["body", "data", "text"];

/** Headers beside a status, or a body, make an answer of it; else a body has a status of its own. */
function foundIn(holder: JsonObject): Found | null {
  const status = statusOf(holder);
  if (status === null) return null;
  const headers = holder["headers"];
  const hasHeaders = headersOf(headers) !== null;
  const isBare = Object.keys(holder).every((key) => key === "kind" || STATUS_KEYS.includes(key));
  if (!hasHeaders && holder["body"] === undefined && !isBare) return null;
  const key = BODY_KEYS.find((name) => holder[name] !== undefined);
  const value = key === undefined ? undefined : holder[key];
  const kind = KINDS.find((name) => name === holder["kind"]) ?? null;
  return { status, headers, body: bodyOf(value), kind, isBodyThere: key !== undefined };
}

function statusOf(holder: JsonObject): number | null {
  for (const key of STATUS_KEYS) {
    const value = holder[key];
    const status = typeof value === "string" && /^\s*\d{3}\s*$/.test(value) ? Number(value) : value;
    if (typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 999)
      return status;
  }
  return null;
}

function bodyOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : printed(value);
}
