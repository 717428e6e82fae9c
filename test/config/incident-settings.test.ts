import { expect, test } from "vitest";
import type { MonitorConfig } from "../../src/config/config.ts";
import { ACME, configOf, faultsOf as faults } from "./parsed.ts";
const BETA = { id: "beta", baseUrl: "https://api.beta.example", apiKey: "BETA_API_KEY" };

function monitorsOf(input: Record<string, unknown>): readonly MonitorConfig[] {
  return configOf({ title: "t", ...input }).gateways.flatMap(({ monitors }) => monitors);
}

const faultsOf = (input: Readonly<Record<string, unknown>>) => faults({ title: "t", ...input });

/** A gateway with models monitors that say this of themselves. */
function gatewayOf(gateway: typeof ACME, ...monitors: readonly Record<string, unknown>[]): unknown {
  return { ...gateway, monitors: monitors.map((monitor) => Object.assign({ kind: "models" }, monitor)) };
}

test.each([
  [undefined, undefined, null],
  [false, undefined, null],
  ["4h", undefined, 14_400_000],
  ["4h", "5m", 300_000],
  ["4h", false, null],
  [undefined, "24h", 86_400_000],
])("remindEvery %j, and %j for the monitor: %j ms", (forAll, own, remindEveryMs) => {
  const input = { remindEvery: forAll, gateways: [gatewayOf(ACME, { remindEvery: own })] };
  expect(monitorsOf(input)).toMatchObject([{ remindEveryMs }]);
});

test.each([
  ["4m", "is out of range"],
  ["25h", "is out of range"],
  ["330s", "is not in whole minutes"],
  ["often", "is no duration"],
  [60, "is not text"],
  [true, "is not text"],
])("remindEvery: %j %s", (remindEvery, problem) => {
  const mend = 'write whole minutes from "5m" to "24h", like "4h", or false';
  expect(faultsOf({ remindEvery, gateways: [gatewayOf(ACME, { remindEvery })] })).toEqual([
    `gateways[0].monitors[0].remindEvery: ${problem}; ${mend}`,
    `remindEvery: ${problem}; ${mend}`,
  ]);
});

test.each([
  [undefined, undefined, 4],
  [false, undefined, null],
  [6, undefined, 6],
  [6, 1, 1],
  [6, false, null],
  [false, 60, 60],
])("flapping %j, and %j for the monitor: %j", (forAll, own, flapping) => {
  const input = { flapping: forAll, gateways: [gatewayOf(ACME, { flapping: own })] };
  expect(monitorsOf(input)).toMatchObject([{ flapping }]);
});

test.each([
  [0, "is too small"],
  [61, "is too big"],
  [1.5, "is not a whole number"],
  ["4", "is not a number"],
  [true, "is not a number"],
])("flapping: %j %s", (flapping, problem) => {
  const mend = "write a whole number from 1 to 60, or false, without quotes";
  expect(faultsOf({ flapping, gateways: [gatewayOf(ACME, { flapping })] })).toEqual([
    `flapping: ${problem}; ${mend}`,
    `gateways[0].monitors[0].flapping: ${problem}; ${mend}`,
  ]);
});

test("heartbeat is the name of a secret, and not that of a gateway's key", () => {
  const path = "heartbeat";
  const gateways = [ACME];
  const mend =
    "write the name of a secret like HEARTBEAT_URL (A-Z, 0-9 and _) and set its value with `wrangler secret put`, for npm start in .dev.vars";
  expect(faultsOf({ gateways, heartbeat: "HEARTBEAT_URL" })).toEqual([]);
  expect(faultsOf({ gateways, heartbeat: "beats.acme.example/1" })).toEqual([
    `${path}: is not the name of a secret; ${mend}`,
  ]);
  expect(faultsOf({ gateways, heartbeat: "ADMIN_TOKEN" })).toEqual([
    expect.stringContaining(`${path}: is a name that Gatepulse uses itself; `),
  ]);
  expect(faultsOf({ gateways, heartbeat: "ACME_API_KEY" })).toEqual([
    `${path}: names the secret that holds a gateway's key; name a secret of its own`,
  ]);
});

test.each([
  ["list", ["acme/list"]],
  ["old/list", ["old/list"]],
  [
    ["list", "old/list", "acme/list"],
    ["acme/list", "old/list"],
  ],
  [[], []],
])("formerly %j means %j", (written, formerly) => {
  expect(monitorsOf({ gateways: [gatewayOf(ACME, { formerly: written })] })).toMatchObject([{ formerly }]);
});

test.each(["", "a/b/c", "/models", "acme/", "Acme/models", "a b", "acme models"])(
  "%j is no former id",
  (former) => {
    const mend = 'write the id that it had before, like "models" or "acme/models", or a list of such';
    const problem = "has the wrong form";
    expect(faultsOf({ gateways: [gatewayOf(ACME, { formerly: former })] })).toEqual([
      `gateways[0].monitors[0].formerly: ${problem}; ${mend}`,
    ]);
    expect(faultsOf({ gateways: [gatewayOf(ACME, { formerly: ["list", former] })] })).toEqual([
      `gateways[0].monitors[0].formerly[1]: ${problem}; ${mend}`,
    ]);
  },
);

const STILL_THERE = "is the id of a monitor of this configuration; write an id that no monitor has any more";

test.each([
  ["its own id", [gatewayOf(ACME, { formerly: "models" })], "[0].monitors[0].formerly"],
  [
    "its neighbour's, full",
    [gatewayOf(ACME, { formerly: ["gone", "acme/b"] }, { id: "b" })],
    "[0].monitors[0].formerly[1]",
  ],
  [
    "that of a gateway's default monitor",
    [gatewayOf(ACME, { formerly: "beta/models" }), BETA],
    "[0].monitors[0].formerly",
  ],
])("no monitor was formerly what still exists: %s", (_what, gateways, path) => {
  expect(faultsOf({ gateways })).toEqual([`gateways${path}: ${STILL_THERE}`]);
});

test("the same name in another gateway is another monitor", () => {
  const gateways = [gatewayOf(ACME, { id: "new", formerly: "models" }), BETA];
  expect(monitorsOf({ gateways })).toMatchObject([{ formerly: ["acme/models"] }, { formerly: [] }]);
});

test("two monitors cannot both have been the same one", () => {
  const gateways = [
    gatewayOf(ACME, { formerly: "gone" }, { id: "b", formerly: ["x", "gone"] }),
    gatewayOf(BETA, { formerly: "acme/gone" }, { id: "c", formerly: "gone" }),
  ];
  const fault = "is claimed by gateways[0].monitors[0] too; let one monitor alone carry that history on";
  expect(faultsOf({ gateways })).toEqual([
    `gateways[0].monitors[1].formerly[1]: ${fault}`,
    `gateways[1].monitors[0].formerly: ${fault}`,
  ]);
});

test("a misspelled setting is told with what was meant", () => {
  const gateways = [gatewayOf(ACME, { formely: "x", remindevery: "1h" })];
  expect(faultsOf({ gateways, heartBeat: "A", flaping: 1, alert: [] })).toEqual([
    "alert: is no known setting; did you mean alerts?",
    "flaping: is no known setting; did you mean flapping?",
    "gateways[0].monitors[0].formely: is no known setting; did you mean formerly?",
    "gateways[0].monitors[0].remindevery: is no known setting; did you mean remindEvery?",
    "heartBeat: is no known setting; did you mean heartbeat?",
  ]);
});
