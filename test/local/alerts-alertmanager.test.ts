/**
 * Alertmanager through the whole of the monitor: an alert fires as long as it is told again, and is cleared. Real Worker,
 * real Ledger, Debian's Alertmanager.
 */
import { describe, expect, test } from "vitest";
import { eventually } from "./program.ts";
import { alertingHouse, passMinutes, passTick } from "./support/alerting.ts";
import { hasAlertmanager, startAlertmanager } from "./support/debian-alertmanager.ts";
import { MINUTE_MS, type World } from "./support/world.ts";

const { receiver, start } = await alertingHouse();
const BAD = "envelope_5000";
const PLAYING = { acme: [BAD, BAD, BAD, BAD, BAD, "healthy"], other: ["healthy"] } as const;

function watching(address: string, startMs?: number): Promise<World> {
  const config = { alerts: [{ kind: "alertmanager" as const, url: "PROMETHEUS" }] };
  const secrets = { PROMETHEUS: address };
  return start(PLAYING, {}, { secrets, config, ...(startMs !== undefined && { startMs }) });
}

test("it is told again every two minutes while it fires, for five minutes that it is over, and then no more", async () => {
  const world = await watching(receiver.url("prometheus"));
  const minutes: number[] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    const before = receiver.at("prometheus").length;
    await passTick(world, minute * MINUTE_MS);
    if (receiver.at("prometheus").length > before) minutes.push(minute);
  }
  // Opened at 1, over at 6.
  expect(minutes).toEqual([1, 3, 5, 6, 7, 9]);
  const ends = receiver.at("prometheus").map(({ body }) => {
    const [alert] = JSON.parse(body) as { endsAt: string }[];
    return (Date.parse(alert?.endsAt ?? "") - world.startMs) / MINUTE_MS;
  });
  expect(ends).toEqual([11, 13, 15, 6, 6, 6]);
});

describe.skipIf(!hasAlertmanager)("Debian's Alertmanager", () => {
  test("lists the incident while it lasts, and no more when it is over", async ({ onTestFinished }) => {
    const config = { route: { receiver: "nobody" }, receivers: [{ name: "nobody" }] };
    const debian = await startAlertmanager(config, onTestFinished);
    // Its clock is the real one: what is told lies in the last minutes.
    const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 7 * MINUTE_MS;
    const world = await watching(debian.address, startMs);
    await passMinutes(world, 0, 4);
    const firing = await eventually(debian.active, (alerts) => alerts.length > 0);
    expect(firing).toMatchObject([
      { labels: { alertname: "GatepulseIncident", health: "down", owner: "operator", gateway: "acme" } },
    ]);
    await passMinutes(world, 4, 4);
    await eventually(debian.active, (alerts) => alerts.length === 0);
  });
});
