/**
 * The session of an administrator's browser: a signed cookie that no script can read. It is sent only to `/admin`, so public
 * pages and their caches never see it. It is signed with the token, so a new token ends every session. hono/cookie would be a
 * hundredth of the Worker.
 */
import { HOUR_MS } from "../../domain/calendar.ts";
import { sha256Hex } from "../../history/packing.ts";
import { areEqual } from "../auth.ts";
import type { AppContext } from "../deps.ts";

export const DESK_PATH = "/admin";

const SESSION = "gatepulse-session";
const NAME = "gatepulse-name";
const LASTS_MS = 12 * HOUR_MS;
const NAME_LASTS_S = 400 * 86_400;

/**
 * What each form of the session contains (CSRF). It is computed from the cookie, so other sites cannot know it. The login form
 * needs none: who can forge it knows the token. Null: there is no session, it has ended, or its signature is wrong.
 */
export async function formTokenOf(context: AppContext, token: string): Promise<string | null> {
  const signed = cookieOf(context, SESSION);
  const [endMs = "", id = "", signature = ""] = signed.split(".");
  if (!(Number(endMs) > context.env.now())) return null;
  const isSigned = await areEqual(signature, await signatureOf(`${endMs}.${id}`, token));
  return isSigned ? sha256Hex(signed, 32) : null;
}

/** The cookie to set. */
export async function newSession(context: AppContext, token: string): Promise<string> {
  const value = `${context.env.now() + LASTS_MS}.${crypto.randomUUID()}`;
  return cookieWith(context, SESSION, `${value}.${await signatureOf(value, token)}`, LASTS_MS / 1000);
}

export function endedSession(context: AppContext): string {
  return cookieWith(context, SESSION, "", 0);
}

/** The name that the person gave; null: none, or another program wrote the cookie in a form of its own. */
export function nameOf(context: AppContext): string | null {
  try {
    return decodeURIComponent(cookieOf(context, NAME)) || null;
  } catch {
    return null;
  }
}

export function namedCookie(context: AppContext, name: string): string {
  return cookieWith(context, NAME, encodeURIComponent(name.toWellFormed()), NAME_LASTS_S);
}

/** RFC 6265, 4.2.1. Empty: there is none. */
function cookieOf({ req }: AppContext, name: string): string {
  return new RegExp(`(?:^|; )${name}=([^;]*)`, "u").exec(req.header("cookie") ?? "")?.[1] ?? "";
}

/** Lax: a link in an alert opens the page logged in, and no other site can post. */
function cookieWith({ req }: AppContext, name: string, value: string, seconds: number): string {
  const secure = new URL(req.url).protocol === "https:" ? "; Secure" : "";
  return `${name}=${value}; Max-Age=${seconds}; Path=${DESK_PATH}; HttpOnly; SameSite=Lax${secure}`;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

async function signatureOf(value: string, token: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(token), HMAC, false, ["sign"]);
  return sha256Hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(value))), 32);
}
