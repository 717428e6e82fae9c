/** `/api/v1/explain`: says what a pasted answer means. Nothing is stored. */
import type * as z from "zod/mini";
import { objectOnce } from "../domain/schema.ts";
import {
  kindAsked,
  operatorAsked,
  pastedAnswer,
  savedAnswerSchema,
  savedText,
} from "../explain/saved-exchange.ts";
import { explain, explainPasted, type Explanation } from "../explain/explain.ts";
import type { Operator } from "../protocol/diagnosis.ts";
import type { Kind } from "../protocol/observation.ts";
import { redact } from "../protocol/redaction/redact.ts";
import type { ExplanationAnswer } from "./answers.ts";
import type { AppContext, Part } from "./deps.ts";
import {
  badRequest,
  faultsOf,
  HttpProblem,
  jsonOf,
  malformed,
  type Problem,
  problemOf,
  problemWith,
  readBody,
  readForm,
} from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

/** For a pasted text in UTF-8, and for a body of the API. */
const MAX_EXPLAINED_BYTES = 256 * 1024;

/** In a form, the end of a line takes six characters and many bytes take three; field names come in addition. */
const MAX_FORM_BYTES = 6 * MAX_EXPLAINED_BYTES + 4096;

const askedSchema = objectOnce(() => ({ kind: kindAsked(), operator: operatorAsked() }));

export const pastedTextSchema = objectOnce(() => ({
  text: savedText(),
  kind: kindAsked(),
  operator: operatorAsked(),
}));

/** What is known besides the text. `kind`: what was requested. Null: not given. */
interface Asked {
  readonly kind: Kind | null;
  readonly operator: Operator | null;
}

/** Empty: not given. @throws HttpProblem for an unknown word. */
function askedIn(given: Readonly<Record<keyof Asked, string | undefined>>): Asked {
  const words = { kind: given.kind || undefined, operator: given.operator || undefined };
  const { kind = null, operator = null } = parsed(askedSchema(), words);
  return { kind, operator };
}

async function explainBody(context: AppContext): Promise<Explanation> {
  const { req } = context;
  const asked = askedIn({ kind: req.query("kind"), operator: req.query("operator") });
  const type = mediaTypeOf(context);
  if (type !== "text/plain" && type !== "application/json") throw new HttpProblem(OTHER_TYPE);
  const bytes = await readBody(context, MAX_EXPLAINED_BYTES, TOO_LARGE);
  const nowMs = context.env.now();
  if (type === "application/json") return explainJson(jsonOf(bytes), asked, nowMs);
  // Gateways answer in any encoding. Bytes that are not UTF-8 become replacement characters.
  return explainPaste(new TextDecoder().decode(bytes), asked, nowMs);
}

/** Reads the page's form. @throws HttpProblem */
export async function readPaste(context: AppContext) {
  if (mediaTypeOf(context) !== "application/x-www-form-urlencoded")
    throw new HttpProblem(problemOf("media", 415));
  const { text: pasted = "", ...given } = Object.fromEntries(await readForm(context, MAX_FORM_BYTES));
  const asked = askedIn({ kind: given["kind"], operator: given["operator"] });
  // Browsers send the line ends of a text area as CRLF, whatever was pasted.
  const text = pasted.replaceAll("\r\n", "\n");
  const size = new TextEncoder().encode(text).byteLength;
  if (size > MAX_EXPLAINED_BYTES) throw new HttpProblem(TOO_LARGE);
  return { text, asked };
}

/** @throws HttpProblem if only white space was pasted. */
export function explainPaste(text: string, asked: Asked, nowMs: number): Explanation {
  const explanation = explain(text, optionsOf(asked, nowMs));
  if (explanation === null) throw new HttpProblem(BLANK);
  return explanation;
}

/**
 * The redactor does not know the service's own secrets here, on purpose. Anyone can send texts and see what is removed, so they
 * could guess the secrets piece by piece. Secrets are recognized only by their shape.
 */
function optionsOf(asked: Asked, nowMs: number) {
  return { ...asked, nowMs, timeZone: "UTC", redact };
}

function explainJson(value: unknown, asked: Asked, nowMs: number): Explanation {
  const members = Object(value) as Readonly<Record<string, unknown>>;
  const isText = "text" in members;
  if (Array.isArray(value) || isText === "status" in members) throw new HttpProblem(NEITHER);
  if (isText) {
    const { text, kind = asked.kind, operator = asked.operator } = parsed(pastedTextSchema(), value);
    return explainPaste(text, { kind, operator }, nowMs);
  }
  const saved = parsed(savedAnswerSchema(), value);
  const { kind = asked.kind, operator = asked.operator } = saved;
  return explainPasted(pastedAnswer(saved, kind), optionsOf({ kind, operator }, nowMs));
}

/** Without what was sent below a member, such as the name of a header: it may be a secret. @throws HttpProblem */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new HttpProblem(badRequest(faultsOf(read.error, 1)));
}

function mediaTypeOf({ req }: AppContext): string {
  return (req.header("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

const TOO_LARGE = problemOf("large", 413);

const BLANK: Problem = { ...problemOf("blank", 400), errors: [{ detail: "is blank", pointer: "#" }] };

const NEITHER = malformed("Send an object with status, headers and body, or one with text.");

const OTHER_TYPE = problemWith(415, "Send application/json or text/plain, in UTF-8.", {
  headers: { "accept-post": "application/json, text/plain" },
});

export const explainPart: Part = { routes: () => [{ path: "/api/v1/explain", post: explainRoute }] };

async function explainRoute(context: AppContext): Promise<Response> {
  const { diagnosis, report, takenFor } = await explainBody(context);
  const body = JSON.stringify({ diagnosis, report, takenFor } satisfies ExplanationAnswer);
  return respond(context.req.raw, { type: JSON_TYPE, caching: "none", etag: null }, body);
}
