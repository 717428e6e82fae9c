/** Configurations whose days are planned: so many gateways, `g0`, `g1`, …, of one list each. */
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/load.ts";

export function planned(gateways: number, more: object = {}, monitors: object = {}): Config {
  const every = Array.from({ length: gateways }, (_, index) => ({
    id: `g${index}`,
    baseUrl: "https://gateway.example",
    apiKey: "GATEWAY_API_KEY",
    ...monitors,
  }));
  return readConfig({ title: "t", gateways: every, ...more });
}

export function listEvery(every: string): object {
  return { monitors: [{ kind: "models", every }] };
}
