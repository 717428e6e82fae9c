/** Error bodies in the two styles of the model API (spec 2.1, 2.2) and the console's envelope (spec 2.3). Pure. */
import type { Refusal } from "./keys.ts";
import { anonymous, json, type Reply } from "./wire.ts";

type Headers = Readonly<Record<string, string>>;

export function chatError(
  status: number,
  type: string,
  code: string | null,
  message: string,
  headers: Headers = {},
): Reply {
  return json(status, { error: { message, type, ...(code === null ? {} : { code }) } }, headers);
}

/** Messages handlers promise no request id, so it bears none, in the header either. */
export function messagesError(status: number, type: string, message: string, headers: Headers = {}): Reply {
  return anonymous(json(status, { type: "error", error: { type, message } }, headers));
}

export function refusalReply(refusal: Refusal, isMessages: boolean): Reply {
  const { status, type, code, message } = refusal;
  return isMessages ? messagesError(status, type, message) : chatError(status, type, code, message);
}

export function envelope(code: number | string, message: string, data?: unknown, status = 200): Reply {
  return json(status, { code, message, ...(data === undefined ? {} : { data }) });
}
