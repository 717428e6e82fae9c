/** A server for one test: it plays one handler on a free port of 127.0.0.1 and ends with the test. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The base URL of an HTTP server. */
export async function serveHttp(handler: RequestListener): Promise<string> {
  return listen(createServer(handler));
}

/** The base URL of a server that speaks whatever the handler writes. */
export async function serveTcp(handler: (socket: Socket) => void): Promise<string> {
  return listen(createTcpServer(handler));
}

/** A base URL at which nobody listens any more. */
export async function refusingUrl(host = "127.0.0.1"): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const url = urlOf(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return urlOf(server);
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}

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
