/** Gateways handed over between real objects by real calls, with either of them ended at each step. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DOCUMENTS } from "../../src/ledger/state.ts";
import { Tables } from "../../src/ledger/tables.ts";
import { spread } from "../extent.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type Fate, START, TICK_MS, withFleet } from "./moving-ledger.ts";

/** With 3 shards `neo` stays, `papa` goes to 1, `north` and `two` go to 2. */
const IDS = ["neo", "two", "papa", "north"];
const ALL = ["neo/models", "north/models", "papa/models", "two/models"];

/** `papa` is down from the third tick on. */
const probe = (monitorId: string) =>
  monitorId === "papa/models" ? { diagnosis: diagnosis("timeout", "down"), latencyMs: null } : {};

interface Stored {
  readonly monitors: readonly string[];
  readonly incidents: readonly string[];
  readonly samples: number;
}

async function stored(shard: number): Promise<Stored> {
  const { MOVING } = env as unknown as { MOVING: DurableObjectNamespace };
  return runInDurableObject(MOVING.getByName(`ledger-${shard}`), async (_, { storage }) => {
    const tables = new Tables(storage.sql);
    const members = DOCUMENTS.members.parse(
      JSON.parse(tables.document("members") ?? '{"monitors":{},"incidents":{}}'),
    );
    return {
      monitors: Object.keys(members.monitors).sort(),
      incidents: Object.keys(members.incidents),
      samples: [...tables.batches(), ...tables.taken()].length,
    };
  });
}

async function move(fate: Fate, step: number): Promise<number> {
  let calls = 0;
  await withFleet(IDS, async (fleet) => {
    for (let n = 0; n < 3; n += 1) expect(await fleet.tick(probe)).toEqual(ALL);
    expect(fleet.told).toEqual(["incident.opened papa.models-20261120t090200z"]);
    fleet.onCall(() => (calls++ === step ? fate : "go"));
    await fleet.deploy(3);
    for (let n = 0; n < 2; n += 1) await fleet.tick(probe);
    expect(fleet.deaths).toBe(fate === "go" || step >= calls ? 0 : 1);
    fleet.onCall(() => "go");
    // Whoever died with an answer on its way leaves a lease behind.
    for (let n = 0; n < 6; n += 1) await fleet.tick(probe);
    expect(await fleet.tick(probe)).toEqual(ALL);
    expect((await stored(0)).monitors).toEqual(["neo/models"]);
    expect(await stored(1)).toMatchObject({
      monitors: ["papa/models"],
      incidents: ["papa.models-20261120t090200z"],
    });
    expect((await stored(2)).monitors).toEqual(["north/models", "two/models"]);
    expect(fleet.told).toEqual(["incident.opened papa.models-20261120t090200z"]);
    const recovered = () => ({});
    for (let n = 0; n < 2; n += 1) await fleet.tick(recovered);
    expect(fleet.told.at(-1)).toBe("incident.resolved papa.models-20261120t090200z");
    expect(fleet.told).toHaveLength(2);
  });
  return calls;
}

test("gateways move with their incidents, and nothing is told twice", async () => {
  expect(await move("go", 0)).toBe(8);
  expect(START % TICK_MS).toBe(0);
});

const FATES = ["the caller dies before", "the caller dies after", "the other dies after"] as const;
const DEATHS = Array.from({ length: 9 }, (_, step) => FATES.map((fate) => [fate, step] as const)).flat();

/** By default each step once, and each fate three times or four. */
test.each(spread(DEATHS, 10))("where %s step %i", async (fate, step) => {
  await move(fate, step);
});
