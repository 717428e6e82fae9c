/** A client of the simulated service that reads an answer whole. */

export interface ServiceRequest {
  /** Null: without a key. */
  readonly key?: string | null;
  /** As it is where it is a string, else as JSON; POST where there is one, else GET. */
  readonly body?: unknown;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed where the answer says that it is JSON, else null. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** A chat that is well. */
export const CHAT = { model: "sim-chat-small", messages: [{ role: "user", content: "ping" }] };

export async function askService(url: string, request: ServiceRequest = {}): Promise<ServiceAnswer> {
  const { key = "sim-key-good", body } = request;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: text }),
  });
  const { status, headers } = answer;
  const read = await answer.text();
  const isJson = headers.get("content-type")?.includes("json") ?? false;
  return { status, headers, text: read, json: isJson ? JSON.parse(read) : null };
}
