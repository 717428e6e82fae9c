/**
 * The rules for paths below a gateway's base address, as a person writes them, and the filling in of their places. Pure.
 * Spec 9: the prefix `/v1` is in a URL at most once; base addresses have none.
 */
import type { FieldFault } from "./fields.ts";

const MAX_PATH_LENGTH = 500;

/** @param places what may stand in braces: `model`, `id`. An `id` must be there where it may. */
export function pathFaults(value: unknown, places: readonly string[]): readonly FieldFault[] {
  const mend = `write a path like ${places.includes("id") ? "/v1/videos/{id}" : "/v1/chat/completions"}`;
  const told = (problem: string, its: string = mend): FieldFault => ({ path: [], problem, mend: its });
  if (value === undefined) return [told("is missing")];
  if (typeof value !== "string") return [told("is not text")];
  if (value.length > MAX_PATH_LENGTH) return [told("is too long", "write at most 500 characters")];
  const [path = ""] = value.split(/[?#]/, 1);
  const segments = path.split("/");
  const named = [...value.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  const braces = value.replaceAll(/\{[^{}]*\}/g, "");
  return [
    ...(value.startsWith("/") ? [] : [told("does not begin with a slash")]),
    ...(/^[\u0021-\u007e]*$/.test(value) && !value.includes("\\") ? [] : [told(...CHARACTERS)]),
    ...(path.includes("//") ? [told("holds //", "write one slash")] : []),
    ...(value.includes("#") ? [told("carries a fragment", "remove the # and all that follows")] : []),
    ...(segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) ? [told(...DOTS)] : []),
    ...(segments.filter((segment) => segment === "v1").length > 1 ? [told(...TWICE)] : []),
    ...(/[{}]/.test(braces) || named.some((name) => !places.includes(name))
      ? [told("has braces that mean nothing here", placesMend(places))]
      : []),
    ...(places.includes("id") && !named.includes("id") ? [told(...NO_ID)] : []),
  ];
}

const CHARACTERS = [
  "holds a space, a backslash or what is not ASCII",
  "write such characters percent-encoded",
] as const;
const DOTS = ["has a segment of dots", "write the path that it leads to"] as const;
const TWICE = ["carries /v1 twice", "write /v1 once"] as const;
const NO_ID = ["does not say where the task's id stands", "write {id} there, like /v1/videos/{id}"] as const;

function placesMend(places: readonly string[]): string {
  if (places.length === 0) return "write what stands there";
  return `write what stands there; known here: ${places.map((name) => `{${name}}`).join(", ")}`;
}

/** `{model}` percent-encoded. */
export function withModel(path: string, model: string | null): string {
  return model === null ? path : path.replaceAll("{model}", () => encodeURIComponent(model.toWellFormed()));
}
