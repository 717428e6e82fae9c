import { expect, test } from "vitest";
import { applyChanges, type OpenIncidents } from "../../src/domain/happening.ts";
import { type Incident, openIncident, resolveIncident } from "../../src/domain/incident.ts";
import { DIAGNOSES, MINUTE } from "./alarm-play.ts";

function incident(name: string): Incident {
  const subject = { gatewayId: "a", monitorIds: [`a/${name}`], name: `a/${name}` };
  return openIncident(subject, DIAGNOSES["D"]!, null, MINUTE);
}

const [first, second, third] = ["one", "two", "three"].map(incident) as [Incident, Incident, Incident];
const OPEN: OpenIncidents = Object.freeze({ [first.id]: first, [second.id]: second });

test("what changed takes its place, what is new comes last, and what ended is open no more", () => {
  const changed = { ...second, flapping: true };
  const ended = resolveIncident(first, 2 * MINUTE);
  const { incidents, resolved } = applyChanges(OPEN, { incidents: [changed, ended, third] });
  expect(Object.values(incidents)).toEqual([changed, third]);
  expect(resolved).toEqual([ended]);
});

test("what ended before anybody knew it is among the ended alone", () => {
  const ended = resolveIncident(third, 2 * MINUTE);
  expect(applyChanges(OPEN, { incidents: [ended] })).toEqual({ incidents: OPEN, resolved: [ended] });
});

test("where nothing changed the record is the very same", () => {
  const { incidents, resolved } = applyChanges(OPEN, { incidents: [] });
  expect(incidents).toBe(OPEN);
  expect(resolved).toEqual([]);
});
