import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MONITOR_KINDS } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { rounds } from "../extent.ts";
import { ACME, knownKeys, withGateway, words } from "./parsed.ts";

/** Each place that a value of any kind may stand at. */
const PLACES: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  (title) => ({ title, gateways: [] }),
  (gateways) => ({ title: "t", gateways }),
  (id) => withGateway({ id }),
  (monitors) => withGateway({ monitors }),
  (value) => withGateway({ monitors: [{ kind: "models", formerly: value, expect: value }] }),
  (alerts) => ({ title: "t", gateways: [], alerts }),
  (of) => ({ title: "t", gateways: [], alerts: [{ kind: "webhook", url: of, secret: of, only: of }] }),
  (value) => ({ title: "t", gateways: [], alerts: [{ kind: "email", from: value, to: value }] }),
  (maintenance) => ({ title: "t", gateways: [], maintenance }),
];

/** Each setting of each kind of monitor. */
const SETTINGS = MONITOR_KINDS.flatMap((kind) => knownKeys("monitor", kind).map((key) => ({ kind, key })));

function setting({ kind, key }: (typeof SETTINGS)[number]): (value: unknown) => unknown {
  const monitor = { kind, model: "gpt-4o", path: "/x" };
  return (value) => withGateway({ monitors: [{ ...monitor, [key]: value }] });
}

test("a doubled comma in a list is told with its place", () => {
  // oxlint-disable-next-line no-sparse-arrays -- as a person may write it
  const parsed = parseConfig({ title: "t", gateways: [ACME, , { ...ACME, id: "beta" }] });
  expect(parsed.ok ? [] : parsed.faults).toMatchObject([{ path: "gateways[1]", problem: "is missing" }]);
});

test("what holds itself in several places is looked into once", () => {
  const knot: Record<string, unknown> = {};
  for (const name of words("one two three")) knot[name] = [knot];
  const parsed = parseConfig({ title: "t", gateways: [], knot });
  expect(parsed.ok ? [] : parsed.faults).toMatchObject([{ path: "knot", problem: "is not a known setting" }]);
});

/** Words that mean something here, or to the language: keys made by chance alone would reach no deeper. */
const LEVELS = ["root", "gateway", "prices", "maintenance", "only"] as const;
const KINDS = ["webhook", "pagerduty", "telegram", "email"];
const KEYS = [
  ...LEVELS.flatMap((level) => knownKeys(level)),
  ...KINDS.flatMap((kind) => knownKeys("channel", kind)),
  ...MONITOR_KINDS.flatMap((kind) => knownKeys("monitor", kind)),
  ...["chat", "video", "console"].flatMap((kind) => knownKeys("pointers", kind)),
  ...words("__proto__ toString valueOf constructor"),
];
const WORDS = [
  ...KINDS,
  ...MONITOR_KINDS,
  "Bearer {key}",
  ...words("/v1/{model}/{id} acme A_SECRET 5m caller incident.opened https://x.example 2026-12-01T02:00:00Z"),
];

test("whatever is read, the answer is faults or a configuration, never an exception", () => {
  const anything = fc.anything({
    key: fc.oneof(fc.constantFrom(...KEYS), fc.string()),
    values: [fc.constantFrom(...WORDS), fc.string(), fc.double(), fc.constantFrom(true, null, undefined)],
    withNullPrototype: true,
    withSparseArray: true,
    maxDepth: 3,
  });
  fc.assert(
    fc.property(anything, fc.constantFrom(...MONITOR_KINDS), (value, kind) => {
      const places = [...PLACES, ...SETTINGS.filter((its) => its.kind === kind).map(setting)];
      const read = places.flatMap((place) => [parseConfig(place(value)), parseConfig(place([value]))]);
      expect(read.every(({ ok }) => typeof ok === "boolean")).toBe(true);
    }),
    { numRuns: rounds(20, 300) },
  );
});
