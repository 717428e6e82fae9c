import { expect, test } from "vitest";
import { joinIncident, openIncident, updateIncident } from "../../src/domain/incident.ts";
import { CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";

const opened = openIncident(
  { gatewayId: "a", monitorIds: ["a/m"], name: "a/m" },
  diagnosis("timeout", "down"),
  null,
  0,
);

test("who was told of a cause or an owner finds it in the timeline, however much came after", () => {
  let incident = opened;
  for (const [index, cause] of CAUSES.entries()) {
    const owner = OWNERS[index % OWNERS.length]!;
    incident = updateIncident(incident, diagnosis(cause, "down", { owner }), index + 1);
  }
  for (let n = 0; n < 200; n += 1) incident = joinIncident(incident, `a/n${n}`, 100 + n);
  expect(incident.timeline).toHaveLength(40);
  expect(new Set(incident.timeline.map(({ cause }) => cause))).toEqual(new Set(CAUSES));
  expect(new Set(incident.timeline.map(({ owner }) => owner))).toEqual(new Set(OWNERS));
  expect(incident.timeline[0]).toMatchObject({ type: "opened", atMs: 0 });
  expect(incident.timeline.at(-1)).toMatchObject({ type: "joined", atMs: 299 });
  const instants = incident.timeline.map(({ atMs }) => atMs);
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
});

test("an owner is kept though its cause had others", () => {
  let incident = updateIncident(opened, diagnosis("timeout", "down", { owner: "caller" }), 1);
  for (let n = 2; n <= 100; n += 1) incident = updateIncident(incident, diagnosis("timeout", "down"), n);
  expect(incident.timeline.slice(0, 3).map(({ owner, atMs }) => [owner, atMs])).toEqual([
    ["operator", 0],
    ["caller", 1],
    ["operator", 63],
  ]);
});

test("a health is kept though its cause and its owner had others", () => {
  let incident = updateIncident(opened, diagnosis("timeout", "degraded"), 1);
  for (let n = 2; n <= 100; n += 1) incident = updateIncident(incident, diagnosis("timeout", "down"), n);
  expect(incident.timeline.map(({ health }) => health)).toContain("degraded");
});

test("of what is told over and over the oldest goes first", () => {
  let incident = opened;
  for (let n = 1; n <= 60; n += 1) {
    incident = updateIncident(incident, diagnosis(n % 2 ? "http_error" : "timeout", "down"), n);
  }
  expect(incident.timeline.map(({ atMs }) => atMs)).toEqual([
    0,
    ...Array.from({ length: 39 }, (_, n) => n + 22),
  ]);
});
