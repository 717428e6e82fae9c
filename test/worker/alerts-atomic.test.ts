/** A change and the alerts that it owes are one write: where either fails, there is neither. */
import { expect, test } from "vitest";
import { config, gateway } from "../fixtures/config.ts";
import { channel } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { inLedger, minutes, START, TICK_MS } from "./ledger-harness.ts";

const DOWN = () => ({ diagnosis: diagnosis("upstream_unavailable", "down") });

/** Of a tick that opens an incident, where such statements are refused: what is found after a restart, and a tick later. */
async function foundAfter(refuses: (query: string) => boolean): Promise<unknown> {
  const settings = config([gateway("g0")], { alerts: [channel("ops")] });
  return inLedger({ config: settings }, async (harness, sql) => {
    const found = () => ({
      incidents: Object.keys(harness.service.memory.state.incidents).length,
      events: Number(sql.exec("SELECT coalesce(sum(events), 0) AS n FROM alert").one()["n"]),
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

/** `before`: so many such statements are let through first. */
test.each<[what: string, statement: RegExp, before: number]>([
  ["an event that cannot be stored leaves no incident", /^(?:INSERT INTO|UPDATE) alert\b/u, 0],
  // The tick's begin writes the journal first, and owes nothing yet.
  ["an incident that cannot be stored leaves no event", /INTO document\b/u, 1],
])("%s", async (_, statement, before) => {
  let seen = 0;
  const refuses = (query: string): boolean => statement.test(query) && (seen += 1) > before;
  const bothOrNeither = { failed: { incidents: 0, events: 0 }, later: { incidents: 1, events: 1 } };
  expect(await foundAfter(refuses)).toEqual(bothOrNeither);
});
