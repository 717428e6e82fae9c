/**
 * A server that plays many gateways at once, each with a scenario of its own, and records what reaches them. For
 * tests, for trying things out, and for a first start without a gateway of your own.
 */
import { type IncomingMessage, createServer } from "node:http";
import type { Socket } from "node:net";
import { answer, direct, headersOf, type House, type RecordedRequest, type Script } from "./answer.ts";
import { findScenario } from "./catalog.ts";
import { Gateways } from "./gateways.ts";
import type { Scenario } from "./scenario.ts";
import { closeServer, listen, openSidePorts, urlHost } from "./side-ports.ts";

export interface SimulatorOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
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
  /** Ends every connection and every listener. */
  readonly close: () => Promise<void>;
}

/** Rejects when the port is taken, with nothing left open. */
export async function startSimulator({
  host = "127.0.0.1",
  port = 0,
  script = () => null,
}: SimulatorOptions = {}): Promise<Simulator> {
  const requests: RecordedRequest[] = [];
  const record = (request: RecordedRequest) => {
    requests.push({ ...request, body: request.body.slice(0, 2000) });
    if (requests.length > MAX_REQUESTS) requests.shift();
  };
  const stray = (request: IncomingMessage) => record(strayed(request));
  const sidePorts = await openSidePorts(host, stray);
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
    url = `http://${urlHost(host)}:${await listen(server, host, sockets, port)}`;
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
