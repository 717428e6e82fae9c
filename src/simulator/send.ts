/** Puts a wire value onto the socket: what is written, when, and how the connection ends. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step, Wire } from "./wire.ts";

/** Resolves when the answer is on its way, or when the connection was lost; `gone` aborts with the connection. */
export async function send(
  wire: Wire,
  requestId: string,
  response: ServerResponse,
  socket: Socket,
  gone: AbortSignal,
): Promise<void> {
  if (gone.aborted) return;
  if (wire.type === "raw") {
    await take(wire.steps, socket, socket, gone);
    return;
  }
  const headers = wire.anonymous ? wire.headers : { "x-request-id": requestId, ...wire.headers };
  if (wire.type === "reply") {
    const hasBody = wire.status !== 204 && wire.status !== 304;
    const length = { "content-length": String(Buffer.byteLength(wire.body)) };
    response.writeHead(wire.status, hasBody ? { ...length, ...headers } : headers);
    response.end(hasBody ? wire.body : undefined);
    return;
  }
  response.writeHead(wire.status, headers);
  response.flushHeaders();
  await take(wire.steps, response, socket, gone);
}

async function take(steps: Iterable<Step>, sink: Writable, socket: Socket, gone: AbortSignal): Promise<void> {
  for (const step of steps) {
    switch (step.do) {
      case "write":
        if (!sink.write(step.bytes)) await once(sink, "drain", { signal: gone });
        break;
      case "wait":
        await sleep(step.ms, undefined, { signal: gone });
        break;
      case "reset":
        socket.resetAndDestroy();
        return;
      case "close":
        socket.destroySoon();
        return;
      case "hang":
        return;
    }
  }
  sink.end();
}
