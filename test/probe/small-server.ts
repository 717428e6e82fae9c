/** A server for one test: it plays one handler on a free port of 127.0.0.1 and ends with the test. */
import { createServer, type RequestListener } from "node:http";
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
export async function refusingUrl(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
