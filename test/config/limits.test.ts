/** What one invocation and one queue carry: more is refused. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/load.ts";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../src/local/compatibility.ts";
import { ACME, faultsOf } from "./parsed.ts";

const TOO_MANY =
  "maxProbesPerTick: is too many for the 50 requests that an invocation of the free plan may send in all";
const of = (more: object) => ({ title: "T", gateways: [], ...more });

test("more probes a tick than the heartbeat leaves room for are refused", () => {
  expect(faultsOf(of({ maxProbesPerTick: 50 }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 49, heartbeat: "BEAT_URL" }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 50, heartbeat: "BEAT_URL" }))).toEqual([
    `${TOO_MANY}; write at most 49, or plan: "paid"`,
  ]);
});

test("a misspelled plan is one fault: its limits are not held", () => {
  const paid = { plan: "piad", shards: 5, lanes: 9, maxProbesPerTick: 500 };
  expect(faultsOf(of(paid))).toEqual(["plan: is not a plan; did you mean paid? Otherwise use free"]);
});

test("the queue of the free plan carries two shards, that of the paid one a hundred", () => {
  expect(readConfig(of({})).shards).toBe(1);
  expect(readConfig(of({ shards: 2 })).shards).toBe(2);
  expect(readConfig(of({ shards: 100, plan: "paid" })).shards).toBe(100);
  expect(faultsOf(of({ shards: 3 }))).toEqual([
    'shards: is too many for the queue of the free plan: each shard sends a message a minute; write at most 2, or plan: "paid"',
  ]);
  for (const shards of [0, 101])
    expect(faultsOf(of({ shards, plan: "paid" }))[0]).toMatch(/^shards: .* from 1 to 100, without quotes$/u);
});

test("what runs here behaves like what is deployed", async () => {
  const deployed = await readFile(new URL("../../wrangler.toml", import.meta.url), "utf8");
  expect(/^compatibility_date = "(.+)"$/m.exec(deployed)?.[1]).toBe(COMPATIBILITY_DATE);
  expect(JSON.parse(/^compatibility_flags = (.+)$/m.exec(deployed)?.[1] ?? "[]")).toEqual(
    COMPATIBILITY_FLAGS,
  );
});

const upstream = (...pages: readonly string[]) =>
  pages.map((page) => ({ name: page, status: `https://${page}.example` }));

test("status pages of providers take up to two requests of a tick", () => {
  const gateways = (...pages: readonly string[]) => [{ ...ACME, upstream: upstream(...pages) }];
  expect(faultsOf(of({ maxProbesPerTick: 48, gateways: gateways("a", "b", "c") }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 50, heartbeat: "BEAT_URL", gateways: gateways("a") }))).toEqual([
    `${TOO_MANY}; write at most 48, or plan: "paid"`,
  ]);
});

const FIRST = { name: "OpenAI", status: "https://status.openai.com" };

test.each<[upstream: unknown, ...faults: string[]]>([
  [[{ ...FIRST, status: "http://status.openai.com" }], "[0].status: is not https; use https"],
  [
    [{ ...FIRST, status: "status.openai.com" }],
    "[0].status: is not a web address; write it like https://status.example.com",
  ],
  [
    [{ ...FIRST, status: `${FIRST.status}/api/v2/summary.json` }],
    "[0].status: contains /api; remove /api and everything after it",
  ],
  [[{ name: "Local", status: "http://10.0.0.7:8080/page" }]],
  [[{ ...FIRST, status: `${FIRST.status}/` }]],
  [upstream("a", "b", "c", "d", "e"), ": is too long; use at most 4"],
])("of the upstream %j is said what is wrong", (named, ...faults) => {
  const gateways = [
    { ...ACME, upstream: [FIRST] },
    { ...ACME, id: "beta", upstream: named },
  ];
  expect(faultsOf(of({ gateways }))).toEqual(faults.map((fault) => `gateways[1].upstream${fault}`));
});
