/** The calendar, as a reader that did not write it understands it. */
import * as fc from "fast-check";
import ICAL from "ical.js";
import { expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { recurringWindows } from "../../src/domain/recurrence.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { rounds } from "../extent.ts";
import { hostileText } from "../formats/hostile-text.ts";
import * as documents from "./documents.ts";
import { useWorld } from "./published-status.ts";

const { NOW_MS, plannedWindow, publishedIncident, statusDocument } = documents;
const world = useWorld();

/** Its lines are whole, have nothing but what RFC 5545 allows, and at most 75 bytes. */
async function calendarAt(path = "/calendar.ics") {
  const text = await world.text(path);
  // oxlint-disable-next-line no-control-regex -- these characters must not be there
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\0-\x08\n-\x1f\x7f]/u);
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  const events = calendar.getAllSubcomponents();
  expect(events.every(({ name }) => name === "vevent")).toBe(true);
  // The reader does not know that this one is a text too.
  const name = String(calendar.getFirstPropertyValue("x-wr-calname")).replaceAll(/\\(.)/gu, "$1");
  return { name, events: events.map(eventOf) };
}

function eventOf(event: InstanceType<typeof ICAL.Component>) {
  const valueOf = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null;
  const [uid, sequence, url] = ["uid", "sequence", "url"].map(valueOf);
  const times = ["dtstart", "dtend", "dtstamp", "last-modified"].map(valueOf);
  return { uid, sequence, url, times, summary: valueOf("summary"), description: valueOf("description") };
}

const publish = (tail: Partial<SnapshotTail>) => world.publish(statusDocument(), tail);

test("an incident is an event that is dated by its last change, and ends when it is over", async () => {
  await publish({ incidents: [publishedIncident()] });
  const { name, events } = await calendarAt();
  expect(name).toBe("Acme gateways");
  const [begun, over, at] = ["2026-11-20T08:00:00Z", "2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"];
  const same = {
    uid: "incidents/acme-models-20261120t080000z@status.example",
    url: "https://status.example/incidents/acme-models-20261120t080000z",
  };
  const summary = "Monitor blocked: Acme · models: The balance is used up";
  expect(events).toMatchObject([{ ...same, summary, times: [begun, null, begun, begun], sequence: "1" }]);
  expect(events[0]?.description).toMatch(/^Monitor blocked\. .*\nWhose turn: .*\n2026-11-20 08:00:00 UTC/u);
  const timeline = [documents.timelineEntry(), documents.endEntry({ at })];
  await publish({ incidents: [publishedIncident({ resolvedAt: at, timeline })] });
  expect((await calendarAt()).events).toMatchObject([
    { ...same, times: [begun, over, over, over], sequence: "2" },
  ]);
});

test("windows to come of a rule are events, in local time; a cancelled one is gone", async () => {
  const rule = { rrule: "FREQ=WEEKLY", from: "2026-11-15T02:00", timeZone: "Europe/Berlin" };
  const recurring = [{ ...rule, durationMs: 3_600_000, gateways: ["acme"], title: "Upgrade" }];
  const windows = recurringWindows(recurring, NOW_MS).map(({ fromMs, toMs, title }) => {
    return { gateways: ["acme"], title, from: instant(fromMs), to: instant(toMs) };
  });
  await publish({ maintenance: [...windows, { id: "m1", ...plannedWindow(["acme"], undefined, "Move") }] });
  const { events } = await calendarAt();
  const upgrades = ["29", "22", "15"].map((day) => `Planned maintenance: Upgrade 2026-11-${day}T01:00:00Z`);
  const told = events.map(({ summary, times }) => `${summary} ${times[0]}`);
  expect(told.filter((words) => words.includes("Upgrade"))).toEqual(upgrades);
  expect(events.map(({ uid }) => uid)).toContain("maintenance/m1@status.example");
  await publish({ maintenance: windows });
  expect((await calendarAt()).events).toHaveLength(3);
});

test("a gateway has a calendar of what concerns it, and others are not found", async () => {
  const maintenance = [["beta"], ["acme"], []].map((of) => plannedWindow(of, undefined, `of ${of.join()}`));
  const updates = [{ at: "2026-11-20T11:00:00.000Z", status: "resolved" as const, body: "It works." }];
  const announcements = (["incident", "announcement"] as const).map((kind) => {
    return { id: kind, kind, title: "Login", gateways: ["acme"], until: null, updates };
  });
  await publish({ maintenance, announcements });
  const { name, events } = await calendarAt("/calendar.ics?gateway=acme");
  expect(name).toBe("Acme · Acme gateways");
  const summaries = ["Planned maintenance: of acme", "Planned maintenance: of", "Resolved: Login"];
  expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(summaries));
  // It ended with its first update: an end that is no later than the start is not allowed.
  const times = events.find(({ summary }) => summary === "Resolved: Login")?.times.slice(0, 2);
  expect(times).toEqual(["2026-11-20T11:00:00Z", null]);
  expect((await world.ask("/calendar.ics?gateway=none")).status).toBe(404);
});

test("whatever names, titles and messages are, the events are the same, and have the words as text", async () => {
  const shown = async (words: string) => {
    const monitors = [documents.monitorDocument({ model: words })];
    const gateways = [documents.gatewayDocument({ name: words, monitors })];
    const notes = [{ at: "2026-11-20T08:30:00.000Z", text: words }];
    await world.publish(statusDocument({ title: words, gateways }), {
      incidents: [publishedIncident({ notes, url: words })],
      maintenance: [plannedWindow([], undefined, words)],
    });
    return calendarAt();
  };
  const harmless = await shown("words");
  await fc.assert(
    fc.asyncProperty(hostileText, async (hostile) => {
      const { name, events } = await shown(hostile);
      const plain = /[\w ,;\\:<>&"']+/u.exec(hostile)?.[0].trim().replaceAll(/ +/gu, " ") ?? "";
      expect(name).toContain(plain);
      for (const [index, { summary, description, ...same }] of events.entries()) {
        expect(harmless.events[index]).toMatchObject(same);
        expect(`${summary}${description}`).toContain(plain);
      }
      expect(events).toHaveLength(2);
    }),
    { numRuns: rounds(25, 100) },
  );
});
