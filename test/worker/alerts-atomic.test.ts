/** A change and the alerts that it owes are one write: where either fails, there is neither. */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { config, gateway } from "../fixtures/config.ts";
import { channel } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { bindings, type Harness, harnessOn, minutes, START, TICK_MS } from "./ledger-harness.ts";

const DOWN = () => ({ diagnosis: diagnosis("upstream_unavailable", "down") });

/** Of a tick that opens an incident, where such statements are refused: what is found after a restart, and a tick later. */
async function foundAfter(refuses: Harness["refuses"]): Promise<unknown> {
  const stub = bindings.LEDGER.get(bindings.LEDGER.newUniqueId());
  return runInDurableObject(stub, async (_, state) => {
    const harness = harnessOn(state, config([gateway("g0")], { alerts: [channel("ops")] }), START);
    const found = () => ({
      incidents: Object.keys(harness.service.state.incidents).length,
      events: Number(state.storage.sql.exec("SELECT coalesce(sum(events), 0) AS n FROM alert").one()["n"]),
    });
    await harness.tick(START, DOWN);
    harness.refuses = refuses;
    await expect(harness.tick(START + TICK_MS, DOWN)).rejects.toThrow("disk I/O error");
    harness.refuses = () => false;
    harness.restart();
    const failed = found();
    // Until the lease of the tick that failed is over, its gateway is left alone.
    for (const at of minutes(START + 2 * TICK_MS, 8)) await harness.tick(at, DOWN);
    return { failed, later: found() };
  });
}

const BOTH_OR_NEITHER = { failed: { incidents: 0, events: 0 }, later: { incidents: 1, events: 1 } };

test("an event that cannot be stored leaves no incident", async () => {
  expect(await foundAfter((query) => /^(?:INSERT INTO|UPDATE) alert\b/u.test(query))).toEqual(
    BOTH_OR_NEITHER,
  );
});

test("an incident that cannot be stored leaves no event", async () => {
  let writes = 0;
  // The tick's begin writes the journal first, and owes nothing yet.
  const refuses = (query: string) => /INTO document\b/u.test(query) && (writes += 1) > 1;
  expect(await foundAfter(refuses)).toEqual(BOTH_OR_NEITHER);
});
