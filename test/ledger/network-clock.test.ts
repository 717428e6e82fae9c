/** What was noted of networks by a clock that ran ahead: once it is right again, nothing is blamed on the wrong one. */
import { expect, test } from "vitest";
import type { Journal } from "../../src/ledger/state/state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { MINUTE, Monitoring } from "./monitoring-play.ts";

const YEAR = 365 * 1440 * MINUTE;
const two = () => new Monitoring(config([gateway("a"), gateway("b")]));

function change(of: Monitoring, next: (journal: Journal) => Partial<Journal>): void {
  const { journal } = of.state;
  of.state = {
    ...of.state,
    journal: { ...journal, ...next(journal), clock: { lastMs: YEAR, steadyMs: YEAR } },
  };
}

/** What is noted of the gateway `a`. */
function changeA(of: Monitoring, ahead: Partial<NonNullable<Journal["gateways"][string]>>): void {
  change(of, ({ gateways: { a, ...others } }) => {
    if (!a) throw new Error("it is not known");
    return { gateways: { ...others, a: { ...a, ...ahead } } };
  });
}

test("a gateway that was not reached a year ahead fails by itself when another one follows", async () => {
  const of = await two().play({ a: "UL", b: "UU" });
  changeA(of, { unreachedSinceMs: YEAR });
  await of.play({ a: "LLLL", b: "UULL" });
  expect(of.told).toEqual(["3 a opened", "6 b opened"]);
});

test("that gateways were reached a year ahead makes those that die together none that fail by themselves", async () => {
  const of = await two().play({ a: "U", b: "U" });
  change(of, ({ ownNetwork }) => ({ ownNetwork: { ...ownNetwork, reachedTickMs: YEAR } }));
  await of.play({ a: "LLLLU", b: "LLLLU" });
  expect(of.told).toEqual(["3 own opened"]);
});
