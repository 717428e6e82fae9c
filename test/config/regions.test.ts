import { expect, test } from "vitest";
import { REGIONS } from "../../src/config/config.ts";
import { configOf, faultsOf, withGateway } from "./parsed.ts";

const regionsOf = (input: unknown) => configOf(input).gateways[0]?.regions;

test("regions are kept in the order in which they are written; without any there are none", () => {
  expect(regionsOf(withGateway({ regions: ["weur", "apac-ne", "enam"] }))).toEqual([
    "weur",
    "apac-ne",
    "enam",
  ]);
  expect(regionsOf(withGateway({}))).toEqual([]);
  expect(regionsOf(withGateway({ regions: REGIONS }))).toEqual(REGIONS);
});

const ALL = "write regions out of wnam, enam, sam, weur, eeur, apac, apac-ne, apac-se, oc, afr, me";
const UNKNOWN = "[0]: is none of the known values";
// A region that is named twice would count twice.
const TWICE = ": names a region twice; name each region once";

test.each<[regions: unknown, ...faults: string[]]>([
  [["weru"], `${UNKNOWN}; did you mean weur?`],
  [["europe"], `${UNKNOWN}; ${ALL}`],
  ["weur", ': is not a list; write a list like ["weur", "apac"]'],
  [[], ": is empty; name a region, or leave regions out"],
  [["weur", "apac", "weur"], TWICE],
])("regions %j are refused, with what was meant", (regions, ...faults) => {
  expect(faultsOf(withGateway({ regions }))).toEqual(faults.map((fault) => `gateways[0].regions${fault}`));
});

test("regions of a gateway that has canaries alone would have no effect, and are refused", () => {
  const monitors = [{ kind: "chat", model: "gpt-4o-mini" }];
  expect(faultsOf(withGateway({ regions: ["weur"], monitors }))).toEqual([
    'gateways[0].regions: concerns no monitor of this gateway: regions ask for lists alone; add a monitor like { kind: "models" }, or remove it',
  ]);
  expect(faultsOf(withGateway({ regions: ["weur"], monitors: [{ kind: "models" }, ...monitors] }))).toEqual(
    [],
  );
});
