/** A client that sends a large body, and then asks again on the same connection. */
import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

const PIECE = Buffer.alloc(64 * 1024, "a");

export interface Sending {
  /** Of 64 KiB. Default 48. */
  readonly pieces?: number;
  /** Before each piece. Default 0. */
  readonly pauseMs?: number;
  /** Default: without a length. */
  readonly hasLength?: boolean;
  readonly waitsForContinue?: boolean;
}

async function answerTo(asked: ClientRequest): Promise<{ readonly status: number; readonly text: string }> {
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const text = (await answer.setEncoding("utf8").toArray()).join("");
  return { status: answer.statusCode ?? 0, text };
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is asked for next. */
  readonly next: string;
}

/** The answer to the large body; `after` is the status of the next one (null: it needed another connection). */
export async function sendLarge(address: string, { path, headers, next }: Asked, how: Sending = {}) {
  const { pieces = 48, pauseMs = 0, hasLength = false, waitsForContinue = false } = how;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const asked = request(`${address}${path}`, {
    agent,
    method: "POST",
    headers: {
      ...headers,
      ...(hasLength && { "content-length": String(pieces * PIECE.length) }),
      ...(waitsForContinue && { expect: "100-continue" }),
    },
  });
  const answered = answerTo(asked);
  if (waitsForContinue) await once(asked, "continue");
  for (let count = 0; count < pieces; count += 1) {
    if (pauseMs > 0) await pause(pauseMs);
    if (!asked.write(PIECE)) await once(asked, "drain");
  }
  asked.end();
  const { status, text } = await answered;
  const second = request(`${address}${next}`, { agent }).end();
  const after = await answerTo(second);
  return { status, text, after: second.reusedSocket ? after.status : null };
}
