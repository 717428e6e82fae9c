/** A receiver of alerts that really listens on this machine, for one test. */
import type { IncomingMessage, RequestListener } from "node:http";
import { postedIn } from "../fixtures/outbox.ts";
import { serveHttp } from "../probe/small-server.ts";

export interface Arrival {
  readonly ids: readonly string[];
  readonly headers: IncomingMessage["headers"];
}

/** Notes what arrives before it answers. */
export async function serveReceiver(answer: RequestListener): Promise<{ url: string; arrivals: Arrival[] }> {
  const arrivals: Arrival[] = [];
  const url = await serveHttp((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += String(piece);
    });
    request.on("end", () => {
      arrivals.push({ ids: postedIn(body).events.map(({ id }) => id), headers: request.headers });
      answer(request, response);
    });
  });
  return { url, arrivals };
}
