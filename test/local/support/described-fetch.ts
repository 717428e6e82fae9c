/** Asks the product over a real socket; what it answers must be as the API's description says. */
import { mustBeDescribed } from "../../openapi/description.ts";

/** @throws (rejects) as `fetch` does, and with every fault of the answer. */
export async function fetchDescribed(address: string | URL, init: RequestInit = {}): Promise<Response> {
  // A connection that is kept may be closed just as it is used again.
  const sent = new Headers(init.headers);
  sent.set("connection", "close");
  const answer = await fetch(address, { ...init, headers: sent });
  const { status, headers } = answer;
  const { pathname, search } = new URL(address);
  const text = await answer.clone().text();
  mustBeDescribed({ method: init.method ?? "GET", path: pathname + search }, { status, headers, text });
  return answer;
}
