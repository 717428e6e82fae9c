/** JSON with `status`, `headers` and `body`, as a program saves an answer. Pure. */
import * as z from "zod/mini";
import { type Kind, KINDS } from "../protocol/observation.ts";
import type { Pasted } from "./pasted.ts";

/** The answer of a gateway, as a program hands it over. */
export const savedAnswerSchema = z.object({
  status: z.int().check(z.gte(100), z.lte(999)),
  headers: z._default(z.record(z.string(), z.union([z.string(), z.array(z.string())])), {}),
  body: z._default(z.string(), ""),
  kind: z.optional(z.enum(KINDS)),
});
type SavedAnswer = z.infer<typeof savedAnswerSchema>;

export function readSavedAnswer(text: string, kind: Kind | null): Pasted | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const read = savedAnswerSchema.safeParse(JSON.parse(text));
    return read.success ? pastedAnswer(read.data, kind) : null;
  } catch {
    return null;
  }
}

/** `kind` wins over the answer's own. */
export function pastedAnswer(saved: SavedAnswer, kind: Kind | null): Pasted {
  const told = kind ?? saved.kind ?? null;
  return {
    form: "answer",
    detail: null,
    observation: {
      type: "answer",
      kind: told ?? "console",
      status: saved.status,
      headers: Object.fromEntries(
        Object.entries(saved.headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(", ")]),
      ),
      body: saved.body,
      bodyEnd: "complete",
    },
    request: null,
    notes: told === null ? ["kind_guessed"] : [],
  };
}
