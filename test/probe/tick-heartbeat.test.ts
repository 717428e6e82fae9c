import { expect, test } from "vitest";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { gateway, gateways, play } from "./tick-play.ts";

const taken = async (): Promise<null> => null;
const unreached = diagnosis("dns_failure", "down", { layer: "network", httpStatus: null });
const lost = () => ({ type: "probed", outcome: outcome({ diagnosis: unreached }) }) as const;

test("a tick whose results the Ledger has sends one heartbeat, after the last of them", async () => {
  const { beats, batches } = await play({
    assignments: [...gateways(3), ...gateways(1, true)],
    takesMs: (id) => (id === "h0/m0" ? 7000 : 10),
    heartbeat: taken,
  });
  expect(beats).toEqual([7010]);
  expect(batches.at(-1)).toMatchObject({ at: 7010, results: [{ monitorId: "h0/m0" }] });
});

test("a tick in which nothing was due sends a heartbeat", async () => {
  expect((await play({ assignments: [], heartbeat: taken })).beats).toEqual([0]);
});

test("gateways that are down are no reason to be silent", async () => {
  const down = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });
  const { beats } = await play({
    assignments: gateways(3),
    probed: () => ({ type: "probed", outcome: outcome({ diagnosis: down }) }),
    heartbeat: taken,
  });
  expect(beats).toHaveLength(1);
});

test("a tick that another invocation began sends none", async () => {
  expect((await play({ assignments: gateways(2), duplicate: true, heartbeat: taken })).beats).toEqual([]);
});

test("a tick whose results the Ledger does not take sends none", async () => {
  const { beats, summary } = await play({
    assignments: gateways(2),
    record: () => Promise.reject(new Error("the object is gone")),
    heartbeat: taken,
  });
  expect(summary).toEqual(new Error("the object is gone"));
  expect(beats).toEqual([]);
});

test("a batch that the Ledger took at last is no reason to be silent", async () => {
  let failures = 2;
  const { beats, recorded } = await play({
    assignments: gateways(2),
    record: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("the object was reset");
    },
    heartbeat: taken,
  });
  expect(recorded).toHaveLength(2);
  expect(beats).toHaveLength(1);
});

test("a monitor that reaches no gateway at all sends none", async () => {
  const { beats, recorded } = await play({ assignments: gateways(3), probed: lost, heartbeat: taken });
  expect(recorded).toHaveLength(3);
  expect(beats).toEqual([]);
});

test("one gateway that answers proves that the monitor works", async () => {
  const { beats } = await play({
    assignments: gateways(3),
    probed: (id) => (id === "g1/m0" ? { type: "probed", outcome: outcome() } : lost()),
    heartbeat: taken,
  });
  expect(beats).toHaveLength(1);
});

test("gateways of one host that cannot be reached are that host's trouble: the heartbeat goes out", async () => {
  const { beats } = await play({
    assignments: gateways(2),
    hostOf: () => "one.example",
    probed: lost,
    heartbeat: taken,
  });
  expect(beats).toHaveLength(1);
});

test("nor is one gateway beside those that are worked on, or fail by themselves, the monitoring's trouble", async () => {
  const excused = { ...gateway("x"), excused: true };
  const { beats, recorded } = await play({
    assignments: [excused, ...gateways(1)],
    probed: lost,
    heartbeat: taken,
  });
  expect(recorded).toHaveLength(2);
  expect(beats).toHaveLength(1);
});

test("a monitor whose every probe breaks off does not work", async () => {
  const { beats } = await play({
    assignments: gateways(2),
    probed: () => {
      throw new TypeError("a bug");
    },
    heartbeat: taken,
  });
  expect(beats).toEqual([]);
});

test("a probe that breaks off beside others that do not is no reason to be silent", async () => {
  const { beats } = await play({
    assignments: gateways(2),
    probed: (id) => {
      if (id === "g0/m0") throw new TypeError("a bug");
      return { type: "probed", outcome: outcome() };
    },
    heartbeat: taken,
  });
  expect(beats).toHaveLength(1);
});

test("a heartbeat that comes to nothing is warned about once, and fails nothing", async () => {
  const { beats, warnings, summary } = await play({
    assignments: gateways(2),
    heartbeat: async () => "HTTP 503",
  });
  expect(beats).toHaveLength(1);
  expect(warnings).toEqual(["the heartbeat came to nothing: HTTP 503"]);
  expect(summary).toEqual({ duplicate: false, unfinished: false, probed: 2, putOff: 0 });
});
