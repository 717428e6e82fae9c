/** Answers one request of a simulator: finds the gateway, records, plays its scenario, sends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Address,
  DEFAULT_SCENARIO,
  addressOf,
  type ReadRequest,
  type RecordedRequest,
  readRequest,
} from "./read-request.ts";
import { findScenario } from "./catalog.ts";
import { type Controls, control } from "./control.ts";
import { chatError, type Wire } from "./wire.ts";
import type { Gateway, Gateways } from "./gateways.ts";
import { routeOf } from "./routes.ts";
import type { Call, Scenario, World } from "./scenario.ts";
import { send } from "./send.ts";
import { LENIENT, STRICT, serve } from "./service.ts";

/** What the requests of one simulator share. */
export interface House {
  readonly nowMs: () => number;
  readonly record: (request: RecordedRequest) => void;
  readonly gateways: Gateways;
  readonly elsewhere: string;
  readonly nextRequestId: () => string;
  readonly controls: Controls;
}

/** Never rejects: a peer that breaks off is an ordinary end. */
export async function answer(
  house: House,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.on("error", () => gone.abort());
  try {
    const read = await readRequest(request);
    const requestId = house.nextRequestId();
    const address = addressOf(read.target);
    const wire =
      address.type === "own"
        ? control(read.method, address.path, read.body, house.controls)
        : await play(house, read, address, requestId, gone.signal);
    await send(wire, requestId, response, socket, gone.signal);
  } catch {
    socket.destroy();
  }
}

type GatewayAddress = Extract<Address, { readonly type: "gateway" }>;

/** Rejects when the connection is lost during a delay. */
async function play(
  house: House,
  read: ReadRequest,
  address: GatewayAddress,
  requestId: string,
  gone: AbortSignal,
): Promise<Wire> {
  const gateway = house.gateways.open(address.name, address.scenario);
  gateway.count += 1;
  const played = scenarioNow(gateway);
  const at = house.nowMs();
  const { target, ...seen } = read;
  const scenario = played?.name ?? null;
  house.record({ ...seen, at, path: target, gateway: address.name, scenario, requestId });
  if (played === null) {
    return chatError("unknown_scenario", { message: `There is no scenario ${address.name}.` });
  }
  const { path } = address;
  const route = routeOf(read.method, path);
  const countOfRoute = (gateway.countByRoute.get(route) ?? 0) + 1;
  gateway.countByRoute.set(route, countOfRoute);
  const call: Call = { ...seen, path, route, requestId, count: gateway.count, countOfRoute, nowMs: at };
  if (played.delayMs > 0) await sleep(played.delayMs, undefined, { signal: gone });
  return perform(house, played, call, gateway);
}

function scenarioNow(gateway: Gateway): Scenario | null {
  const turn = Math.min(gateway.count, gateway.playlist.length) - 1;
  const scenario = findScenario(gateway.playlist[turn] ?? gateway.playlist[0]);
  return scenario?.place === "path" ? scenario : null;
}

function perform(house: House, played: Scenario, call: Call, gateway: Gateway): Wire | Promise<Wire> {
  const rules = played.name === DEFAULT_SCENARIO ? STRICT : LENIENT;
  const world: World = { gateway, elsewhere: house.elsewhere, serve: (asked) => serve(asked, world, rules) };
  const takesIt = played.takes === null || played.takes.includes(call.route);
  return takesIt ? played.play(call, world) : world.serve(call);
}
