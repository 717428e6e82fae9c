/**
 * The addresses beside the simulator's own: another host that records what reaches it, a port that refuses, a name
 * without a DNS record, and two TLS ports whose handshakes fail.
 */
import { once } from "node:events";
import { type IncomingMessage, createServer as createHttpServer } from "node:http";
import {
  type AddressInfo,
  type Server,
  type Socket,
  connect,
  createServer as createTcpServer,
} from "node:net";
import { createServer as createTlsServer } from "node:tls";
/** A self-signed certificate that nobody trusts, and its key, which protects nothing. PEM. */
import UNTRUSTED from "./untrusted.json" with { type: "json" };

/** The addresses are named as the places of scenarios are. */
interface SidePorts {
  readonly elsewhere: string;
  readonly refused: string;
  readonly unresolvable: string;
  readonly tls_garbage: string;
  readonly tls_untrusted: string;
  readonly close: () => Promise<void>;
}

/** `.invalid` never resolves (RFC 6761 6.4). */
const UNRESOLVABLE = "https://gateway.invalid";

export async function openSidePorts(
  host: string,
  reached: (request: IncomingMessage) => void,
): Promise<SidePorts> {
  const elsewhere = createHttpServer((request, response) => {
    reached(request);
    response.setHeader("content-type", "application/json");
    response.end('{"object":"list","data":[]}');
  });
  const tlsGarbage = createTcpServer((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"));
    socket.on("error", ignore);
  });
  const tlsUntrusted = createTlsServer(UNTRUSTED, (socket) => {
    socket.on("error", ignore);
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
  });
  tlsUntrusted.on("tlsClientError", ignore);
  const servers = [elsewhere, tlsGarbage, tlsUntrusted];
  const sockets = new Set<Socket>();
  const ports = await Promise.all(servers.map((server) => listen(server, host, sockets)));
  const held = await holdPort(host, ports[1]);
  const base = (scheme: string, port: number | undefined) => `${scheme}://${urlHost(host)}:${port}`;
  return {
    elsewhere: base("http", ports[0]),
    refused: base("http", held.localPort),
    unresolvable: UNRESOLVABLE,
    tls_garbage: base("https", ports[1]),
    tls_untrusted: base("https", ports[2]),
    close: async () => {
      held.destroy();
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map(closeServer));
    },
  };
}

export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Resolves with the port; keeps `sockets` up to date. */
export async function listen(server: Server, host: string, sockets: Set<Socket>, port = 0): Promise<number> {
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await closed;
}

/** The local end of a connection: while it lasts, nothing can listen on its port, so the port surely refuses. */
async function holdPort(host: string, listeningPort: number | undefined): Promise<Socket> {
  const socket = connect(listeningPort ?? 0, host);
  socket.on("error", ignore);
  await once(socket, "connect");
  return socket;
}

function ignore(): void {
  // A peer that breaks off is what these ports are for.
}
