/** The request that a client's error is about, as far as its text and the log around it tell. Pure. */
import type { Kind } from "../../protocol/observation.ts";
import { kindOfPath } from "../body/kind-guess.ts";

export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  /** Null: the line tells none. */
  readonly status: number | null;
}

/** The last one that the text names: `HTTP Request: POST https://… "HTTP/1.1 429 Too Many Requests"`, `for url: https://…`. */
export function readLoggedRequest(text: string): LoggedRequest | null {
  const logged = text.matchAll(
    /HTTP Request: ([A-Z]{3,10}) (\S{1,2000})(?: "(?:HTTP\/[\d.]{1,3} )?(\d{3}) )?/g,
  );
  let last: LoggedRequest | null = null;
  for (const [, method = "", url = "", status] of logged) {
    last = { method, url, status: status === undefined ? null : Number(status) };
  }
  if (last !== null) return last;
  const [, verb = "", asked] = /\b([A-Z]{3,7}) "(https?:\/\/[^"\s]{1,2000})": [45]\d\d /.exec(text) ?? [];
  if (asked !== undefined) return { method: verb, url: asked, status: null };
  const posted = /\burl: '(https?:\/\/[^'\s]{1,2000})',\s{1,40}requestBodyValues:/.exec(text)?.[1];
  if (posted !== undefined) return { method: "POST", url: posted, status: null };
  const told = /\bfor url:? '?(https?:\/\/[^\s'"]{1,2000})/.exec(text)?.[1];
  return told === undefined ? null : { method: "", url: told, status: null };
}

/** By the path, or by the call in the stack; null: neither is there. */
export function kindOfCall(text: string, url: string | null): Kind | null {
  const path = url === null ? null : kindOfPath(url);
  return path ?? CALLS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

const CALLS: readonly (readonly [Kind, RegExp])[] = [
  ["chat", /\bcompletions\.(?:create|parse|stream)\b|\bresponses\.create\b|resources\/chat\b/],
  ["messages", /\bmessages\.(?:create|stream)\b|resources\/messages\b/],
  ["embeddings", /\bembeddings\.create\b/],
  ["image", /\bimages\.(?:generate|edit)\b/],
  ["models", /\bmodels\.list\b/],
];

/** An id that stands beside the error and not in its body: `request_id='req_…'`, `Request ID: req_…`. */
export function requestIdBeside(text: string): string | null {
  return (
    /\b(?:x-)?request[-_ ]?id['"]?\s{0,3}[:=]\s{0,3}['"]?([A-Za-z0-9][\w.:-]{5,99})/i.exec(text)?.[1] ?? null
  );
}
