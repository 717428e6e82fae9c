/** What is made of a state of which something was lost. */
import { expect, test } from "vitest";
import { calendarOf } from "../../src/domain/calendar.ts";
import { openIncident } from "../../src/domain/incident.ts";
import { repairState } from "../../src/ledger/quarantine/repaired-state.ts";
import { EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";

const NOW = Date.parse("2026-11-20T09:00:00Z");

test("each of the monitoring's own networks finds its own incident again", () => {
  const opened = (name: string) =>
    openIncident(
      { gatewayId: null, monitorIds: [], name },
      diagnosis("connection_failed", "unknown"),
      null,
      NOW,
    );
  const repaired = (names: readonly string[]) => {
    const incidents = Object.fromEntries(names.map(opened).map((incident) => [incident.id, incident]));
    const { journal } = repairState(
      { ...EMPTY_STATE, incidents },
      {
        config: config([gateway("neo")]),
        archive: { recent: { between: () => new Map() } },
        calendar: calendarOf("UTC"),
        nowMs: NOW,
        lost: ["journal"],
      },
    );
    return [journal.ownNetwork.incidentId, journal.vantageNetwork.incidentId];
  };
  expect(repaired([])).toEqual([null, null]);
  expect(repaired(["monitoring"])).toEqual(["monitoring-20261120t090000z", null]);
  expect(repaired(["vantage-points"])).toEqual([null, "vantage-points-20261120t090000z"]);
  expect(repaired(["vantage-points-2", "monitoring-2"])).toEqual([
    "monitoring-2-20261120t090000z",
    "vantage-points-2-20261120t090000z",
  ]);
});
