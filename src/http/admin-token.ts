/**
 * Is a request the administrator's?
 */
import { SHORTEST_TOKEN } from "../config/secret-forms.ts";
import { bearerOf, isEqual } from "./token.ts";

export type Bearer = "none" | "right" | "wrong";

/** The token, without the white space that a shell left around it; null: nobody administers. */
export function fitToken(adminToken: string | null): string | null {
  const token = adminToken?.trim() ?? "";
  return token.length >= SHORTEST_TOKEN ? token : null;
}

/** Where no fit token is set, and for schemes other than Bearer, nobody is asked: `none`. */
export async function judgeBearer(
  authorization: string | null | undefined,
  adminToken: string | null,
): Promise<Bearer> {
  const token = fitToken(adminToken);
  const given = bearerOf(authorization);
  if (token === null || given === undefined) return "none";
  return (await isEqual(given, token)) ? "right" : "wrong";
}
