/** The public server forwards all but what could control the runtime: paths below `/cdn-cgi/`, and headers that select services. */
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";

/** Rejects if the address is in use or not allowed. */
export async function startFrontServer(
  runtime: URL,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const server = createServer((incoming, outgoing) => handOn(incoming, outgoing, runtime));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function handOn(incoming: IncomingMessage, outgoing: ServerResponse, target: URL): void {
  const url = URL.parse(incoming.url ?? "/", target.href);
  if (url === null || url.host !== target.host) return refuse(outgoing, 400, "Bad request");
  if (/^\/+cdn-cgi(?:\/|$)/i.test(url.pathname)) return refuse(outgoing, 404, "Not found");
  const handed = send({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    headers: publicHeaders(incoming),
  });
  handed.on("response", (answer) => {
    // This header is about the connection to the runtime, not the client's.
    delete answer.headers.connection;
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    // If the runtime's answer breaks off, so does this one.
    pipeline(answer, outgoing, () => undefined);
  });
  handed.on("error", () => {
    if (!outgoing.destroyed) refuse(outgoing, 502, "The Worker did not answer");
  });
  outgoing.on("close", () => handed.destroy());
  incoming.pipe(handed);
  // The next request on this connection follows the rest of this request's body.
  handed.on("close", () => incoming.resume());
}

/** The client's address is the connection's, as on Cloudflare. */
function publicHeaders({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith("mf-")) kept[name] = value;
  }
  kept["cf-connecting-ip"] = socket.remoteAddress ?? "";
  return kept;
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  outgoing.end(`${text}\n`);
}
