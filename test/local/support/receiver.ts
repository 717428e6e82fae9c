/** A real receiver on this machine, one path a channel, that notes what arrives and answers as the test wants. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { promisify } from "node:util";

/** One request, as it came. */
export interface Arrival {
  readonly channel: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Answering = (arrival: Arrival) => Reply;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver() {
  const arrivals = new Map<string, Arrival[]>();
  const answers = new Map<string, Reply | Answering>();
  const sockets = new Set<Socket>();
  const listOf = (channel: string): Arrival[] => {
    const list = arrivals.get(channel) ?? [];
    arrivals.set(channel, list);
    return list;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const path = request.url ?? "";
    const [, channel = ""] = path.split("/");
    const arrival = { channel, path, headers: request.headers, body };
    listOf(channel).push(arrival);
    const how = answers.get(channel) ?? { status: 200, body: "{}" };
    const answer = typeof how === "function" ? how(arrival) : how;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => void receive(request, response));
  // A connection that ends while it waits for the next message would look like a failure that nobody ordered.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** The address of a channel; a long, unguessable word in it is given by the test. */
    url: (channel: string, word = "hook"): string => `http://127.0.0.1:${port}/${channel}/${word}`,
    /** All of one channel, in order; a live list. */
    at: (channel: string): readonly Arrival[] => listOf(channel),
    /** From now on; default: 200 with an empty object. */
    answer: (channel: string, how: Reply | Answering) => void answers.set(channel, how),
    /** Forgets what arrived and how to answer. */
    clear: () => {
      for (const list of arrivals.values()) list.splice(0);
      answers.clear();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await promisify(server.close.bind(server))();
    },
  };
}

/** A sender that dies leaves half a body behind. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // What came is what there is.
  }
  return Buffer.concat(chunks).toString("utf8");
}
