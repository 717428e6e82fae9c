/** What a configuration is read as. */
import { MONITOR_KINDS } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { KINDS } from "../alert/channel-configs.ts";

export const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

/** A configuration whose only gateway says this of itself. */
export function withGateway(gateway: Readonly<Record<string, unknown>>): object {
  return { title: "t", gateways: [{ ...ACME, ...gateway }] };
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

type Around = (entry: Readonly<Record<string, unknown>>) => unknown;

const inMonitor: Around = (monitor) => withGateway({ monitors: [monitor] });
const AROUND = {
  root: (entry) => entry,
  gateway: withGateway,
  monitor: inMonitor,
  pointers: ({ kind, ...pointers }) => inMonitor({ kind, pointers }),
  prices: (prices) => inMonitor({ kind: "chat", prices }),
  theme: (theme) => ({ title: "t", gateways: [], theme }),
  parts: (parts) => ({ title: "t", gateways: [], parts }),
  maintenance: (window) => ({ title: "t", gateways: [], maintenance: [window] }),
  recurring: (rule) => ({ title: "t", gateways: [], maintenance: [{ rrule: "FREQ=DAILY", ...rule }] }),
  channel: (channel) => ({ title: "t", gateways: [], alerts: [channel] }),
  only: (only) => ({ title: "t", gateways: [], alerts: [{ kind: "slack", only }] }),
} as const satisfies Readonly<Record<string, Around>>;

/** The settings of a level, as the program lists them where it finds one that is none. */
export function knownKeys(level: keyof typeof AROUND, kind?: string): readonly string[] {
  const around: Around = AROUND[level];
  const faults = faultsOf(around({ ...(kind !== undefined && { kind }), qqqqqq: 1 }));
  const fault = faults.find((one) => one.includes("qqqqqq"));
  return fault?.split("allowed here: ")[1]?.split(", ") ?? [];
}

/** All settings, as `test/fixtures/config-keys/` keeps them of each release. */
export function settingsText(): string {
  const levels = (["root", "gateway", "prices", "theme", "maintenance", "only"] as const).map((level) =>
    settingsLine(level),
  );
  const monitors = MONITOR_KINDS.flatMap((kind) => [
    settingsLine("monitor", kind),
    settingsLine("pointers", kind),
  ]);
  const channels = KINDS.map((kind) => settingsLine("channel", kind));
  return [...levels, ...monitors, ...channels].join("");
}

/** Empty: there are none. */
function settingsLine(level: keyof typeof AROUND, kind?: string): string {
  const keys = knownKeys(level, kind).toSorted();
  return keys.length === 0 ? "" : `${kind === undefined ? level : `${level} ${kind}`}: ${keys.join(" ")}\n`;
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
  runbook: null,
  runbooks: {},
  contact: null,
  formerly: [],
  siblings: [],
};
