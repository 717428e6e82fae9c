/** Snapshots are rarer than checks: the next check that a page knows of may have come meanwhile. */
import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  depsOf,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

const INCIDENT = incidentDocument();
const STATUS = statusDocument({
  gateways: [
    gatewayDocument({
      status: "blocked",
      monitors: [
        monitorDocument({
          status: "blocked",
          diagnosis: BALANCE_GONE,
          nextProbeAt: "2026-11-20T12:01:00.000Z",
        }),
      ],
    }),
  ],
  incidents: [INCIDENT],
});
const DUE_MS = NOW_MS + 60_000;

async function wordsOf(path: string, nowMs: number): Promise<string> {
  await world.publish(STATUS, { incidents: [{ incident: INCIDENT, reports: [], fullReports: [] }] });
  const request = new Request(`https://status.example${path}`);
  return textOf(await (await handleRequest(request, depsOf(world.kv, { now: () => nowMs }))).text());
}

test.each([
  ["on the cards of the overview", "/", "Next check", "下次检查"],
  ["in the list of incidents", "/", "Next check:", "下次检查："],
  ["on the gateway's page", "/gateways/acme", "Next check", "下次检查"],
  ["on the incident's page", `/incidents/${INCIDENT.id}`, "Next check", "下次检查"],
])(
  "%s a check whose instant is over was due then, for nothing newer is known",
  async (_, path, term, chinese) => {
    const early = await wordsOf(path, DUE_MS - 1);
    expect(early).toContain(`${term} 2026-11-20 12:01:00 UTC`);
    expect(early).not.toContain("was due");
    for (const nowMs of [DUE_MS, DUE_MS + 60_000]) {
      const due = await wordsOf(path, nowMs);
      expect(due).toContain(`${term} was due at 2026-11-20 12:01:00 UTC`);
      expect(await wordsOf(`${path}?lang=zh`, nowMs)).toMatch(
        new RegExp(`${chinese} ?原定于 2026-11-20 12:01:00 UTC`, "u"),
      );
    }
  },
);

test("a stale page says when it was due", async () => {
  for (const path of ["/", "/gateways/acme", `/incidents/${INCIDENT.id}`]) {
    const stale = await wordsOf(path, NOW_MS + 3_600_000);
    expect(stale).toContain("Next check was due 2026-11-20 12:01:00 UTC");
    expect(stale).not.toContain("was due at");
  }
});
