import { expect, test } from "vitest";
import type { MonitorConfig } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/load.ts";
import { ACME, faultsOf as faults, problemsOf } from "./parsed.ts";
const BETA = { id: "beta", baseUrl: "https://api.beta.example", apiKey: "BETA_API_KEY" };

function monitorsOf(input: Record<string, unknown>): readonly MonitorConfig[] {
  return readConfig({ title: "t", ...input }).gateways.flatMap(({ monitors }) => monitors);
}

const faultsOf = (input: Readonly<Record<string, unknown>>) => faults({ title: "t", ...input });

/** A gateway with models monitors that say this of themselves. */
function gatewayOf(gateway: typeof ACME, ...monitors: readonly Record<string, unknown>[]): unknown {
  return { ...gateway, monitors: monitors.map((monitor) => Object.assign({ kind: "models" }, monitor)) };
}

test.each([
  ["remindEvery", "4h", undefined, { remindEveryMs: 14_400_000 }],
  ["remindEvery", "4h", "5m", { remindEveryMs: 300_000 }],
  ["remindEvery", "4h", false, { remindEveryMs: null }],
  ["flapping", 6, 1, { flapping: 1 }],
  ["flapping", 6, false, { flapping: null }],
])("%s %j, and %j for the monitor: %j", (setting, forAll, own, expected) => {
  const input = { [setting]: forAll, gateways: [gatewayOf(ACME, { [setting]: own })] };
  expect(monitorsOf(input)).toMatchObject([expected]);
});

const DURATIONS = 'write whole minutes from "5m" to "24h", like "4h", or false';
const NUMBERS = "write a whole number from 1 to 60, or false, without quotes";

test.each([
  ["remindEvery", "25h", `is out of range; ${DURATIONS}`],
  ["remindEvery", "330s", `is not in whole minutes; ${DURATIONS}`],
  ["flapping", 61, `is too big; ${NUMBERS}`],
])("%s: %j %s", (setting, value, fault) => {
  const faultsFound = faultsOf({ [setting]: value, gateways: [gatewayOf(ACME, { [setting]: value })] });
  const all = [`${setting}: ${fault}`, `gateways[0].monitors[0].${setting}: ${fault}`];
  expect(faultsFound).toEqual(all.toSorted());
});

test.each([
  ["HEARTBEAT_URL", []],
  ["https://beats.acme.example/1", ["is an address, but must be the name of a secret"]],
  ["ADMIN_TOKEN", ["is a name that Gatepulse uses"]],
  ["ACME_API_KEY", ["is the secret of a gateway's key"]],
])("heartbeat: %s is judged as the name of a secret", (heartbeat, problems) => {
  const told = problemsOf({ title: "t", gateways: [ACME], heartbeat });
  expect(told).toEqual(problems.map((problem) => `heartbeat: ${problem}`));
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

test.each(["", "a/b/c", "Acme/models"])("%j is no former id", (former) => {
  const fault = 'has the wrong form; write its former id, like "models" or "acme/models", or a list of them';
  for (const [formerly, place] of [
    [former, ""],
    [["list", former], "[1]"],
  ] as const) {
    const found = faultsOf({ gateways: [gatewayOf(ACME, { formerly })] });
    expect(found).toEqual([`gateways[0].monitors[0].formerly${place}: ${fault}`]);
  }
});

const STILL_THERE =
  "is the id of a monitor of this configuration; write the id of a monitor that no longer exists";

test.each([
  ["its own id", [gatewayOf(ACME, { formerly: "models" })], "formerly"],
  ["its neighbour's, full", [gatewayOf(ACME, { formerly: ["gone", "acme/b"] }, { id: "b" })], "formerly[1]"],
  ["that of a gateway's default monitor", [gatewayOf(ACME, { formerly: "beta/models" }), BETA], "formerly"],
])("no monitor was formerly what still exists: %s", (_what, gateways, path) => {
  expect(faultsOf({ gateways })).toEqual([`gateways[0].monitors[0].${path}: ${STILL_THERE}`]);
});

test("two monitors cannot both have been the same one", () => {
  const gateways = [
    gatewayOf(ACME, { formerly: "gone" }, { id: "b", formerly: ["x", "gone"] }),
    gatewayOf(BETA, { formerly: "acme/gone" }, { id: "c", formerly: "gone" }),
  ];
  const fault = "is also claimed by gateways[0].monitors[0]; let only one monitor continue that history";
  expect(faultsOf({ gateways })).toEqual([
    `gateways[0].monitors[1].formerly[1]: ${fault}`,
    `gateways[1].monitors[0].formerly: ${fault}`,
  ]);
});
