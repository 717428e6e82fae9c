/**
 * What a newer version published, in the words that this one knows: of a word that it does not know it can tell nothing, and
 * claims nothing. Pure.
 */
import { SKIP_REASONS } from "../domain/canary.ts";
import { CAUSES, HEALTHS, LAYERS, OWNERS } from "../protocol/diagnosis.ts";

type Json = Readonly<Record<string, unknown>>;

/** @param text JSON of documents, as the snapshot has them. */
export function parseInKnownWords(text: string): unknown {
  return JSON.parse(text, known) as unknown;
}

/** Members come before what they are members of. */
function known(name: string, value: unknown): unknown {
  switch (name) {
    case "status":
    case "lastStatus":
    case "health":
      return knownHealth(value);
    case "worst":
      return Array.isArray(value) ? value.map(knownHealth) : value;
    case "cause":
      return isOf(CAUSES, value) ? value : null;
    case "owner":
      return isOf(OWNERS, value) ? value : null;
    case "diagnosis":
      return isKnownDiagnosis(value) ? value : null;
    case "skipped":
      return isOf(SKIP_REASONS, asObject(value)["reason"]) ? value : null;
    case "causes":
      return Array.isArray(value) ? value.filter((of: unknown) => isOf(CAUSES, causeOfStep(of))) : value;
    case "reports":
    case "fullReports":
      return Array.isArray(value) ? value.filter((report) => asObject(report)["cause"] !== null) : value;
    default:
      return value;
  }
}

/** The column of a course has the same name, and no letters. */
function knownHealth(value: unknown): unknown {
  const isWord = typeof value === "string" && /^[a-z]/u.test(value);
  return isWord && !isOf(HEALTHS, value) ? "unknown" : value;
}

function isKnownDiagnosis(value: unknown): boolean {
  const { cause, owner, layer } = asObject(value);
  return isOf(CAUSES, cause) && isOf(OWNERS, owner) && (layer === null || isOf(LAYERS, layer));
}

function causeOfStep(step: unknown): unknown {
  return Array.isArray(step) ? step[1] : null;
}

function isOf(words: readonly string[], value: unknown): boolean {
  return typeof value === "string" && words.includes(value);
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
