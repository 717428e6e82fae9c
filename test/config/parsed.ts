/** What a configuration is read as. */
import type { Config } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";

export const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

/** A configuration whose only gateway says this of itself. */
export function withGateway(gateway: Readonly<Record<string, unknown>>): object {
  return { title: "t", gateways: [{ ...ACME, ...gateway }] };
}

/** Of one without faults. */
export function configOf(input: unknown): Config {
  const parsed = parseConfig(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

/** Each fault as `path: problem; fix`. */
export function faultsOf(input: unknown): readonly string[] {
  const parsed = parseConfig(input);
  return parsed.ok ? [] : parsed.faults.map(({ path, problem, fix }) => `${path}: ${problem}; ${fix}`);
}

/** Each fault as `path: problem`. */
export function problemsOf(input: unknown): readonly string[] {
  const parsed = parseConfig(input);
  return parsed.ok ? [] : parsed.faults.map(({ path, problem }) => `${path}: ${problem}`);
}

/** The words of a text. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** A monitor of kind `models` with every default, as it is read. */
export const MODELS = {
  kind: "models",
  model: null,
  canary: null,
  everyMs: 60_000,
  expect: [],
  slowerThanMs: null,
  open: 2,
  close: 2,
  remindEveryMs: null,
  flapping: 4,
  formerly: [],
};
