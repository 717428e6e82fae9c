/** JSON behind what a program printed before it: `200 {…}`, `$ cat answer.json`, `<Response [429]>`, `Response body: {…}`. Pure; linear. */
import { readBody } from "../../protocol/json.ts";

export interface LedJson {
  readonly body: string;
  readonly json: unknown;
  /** Null: the words before it name none. */
  readonly status: number | null;
}

/** Null: other words stand before it, which may say more than it does; or it is not whole. */
export function readLedJson(text: string): LedJson | null {
  const lead = LEAD.exec(text.slice(0, 500))?.[0] ?? "";
  if (lead === "") return null;
  const body = text.slice(lead.length);
  const read = readBody(body);
  if (read.form !== "json") return null;
  const status = /(?<!\d)[1-5]\d\d(?!\d)/.exec(lead)?.[0];
  return { body, json: read.json, status: status === undefined ? null : Number(status) };
}

/** The names that programs give to an answer and its status, behind a command; nothing else. */
const LEAD =
  /^\s{0,20}(?:\$ [^\n]{1,200}\n)?(?:(?:(?:http|api|raw|full|the|got)\s)?(?:(?:response|answer|result|output|body|text|json|返回|响应|结果)[ \t]{0,4}[:：=]?|status(?:[ _]?code)?[ \t]{0,4}[:：=]?|<Response \[[1-5]\d\d\]>|(?:HTTP )?[1-5]\d\d(?: OK)?[,;:]?)\s{1,20}){0,5}(?=[{[])/i;
