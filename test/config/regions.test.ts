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

test("what is no region is refused, with the one that was meant", () => {
  expect(faultsOf(withGateway({ regions: ["weru"] }))).toEqual([
    "gateways[0].regions[0]: is none of the known values; did you mean weur?",
  ]);
  expect(faultsOf(withGateway({ regions: ["europe"] }))).toEqual([
    "gateways[0].regions[0]: is none of the known values; write regions out of wnam, enam, sam, weur, eeur, apac, apac-ne, apac-se, oc, afr, me",
  ]);
  expect(faultsOf(withGateway({ regions: "weur" }))).toEqual([
    'gateways[0].regions: is not a list; write a list like ["weur", "apac"]',
  ]);
  expect(faultsOf(withGateway({ regions: [] }))).toEqual([
    "gateways[0].regions: is empty; name a region, or leave regions out",
  ]);
});

test("a region that is named twice would count twice, and is refused", () => {
  expect(faultsOf(withGateway({ regions: ["weur", "apac", "weur"] }))).toEqual([
    "gateways[0].regions: names a region twice; name each region once",
  ]);
  expect(faultsOf(withGateway({ regions: ["eu", "weur", "weur"] }))).toEqual([
    "gateways[0].regions: names a region twice; name each region once",
    "gateways[0].regions[0]: is none of the known values; write regions out of wnam, enam, sam, weur, eeur, apac, apac-ne, apac-se, oc, afr, me",
  ]);
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

test("the name of the vantage points' binding is no name of a secret", () => {
  expect(faultsOf(withGateway({ apiKey: "VANTAGE" }))).toEqual([
    "gateways[0].apiKey: is a name that Gatepulse uses itself; give it a name of its own, like ACME_API_KEY",
  ]);
});
