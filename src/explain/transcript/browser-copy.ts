/** What is copied from the network panel of a browser: `Request URL`, `Status Code`, headers, and perhaps the body. Pure; linear. */
import { pairsOfLines } from "./headers.ts";
import type { Response } from "./http-responses.ts";
import type { PastedRequest } from "../pasted.ts";

export interface BrowserCopy {
  readonly response: Response;
  readonly request: PastedRequest;
}

const MAX_LEAD = 16_384;

/** Null: the text does not name both an address and a status as browsers do. */
export function readBrowserCopy(text: string): BrowserCopy | null {
  const lead = text.slice(0, MAX_LEAD);
  const url = valueOf(lead, "Request URL");
  const status = /^\d{3}/.exec(valueOf(lead, "Status Code") ?? "")?.[0];
  if (url === null || status === undefined || status.startsWith("0")) return null;
  const start = /^[ \t]{0,8}[{[<]/m.exec(lead)?.index ?? text.length;
  const body = text.slice(start);
  const headers = pairsOfLines(text.slice(0, Math.min(start, MAX_LEAD)).split(/\r\n?|\n/));
  const client = headers.findLast(([name]) => name.toLowerCase() === "user-agent")?.[1] ?? null;
  return {
    response: { version: null, status: Number(status), headers, body },
    request: {
      method: /^[A-Z]{3,10}$/.exec(valueOf(lead, "Request Method") ?? "GET")?.[0] ?? "GET",
      url,
      model: null,
      streaming: false,
      sentAtMs: null,
      client,
    },
  };
}

/** The value stands behind the name, or on a line of its own. */
function valueOf(lead: string, name: string): string | null {
  return (
    new RegExp(`^${name}:?[ \\t]*(?:\\r?\\n)?[ \\t]*(\\S[^\\r\\n]*)`, "im").exec(lead)?.[1]?.trim() ?? null
  );
}
