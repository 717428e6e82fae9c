/** Calls of the client against a simulated gateway, and what became of them. */
import { beforeEach } from "vitest";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { createFetch, type FetchOptions, GatewayError } from "../../../src/library/fetch/index.ts";

/** No word of any dictionary, and no shape that is known. */
export const KEY = "Zx81kPq0Lm44vTnB7Yc2";

export const HEADERS = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };

export const CHAT = JSON.stringify({
  model: "sim-chat-small",
  messages: [{ role: "user", content: "ping" }],
});

export const STREAMED_CHAT = JSON.stringify({ ...JSON.parse(CHAT), stream: true });

export const STREAMED_MESSAGE = JSON.stringify({ ...JSON.parse(CHAT), max_tokens: 9, stream: true });

/** Where a stream of text is asked for. */
export const TEXT_PATHS = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  gemini: "/v1beta/models/sim-chat-small:streamGenerateContent?alt=sse",
} as const;

export function post(body = CHAT, more: RequestInit = {}): RequestInit {
  return { method: "POST", headers: HEADERS, body, ...more };
}

/** Chance always says 0: no wait is longer than it must be. */
export function client(options: FetchOptions = {}) {
  const clock = jumpingClock();
  return { clock, fetch: createFetch({ clock, random: () => 0, ...options }) };
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof GatewayError) return error;
  throw error;
}

/** The simulated gateway, one for all tests of a file, and what it has seen in a test. */
export async function gatewayOfFile() {
  const simulator = await simulatorOfFile();
  beforeEach(() => simulator.clear());
  return {
    simulator,
    models: (scenario: string) => `${simulator.baseUrl(scenario)}/v1/models`,
    chat: (scenario: string) => `${simulator.baseUrl(scenario)}/v1/chat/completions`,
    seen: () => simulator.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

/** What happened to a body, and what its reader got. */
export async function readAll(
  response: Response,
): Promise<{ readonly text: string; readonly error: unknown }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

/** However long it takes; the limit of a test ends one that hangs. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

/** Time that jumps over every wait, so that real sockets can be asked in between; limits end only when told to. */
function jumpingClock() {
  let nowMs = Date.UTC(2026, 10, 20);
  const waits: number[] = [];
  const limits: number[] = [];
  const pending = new Set<() => void>();
  return {
    waits,
    limits,
    endLimits: (): void => {
      for (const end of pending) end();
    },
    now: () => nowMs,
    sleep: async (ms: number): Promise<void> => {
      waits.push(ms);
      nowMs += ms;
    },
    timeout: (ms: number, onTimeout: () => void) => {
      limits.push(ms);
      pending.add(onTimeout);
      return () => void pending.delete(onTimeout);
    },
  };
}
