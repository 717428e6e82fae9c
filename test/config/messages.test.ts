/** What each setting says of a wrong type, a wrong value and a misspelt name. All of it is in test/vectors/config-faults.txt. */
import { expect, test } from "vitest";
import { CANARY_KINDS } from "../../src/config/config.ts";
import { faultWords } from "../../src/config/faults.ts";
import { parseConfig } from "../../src/config/load.ts";
import { KINDS, entryOf } from "../alert/channel-configs.ts";
import { LEAST as CANARIES } from "./canaries.ts";
import { ACME, knownKeys, withGateway } from "./parsed.ts";

type Entry = Readonly<Record<string, unknown>>;
type Around = (entry: Entry) => unknown;

const LEAST = { title: "t", gateways: [ACME] };
const inMonitor = (monitor: object) => withGateway({ monitors: [monitor] });
const inChat = (of: string) => (entry: Entry) => inMonitor({ kind: "chat", model: "m", [of]: entry });
const PRICES = { currency: "USD", input: 1 };

/** Every level of the configuration: its settings, the configuration around an entry of it, and what the entry needs. */
const LEVELS: readonly (readonly [name: string, keys: readonly string[], around: Around])[] = [
  ["", knownKeys("root"), (entry) => ({ ...LEAST, ...entry })],
  ["gateway", knownKeys("gateway"), withGateway],
  ["models", knownKeys("monitor", "models"), (entry) => inMonitor({ kind: "models", ...entry })],
  ...CANARY_KINDS.map(
    (kind) =>
      [
        kind,
        knownKeys("monitor", kind),
        (entry: Entry) => inMonitor({ ...CANARIES[kind], ...entry }),
      ] as const,
  ),
  ["pointers", knownKeys("pointers", "chat"), inChat("pointers")],
  ["prices", knownKeys("prices"), (entry) => inChat("prices")({ ...PRICES, ...entry })],
  [
    "maxCost",
    ["currency", "day"],
    (maxCost) =>
      inMonitor({
        kind: "chat",
        model: "m",
        prices: PRICES,
        maxCost: { currency: "USD", day: 9, ...maxCost },
      }),
  ],
  ["theme", knownKeys("theme"), (theme) => ({ ...LEAST, theme })],
  ["parts", knownKeys("parts"), (parts) => ({ ...LEAST, parts })],
  [
    "accent",
    ["light", "dark"],
    (accent) => ({ ...LEAST, theme: { accent: { light: "#1f5fd0", dark: "#82aef8", ...accent } } }),
  ],
  [
    "link",
    ["name", "url"],
    (link) => ({ ...LEAST, theme: { links: [{ name: "A", url: "https://a.example", ...link }] } }),
  ],
  [
    "maintenance",
    knownKeys("maintenance"),
    (window) => ({
      ...LEAST,
      maintenance: [{ from: "2026-12-01T02:00:00Z", to: "2026-12-02T02:00:00Z", ...window }],
    }),
  ],
  [
    "recurring",
    knownKeys("recurring"),
    (rule) => ({
      ...LEAST,
      maintenance: [{ rrule: "FREQ=DAILY", duration: "2h", from: "2026-12-06T02:00", ...rule }],
    }),
  ],
  ...KINDS.map(
    (kind) =>
      [
        kind,
        knownKeys("channel", kind),
        (entry: Entry) => ({ ...LEAST, alerts: [{ ...entryOf(kind).least, ...entry }] }),
      ] as const,
  ),
  ["only", knownKeys("only"), (only) => ({ ...LEAST, alerts: [{ kind: "slack", url: "SLACK_URL", only }] })],
];

const WRONG: readonly unknown[] = [7.5, "seven words", {}, ["x"], []];

function faultsOf(input: unknown) {
  const parsed = parseConfig(input);
  return parsed.ok ? [] : parsed.faults;
}

function misspelt(key: string): string {
  return key.length < 3 ? `${key}${key.at(-1)}` : key.slice(0, 1) + key.slice(2);
}

/** Each once: several kinds have the same settings. */
const told = new Set(
  LEVELS.flatMap(([name, keys, around]) =>
    keys.flatMap((key) =>
      WRONG.flatMap((value) =>
        faultsOf(around({ [key]: value })).map((fault) => `${name} ${faultWords(fault)}\n  ${fault.fix}`),
      ),
    ),
  ).map((text) => text.replace(/^.*? /, "")),
);

test("each setting says what to write instead of a wrong type or a wrong value", async () => {
  await expect(`${[...told].join("\n")}\n`).toMatchFileSnapshot("../vectors/config-faults.txt");
});

test.each(LEVELS)("every misspelt setting of %s leads to the one that was meant", (_name, keys, around) => {
  for (const key of keys.filter((one) => one !== "kind")) {
    const fixes = faultsOf(around({ [misspelt(key)]: 1 })).map(({ fix }) => fix);
    expect(fixes).toContain(`did you mean ${key}?`);
  }
});
