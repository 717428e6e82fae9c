import { expect, test } from "vitest";
import type { Assignment } from "../../src/domain/assignment.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

import { gateway, gateways, mostAtOnce, play } from "./tick-play.ts";

test("a gateway that begins to hang keeps nobody's result back more than five seconds", async () => {
  const { batches } = await play({
    assignments: gateways(4),
    takesMs: (id) => (id === "g1/m0" ? 30_000 : 100),
  });
  expect(batches[0]?.at).toBe(5000);
  expect(batches[0]?.results.map(({ monitorId }) => monitorId).sort()).toEqual(["g0/m0", "g2/m0", "g3/m0"]);
  expect(batches.at(-1)?.results.map(({ monitorId }) => monitorId)).toEqual(["g1/m0"]);
});

test("after the fast wave its results are recorded at once, whatever hangs behind it", async () => {
  const { batches } = await play({
    assignments: [...gateways(1, true), ...gateways(3)],
    takesMs: (id) => (id.startsWith("h") ? 30_000 : 100),
  });
  expect(batches[0]?.at).toBe(100);
  expect(batches[0]?.results).toHaveLength(3);
});

test("a tick that another invocation began probes nothing and records nothing", async () => {
  const { summary, log, batches } = await play({ assignments: gateways(2), duplicate: true });
  expect(summary).toEqual({ duplicate: true, unfinished: false, probed: 0, putOff: 0 });
  expect([log, batches]).toEqual([[], []]);
});

test("a tick without work still tells the Ledger that it is over", async () => {
  expect((await play({ assignments: [] })).batches).toMatchObject([{ results: [], returned: [] }]);
});

test("results that the Ledger does not take are offered again, none twice in one batch", async () => {
  let failures = 3;
  const { recorded, summary } = await play({
    assignments: gateways(3),
    record: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("the object was reset");
    },
  });
  expect(recorded.sort()).toEqual(["g0/m0", "g1/m0", "g2/m0"]);
  expect(summary).toMatchObject({ probed: 3 });
});

test("a Ledger that takes nothing ends the tick with its error, after several offers", async () => {
  let offers = 0;
  const { summary } = await play({
    assignments: gateways(1),
    record: async () => {
      offers += 1;
      throw new Error("the object is gone");
    },
  });
  expect(summary).toEqual(new Error("the object is gone"));
  expect(offers).toBe(5);
});

const lost = () => diagnosis("dns_failure", "down", { layer: "network", httpStatus: null });

test("all gateways failing by network is told as the monitoring's own trouble", async () => {
  const { batches } = await play({
    assignments: gateways(3),
    probed: () => ({ type: "probed", outcome: outcome({ diagnosis: lost() }) }),
  });
  const own = batches.filter(({ ownNetworkFailed }) => ownNetworkFailed);
  expect(own.flatMap(({ results }) => results)).toHaveLength(3);
  expect(
    batches.filter(({ ownNetworkFailed }) => !ownNetworkFailed).flatMap(({ results }) => results),
  ).toEqual([]);
});

test("one gateway that answers proves the network: the failures of the others are theirs", async () => {
  const { batches, recorded } = await play({
    assignments: gateways(3),
    takesMs: (id) => (id === "g2/m0" ? 8000 : 10),
    probed: (id) => ({ type: "probed", outcome: outcome(id === "g2/m0" ? {} : { diagnosis: lost() }) }),
  });
  expect(recorded.sort()).toEqual(["g0/m0", "g1/m0", "g2/m0"]);
  expect(batches.every(({ ownNetworkFailed }) => !ownNetworkFailed)).toBe(true);
});

test("gateways of one host that fail together are that host's trouble", async () => {
  const { batches } = await play({
    assignments: gateways(2),
    hostOf: () => "one.example",
    probed: () => ({ type: "probed", outcome: outcome({ diagnosis: lost() }) }),
  });
  expect(batches.flatMap(({ results, ownNetworkFailed }) => results.map(() => ownNetworkFailed))).toEqual([
    false,
    false,
  ]);
});

test("one that is excused tells nothing of the network, and is withheld with those that do", async () => {
  const played = async (assignments: Assignment[]) => {
    const { batches } = await play({
      assignments,
      probed: () => ({ type: "probed", outcome: outcome({ diagnosis: lost() }) }),
    });
    return batches.flatMap(({ results, ownNetworkFailed }) => results.map(() => ownNetworkFailed));
  };
  const excused = { ...gateway("x"), excused: true };
  expect(await played([excused, ...gateways(1)])).toEqual([false, false]);
  expect(await played([excused, ...gateways(2)])).toEqual([true, true, true]);
});

test("nor is it a second one beside one that failed, where no other was asked after all", async () => {
  const { batches } = await play({
    assignments: [{ ...gateway("x"), excused: true }, ...gateways(2)],
    probed: (id) =>
      id === "g1/m0"
        ? { type: "not_sent_by_platform" }
        : { type: "probed", outcome: outcome({ diagnosis: lost() }) },
  });
  expect(batches.every(({ ownNetworkFailed }) => !ownNetworkFailed)).toBe(true);
});

test("and where it alone stands beside one, that one's failure waits for nobody", async () => {
  const { batches } = await play({
    assignments: [{ ...gateway("x"), excused: true }, ...gateways(1)],
    takesMs: (id) => (id === "x/m0" ? 30_000 : 10),
    probed: () => ({ type: "probed", outcome: outcome({ diagnosis: lost() }) }),
  });
  expect(batches.map(({ at, results }) => [at, results[0]?.monitorId])).toEqual([
    [5000, "g0/m0"],
    [30_000, "x/m0"],
  ]);
});

test("a missing secret is no evidence about the network", async () => {
  const unset = diagnosis("authentication", "blocked", { layer: null, httpStatus: null });
  const { batches } = await play({
    assignments: gateways(2),
    probed: (id) => ({
      type: "probed",
      outcome: outcome({ diagnosis: id === "g0/m0" ? unset : lost(), attempts: [] }),
    }),
  });
  expect(batches.every(({ ownNetworkFailed }) => !ownNetworkFailed)).toBe(true);
});

test("a monitor that could not be sent is given back", async () => {
  const { batches } = await play({
    assignments: gateways(2),
    probed: (id) =>
      id === "g0/m0" ? { type: "not_sent_by_platform" } : { type: "probed", outcome: outcome() },
  });
  expect(batches.flatMap(({ returned }) => returned)).toEqual(["g0/m0"]);
});

test("a probe that breaks off costs its own result alone, and is reported", async () => {
  const { recorded, batches, warnings } = await play({
    assignments: gateways(3),
    probed: (id) => {
      if (id === "g1/m0") throw new TypeError("a bug");
      return { type: "probed", outcome: outcome() };
    },
  });
  expect(recorded.sort()).toEqual(["g0/m0", "g2/m0"]);
  expect(batches.flatMap(({ returned }) => returned)).toEqual(["g1/m0"]);
  expect(warnings).toEqual(["the probe of g1/m0 broke off"]);
});

test("gateways whose last invocation died go after all others, one by one, with the results before them recorded", async () => {
  const suspects = ["s0", "s1"].map((id) => gateway(id, false, 1, true));
  const { log, batches } = await play({ assignments: [...suspects, ...gateways(3), ...gateways(1, true)] });
  const starts = log.filter(({ event }) => event === "start").map(({ monitorId }) => monitorId);
  expect(starts.slice(-2)).toEqual(["s0/m0", "s1/m0"]);
  expect(mostAtOnce(log, (id) => id.startsWith("s"))).toBe(1);
  const recordedBefore = (id: string) => {
    const startedAt = log.find(({ monitorId }) => monitorId === id)?.at ?? 0;
    return batches.filter(({ at }) => at + 60_000 <= startedAt).flatMap(({ results }) => results).length;
  };
  expect([recordedBefore("s0/m0"), recordedBefore("s1/m0")]).toEqual([4, 5]);
});

test("Retry-After binds the gateway's other monitors within the tick too", async () => {
  const limited = diagnosis("rate_limited", "degraded", {
    retry: { allowed: true, afterSeconds: 60, hint: null },
  });
  const { recorded, batches } = await play({
    assignments: [gateway("g0", false, 3)],
    probed: (id) => ({ type: "probed", outcome: outcome(id === "g0/m1" ? { diagnosis: limited } : {}) }),
  });
  expect(recorded).toEqual(["g0/m0", "g0/m1"]);
  expect(batches.flatMap(({ returned }) => returned)).toEqual(["g0/m2"]);
});

test("a Ledger that does not answer a batch keeps no result of the tick", async () => {
  let calls = 0;
  const { recorded } = await play({
    assignments: gateways(3),
    record: () => {
      calls += 1;
      return calls === 1 ? new Promise(() => undefined) : Promise.resolve();
    },
  });
  expect(recorded.sort()).toEqual(["g0/m0", "g1/m0", "g2/m0"]);
});

test("edges that cannot reach any gateway prove nothing about the network", async () => {
  const atEdge = diagnosis("connection_failed", "down", { httpStatus: 521 });
  const { batches } = await play({
    assignments: gateways(2),
    probed: () => ({ type: "probed", outcome: outcome({ diagnosis: atEdge }) }),
  });
  expect(
    batches.filter(({ results }) => results.length > 0).every(({ ownNetworkFailed }) => ownNetworkFailed),
  ).toBe(true);
});
