/**
 * What vantage points use on a day: each asks for the list by itself, awake until the gateway has answered. Pure.
 */
import type { Config, GatewayConfig } from "../config/config.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { AWAKE } from "./figures.ts";

export interface VantageDay {
  /** Calls of their objects, and requests to gateways: one each. */
  readonly requests: number;
  readonly awakeSeconds: number;
}

export function vantageDay({ gateways }: Config): VantageDay {
  const requests = gateways.reduce((sum, gateway) => sum + listsADay(gateway) * gateway.regions.length, 0);
  return { requests, awakeSeconds: (requests * AWAKE.answerMs) / 1000 };
}

function listsADay({ monitors }: GatewayConfig): number {
  return monitors
    .filter(({ kind }) => kind === "models")
    .reduce((sum, { everyMs }) => sum + DAY_MS / everyMs, 0);
}
