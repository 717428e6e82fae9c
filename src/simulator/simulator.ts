/** A server that plays many gateways at once, each with a scenario of its own, and records what reaches them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import * as z from "zod/mini";
import { type Route, routeOf } from "./api.ts";
import { findScenario, SCENARIOS } from "./catalog.ts";
import { type Gateway, Gateways } from "./gateways.ts";
import type { Call, Scenario, World } from "./scenario.ts";
import { serve } from "./service.ts";
import { chatError, json, parseJson, type Step, type Wire } from "./wire.ts";
/** A self-signed certificate that nobody trusts, and its key, which protects nothing. PEM. */
import UNTRUSTED from "./untrusted.json" with { type: "json" };

export interface SimulatorOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** What named gateways play; default: what `play` says. */
  readonly script?: Script;
}

export interface Simulator {
  /** The healthy gateway's base URL; below it, by path, all others. */
  readonly url: string;
  /** The base URL of another host, where redirects lead; its requests are recorded under the gateway `elsewhere`. */
  readonly elsewhere: string;
  /** The newest 10,000, oldest first; a live list. */
  readonly requests: readonly RecordedRequest[];
  /** The base URL of the gateway that plays a scenario. Throws if there is none with that name. */
  readonly baseUrl: (scenario: string) => string;
  /** The base URL of a named gateway, healthy until `play` says otherwise. */
  readonly named: (gateway: string) => string;
  /** Makes a named gateway play a scenario. Several play one per request; the last one stays. Throws on a wrong name. */
  readonly play: (gateway: string, ...scenarios: readonly string[]) => void;
  /** Forgets requests, counters, tasks and the scenarios of named gateways. */
  readonly clear: () => void;
  readonly close: () => Promise<void>;
}

const HOST = "127.0.0.1";

/** Rejects when the port is taken, with nothing left open. */
export async function startSimulator({
  port = 0,
  script = () => null,
}: SimulatorOptions = {}): Promise<Simulator> {
  const requests: RecordedRequest[] = [];
  const record = (request: RecordedRequest) => {
    requests.push({ ...request, body: request.body.slice(0, 2000) });
    if (requests.length > MAX_REQUESTS) requests.shift();
  };
  const stray = (request: IncomingMessage) => record(strayed(request));
  const sidePorts = await openSidePorts(stray);
  const { elsewhere } = sidePorts;
  const gateways = new Gateways();
  let url = "";
  const baseUrlOf = ({ place, name }: Scenario) => (place === "path" ? `${url}/${name}` : sidePorts[place]);
  const house: House = { record, gateways, elsewhere, baseUrlOf, script };
  const server = createServer(WITHOUT_TIMEOUTS, (request, response) => {
    void answer(house, request, response);
  });
  const sockets = new Set<Socket>();
  try {
    url = `http://${HOST}:${await listen(server, sockets, port)}`;
  } catch (error) {
    await sidePorts.close();
    throw error;
  }
  let closing: Promise<unknown> | null = null;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return Promise.all([closeServer(server), sidePorts.close()]);
  };
  return {
    url,
    elsewhere,
    requests,
    clear: () => {
      requests.length = 0;
      gateways.clear();
    },
    baseUrl: (name) => baseUrlOf(known(name)),
    named: (name) => `${url}/g/${encodeURIComponent(name)}`,
    play: (name, ...scenarios) => {
      if (!direct(gateways, name, scenarios))
        throw new Error(`A gateway cannot play this: ${scenarios.join(", ")}`);
    },
    close: async () => void (await (closing ??= close())),
  };
}

const MAX_REQUESTS = 10_000;

/** A connection that ends while it waits for the next request would look like an unplanned failure. */
const WITHOUT_TIMEOUTS = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 };

function known(name: string): Scenario {
  const scenario = findScenario(name);
  if (scenario === null) throw new Error(`The simulator has no scenario ${name}.`);
  return scenario;
}

function strayed(request: IncomingMessage): RecordedRequest {
  const { method = "", url: path = "" } = request;
  const seen = { at: Date.now(), method, path, headers: headersOf(request) };
  return { ...seen, gateway: "elsewhere", scenario: null, body: "", requestId: "" };
}

// Answers one request to a simulator: reads it, finds its gateway, records it, plays the scenario, sends the answer.

interface RecordedRequest {
  readonly at: number;
  readonly method: string;
  /** As received, with the gateway's prefix and the query. */
  readonly path: string;
  /** The gateway's name; `elsewhere` for the host that redirects lead to. */
  readonly gateway: string;
  readonly scenario: string | null;
  /** Names in lower case; repeated ones joined, `authorization` as it came. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 2,000 characters. */
  readonly body: string;
  readonly requestId: string;
}

interface House {
  readonly record: (request: RecordedRequest) => void;
  readonly gateways: Gateways;
  readonly elsewhere: string;
  readonly baseUrlOf: (scenario: Scenario) => string;
  readonly script: Script;
}

interface Cue {
  readonly scenario: string;
  /** How much later than the scenario alone it answers. */
  readonly delayMs: number;
}

/** What a named gateway plays on a route at an instant; null: what a test or a request set. */
type Script = (gateway: string, route: Route, nowMs: number) => Cue | null;

/** Never rejects: a peer that breaks off is an ordinary end. */
async function answer(house: House, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.on("error", () => gone.abort());
  try {
    const body = await text(request);
    const requestId = nextRequestId();
    const address = addressOf(request.url ?? "/");
    const wire =
      address.type === "own"
        ? control(`${request.method} ${address.path}`, body, house)
        : await play(house, request, body, address, requestId, gone.signal);
    await send(wire, requestId, response, socket, gone.signal);
  } catch {
    socket.destroy();
  }
}

let handed = 0;

function nextRequestId(): string {
  handed += 1;
  return `req_sim_${String(handed).padStart(6, "0")}`;
}

function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

interface GatewayAddress {
  readonly type: "gateway";
  readonly name: string;
  /** What a gateway of that name plays at first. */
  readonly scenario: string;
  readonly path: string;
}

type Address = GatewayAddress | { readonly type: "own"; readonly path: string };

const DEFAULT_SCENARIO = "healthy";

/** `/v1/…`, `/v1beta/…` and `/api/…`: the healthy gateway; `/g/<name>/…`: a named one; `/<scenario>/…`: one that plays the scenario. */
function addressOf(target: string): Address {
  const path = new URL(target, "http://simulator").pathname;
  const [, first = "", ...rest] = path.split("/");
  if (first === "" || first.startsWith("__") || first === "favicon.ico") return { type: "own", path };
  if (first === "v1" || first === "v1beta" || first === "api") {
    return { type: "gateway", name: DEFAULT_SCENARIO, scenario: DEFAULT_SCENARIO, path };
  }
  if (first !== "g") return { type: "gateway", name: first, scenario: first, path: `/${rest.join("/")}` };
  const [name = "", ...below] = rest;
  const gateway = namedGateway(decodeURIComponent(name));
  return { type: "gateway", name: gateway, scenario: DEFAULT_SCENARIO, path: `/${below.join("/")}` };
}

/** Cannot collide with gateways that have the name of their scenario. */
const NAMED = "g/";

function namedGateway(name: string): string {
  return `${NAMED}${name}`;
}

/** Rejects when the connection is lost during a delay. */
async function play(
  house: House,
  request: IncomingMessage,
  body: string,
  address: GatewayAddress,
  requestId: string,
  gone: AbortSignal,
): Promise<Wire> {
  const gateway = house.gateways.open(address.name, address.scenario);
  gateway.count += 1;
  const nowMs = Date.now();
  const { method = "GET", url = "/" } = request;
  const route = routeOf(method, address.path);
  const cue = address.name.startsWith(NAMED)
    ? house.script(address.name.slice(NAMED.length), route, nowMs)
    : null;
  const played = cue === null ? scenarioNow(gateway) : findScenario(cue.scenario);
  const headers = headersOf(request);
  const seen = { method, body, requestId };
  const scenario = played?.name ?? null;
  house.record({ ...seen, headers, at: nowMs, path: url, gateway: address.name, scenario });
  if (played === null) {
    return chatError("unknown_scenario", { message: `There is no scenario ${address.name}.` });
  }
  const count = (gateway.countByRoute.get(route) ?? 0) + 1;
  gateway.countByRoute.set(route, count);
  const bearer = /^bearer +(\S.*)$/i.exec(headers["authorization"] ?? "")?.[1];
  const key = bearer ?? headers["x-goog-api-key"] ?? "";
  const call: Call = { ...seen, path: address.path, route, key, count, nowMs };
  const delayMs = played.delayMs + (cue?.delayMs ?? 0);
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: gone });
  const isAnyKeyGood = played.name !== DEFAULT_SCENARIO;
  const { elsewhere } = house;
  const world: World = { gateway, elsewhere, serve: (asked) => serve(asked, world, isAnyKeyGood) };
  const takesIt = played.takes === null || played.takes.includes(route);
  return takesIt ? played.play(call, world) : world.serve(call);
}

function scenarioNow(gateway: Gateway): Scenario | null {
  const turn = Math.min(gateway.count, gateway.playlist.length) - 1;
  const scenario = findScenario(gateway.playlist[turn] ?? gateway.playlist[0]);
  return scenario?.place === "path" ? scenario : null;
}

/** Where the status page of the provider behind simulated gateways is. */
export const PROVIDER = "/__provider";

/** In the form of Statuspage. */
const PROVIDER_SUMMARY = {
  page: { id: "provider", name: "Simulated provider" },
  status: { indicator: "minor", description: "Partially Degraded Service" },
  incidents: [
    {
      name: "Elevated errors on chat completions",
      status: "investigating",
      impact: "minor",
      started_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    },
  ],
};

/** The simulator's own addresses: the list of scenarios, and the call that makes a gateway play others. */
function control(methodAndPath: string, body: string, { gateways, baseUrlOf }: House): Wire {
  const described = (of: Scenario): unknown => ({ ...of, baseUrl: baseUrlOf(of) });
  switch (methodAndPath) {
    case "GET /":
      return json(200, SCENARIOS.map(described));
    case "POST /__control":
      return assign(body, gateways);
    case `GET ${PROVIDER}/api/v2/summary.json`:
      return json(200, PROVIDER_SUMMARY);
    default:
      return json(404, { error: "The simulator has no such page." });
  }
}

const orderSchema = z.object({ for: z.string(), scenario: z.string() });

function assign(body: string, gateways: Gateways): Wire {
  const { data: order } = orderSchema.safeParse(parseJson(body));
  if (order === undefined) return json(400, { error: 'Expected {"for": name, "scenario": name}.' });
  if (direct(gateways, order.for, [order.scenario])) return json(200, order);
  return json(400, { error: `There is no scenario ${order.scenario} for a gateway.` });
}

/** Makes a named gateway play other scenarios. False: one of them is not for a gateway, or there is none. */
function direct(gateways: Gateways, name: string, playlist: readonly string[]): boolean {
  const [first, ...rest] = playlist;
  if (first === undefined || playlist.some((one) => findScenario(one)?.place !== "path")) return false;
  gateways.change(namedGateway(name), [first, ...rest]);
  return true;
}

/** Resolves when the answer is on its way, or when the connection was lost; `gone` aborts with the connection. */
async function send(
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

// The addresses beside the simulator's own: another host that records what reaches it, a port that refuses, a name
// without a DNS record, and two TLS ports whose handshakes fail.

/** `.invalid` never resolves (RFC 6761 6.4). */
const UNRESOLVABLE = "https://gateway.invalid";

/** The addresses are named as the places of scenarios are. */
async function openSidePorts(reached: (request: IncomingMessage) => void) {
  const elsewhere = createServer((request, response) => {
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
  const ports = await Promise.all(servers.map((server) => listen(server, sockets)));
  const held = await holdPort(ports[1]);
  const base = (scheme: string, port: number | undefined) => `${scheme}://${HOST}:${port}`;
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

/** Resolves with the port; keeps `sockets` up to date. */
async function listen(server: Server, sockets: Set<Socket>, port = 0): Promise<number> {
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await closed;
}

/** The local end of a connection: while it lasts, nothing can listen on its port, so the port surely refuses. */
async function holdPort(listeningPort: number | undefined): Promise<Socket> {
  const socket = connect(listeningPort ?? 0, HOST);
  socket.on("error", ignore);
  await once(socket, "connect");
  return socket;
}

function ignore(): void {
  // A peer that breaks off is what these ports are for.
}
