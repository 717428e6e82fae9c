/** A server that answers in turn and remembers what it was asked. */
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { serveHttp } from "./small-server.ts";

/** Answers one after another, the last one again and again; counts the requests. */
export async function serveInTurn(...answers: readonly RequestListener[]) {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const url = await serveHttp((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push({ method, url: path, headers, body });
      answer?.(request, response);
    });
  });
  return { url, seen };
}

export function status(code: number, body = "{}", headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => void response.writeHead(code, headers).end(body);
}

export const RESET: RequestListener = (request) => void request.socket.resetAndDestroy();
