import { expect, test } from "vitest";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { feedReader, hoursOn, INCIDENT_ID } from "./feed-reader.ts";
import { endEntry, NOW_MS, publishedIncident, statusDocument, timelineEntry } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const { feed, story, text } = feedReader(world);

const at = (time: string): string => `2026-11-20T${time}:00.000Z`;
const TIMEOUT = { cause: "timeout", owner: "operator", health: "down" } as const;

/** As of so many hours on. */
function publish(
  tail: Partial<SnapshotTail>,
  maintenance = tail.maintenance ?? [],
  hours = 0,
): Promise<void> {
  const facts = { lastTickMs: NOW_MS + hours * 3_600_000 };
  return world.publish(statusDocument({ maintenance: [...maintenance] }), tail, facts);
}

test("an entry is an incident: id, dates, title, author, its page, and its story", async () => {
  await publish({ incidents: [publishedIncident()] });
  const [entry] = (await feed()).entries;
  expect(entry).toMatchObject({
    id: `tag:status.example,2026-11-20:incidents/${INCIDENT_ID}`,
    title: { value: "Monitor blocked: Acme · models: The balance is used up" },
    published: at("08:00"),
    updated: at("08:00"),
    authors: [{ name: "Acme gateways" }],
    links: [{ rel: "alternate", type: "text/html", href: `https://status.example/incidents/${INCIDENT_ID}` }],
    content: { type: "html" },
  });
  expect(entry?.words).toBe(
    "Monitor blocked. A blocked monitor cannot see whether its gateway works. That alone is no outage of the gateway. " +
      "Whose turn: the owner of the monitor’s key. " +
      "2026-11-20 08:00:00 UTC opened (Blocked: The balance is used up). " +
      "Whose turn then: the owner of the monitor’s key. Top up.",
  );
});

test("an ended incident tells its end, its notes and who saw it, and is as new as the last of them", async () => {
  const ended = publishedIncident({
    ...TIMEOUT,
    resolvedAt: at("09:30"),
    acknowledgedAt: at("08:05"),
    timeline: [timelineEntry({ ...TIMEOUT, text: "Wait." }), endEntry({ at: at("09:30"), cause: "timeout" })],
    notes: [{ at: at("10:15"), text: "A switch had failed." }],
  });
  await publish({ incidents: [ended] });
  const [entry] = (await feed()).entries;
  const title = { value: "Resolved: Acme · models: No complete answer in time" };
  expect(entry).toMatchObject({ title, published: at("08:00"), updated: at("10:15") });
  for (const words of [
    "A person has seen it.",
    "Whose turn then: the gateway’s operator.",
    "Note of 2026-11-20 10:15:00 UTC: A switch had failed.",
    "2026-11-20 09:30:00 UTC resolved: The last probes succeeded.",
  ])
    expect(entry?.words).toContain(words);
});

test("a gateway that publishes its health alone shows no cause, turn, message or advice", async () => {
  const incident = publishedIncident({ ...TIMEOUT, timeline: [timelineEntry(TIMEOUT)] });
  await publish({ incidents: [incident], withCauses: [] });
  const [entry] = (await feed()).entries;
  expect(entry?.title?.value).toBe("Down: Acme · models");
  const told = "Down. 2026-11-20 08:00:00 UTC opened (Down)";
  expect(entry?.words).toBe(told);
  expect(await text()).not.toMatch(/balance|no credit|Top up|operator|timeout/u);
});

test("a long timeline is told by its latest ten changes, and says what it leaves out", async () => {
  const timeline = Array.from({ length: 40 }, (_, minute) =>
    timelineEntry({ type: "updated", at: at(`08:${minute + 10}`), text: `Change ${minute}.` }),
  );
  await publish({ incidents: [publishedIncident({ timeline })] });
  const words = await story();
  expect(words).toContain("The timeline begins with 30 earlier changes");
  expect(words).not.toContain("Change 29.");
  for (const change of ["Change 30.", "Change 39."]) expect(words).toContain(change);
});

const MOVE = { from: "2026-11-22T12:00:00.000Z", to: "2026-11-22T14:00:00.000Z", title: "Move" };
const OF_ACME = { gateways: ["acme"], ...MOVE };
const WINDOW_ID = "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00";

test("planned maintenance is told from a day before, and anew when it begins and when it ends", async () => {
  const maintenance = [{ id: "m1", ...OF_ACME }];
  const told = async (hours: number, planned = maintenance) => {
    await publish({ maintenance }, planned, hours);
    const { entries, updated } = await feed(hoursOn(hours));
    return entries.map((entry) => [entry.id, entry.title?.value, entry.updated, updated]);
  };
  const row = (title: string, instant: string) => [
    ["tag:status.example,2026-11-21:maintenance/m1", title, instant, instant],
  ];
  expect(await told(23.99)).toEqual([]);
  expect(await told(24)).toEqual(row("Planned maintenance: Move", "2026-11-21T12:00:00.000Z"));
  expect(await told(48)).toEqual(row("Planned maintenance, under way: Move", MOVE.from));
  const over = row("Planned maintenance, over: Move", MOVE.to);
  expect(await told(50)).toEqual(over);
  expect(await told(60, [])).toEqual(over);
});

test("a window of the configuration has no id of its own, and is known by when it begins, and whom it concerns", async () => {
  await publish({ maintenance: [{ gateways: [], ...MOVE }, OF_ACME] }, undefined, 24);
  const { entries } = await feed(hoursOn(24));
  expect(entries.map(({ id }) => id)).toEqual([WINDOW_ID, `${WINDOW_ID}.acme`]);
  expect(entries[0]?.words).toBe(
    "Move: from 2026-11-22 12:00:00 UTC to 2026-11-22 14:00:00 UTC. It concerns Acme. " +
      "What is seen meanwhile does not count in the uptime.",
  );
});

test("windows that begin together have an id each, which a longer end and another title leave as it is", async () => {
  const idsOf = async (changed: object) => {
    const maintenance = [{ ...OF_ACME, ...changed }, { ...OF_ACME, title: "New disks" }, OF_ACME];
    await publish({ maintenance }, undefined, 24);
    return (await feed(hoursOn(24))).entries.map(({ id }) => id);
  };
  const ids = ["", "%3A2", "%3A3"].map((end) => `${WINDOW_ID}.acme${end}`);
  expect(await idsOf({})).toEqual(ids);
  expect(await idsOf({ to: "2026-11-22T18:00:00.000Z", title: "The move takes longer" })).toEqual(ids);
});

test("of windows that begin together each keeps its id when another one ends", async () => {
  const long = { ...OF_ACME, to: "2026-11-22T18:00:00.000Z", title: "Long" };
  const short = { ...OF_ACME, title: "Short" };
  const idsAt = async (hours: number) => {
    await publish({ maintenance: [long, short] }, hours < 50 ? [long, short] : [long], hours);
    const { entries } = await feed(hoursOn(hours));
    return Object.fromEntries(entries.map(({ id, title }) => [title?.value?.split(": ")[1], id]));
  };
  expect(await idsAt(51)).toEqual(await idsAt(49));
});

test("once checks run again, it is told from when to when there were none, and the feed does not fall back", async () => {
  const silence = { fromMs: NOW_MS - 7_200_000, toMs: NOW_MS - 3_600_000 };
  await publish({ incidents: [publishedIncident()], silence });
  const { entries, updated } = await feed();
  expect(updated).toBe(at("11:00"));
  const id = "tag:status.example,2026-11-20:resumed/2026-11-20T11%3A00%3A00.000Z";
  expect(entries.map((entry) => entry.id)).toEqual([id, expect.stringContaining("incidents/")]);
  expect(entries[0]).toMatchObject({ title: { value: "The checks run again" }, updated });
  expect(entries[0]?.words).toBe(
    "From 2026-11-20 10:00:00 UTC to 2026-11-20 11:00:00 UTC nothing was checked: how the gateways were then is not known.",
  );
});

test("a silence that no page told is not told when it is over", async () => {
  for (const [ms, entries] of [
    [420_000, 0],
    [420_001, 1],
  ] as const) {
    await publish({ silence: { fromMs: NOW_MS - ms, toMs: NOW_MS } });
    expect((await feed()).entries).toHaveLength(entries);
  }
});

test("when the checks have stopped, the newest entry and the subtitle say so, and no incident is called open", async () => {
  await publish({ incidents: [publishedIncident()] });
  expect((await feed({ now: () => NOW_MS + 420_000 })).entries).toHaveLength(1);
  const told = await feed({ now: () => NOW_MS + 420_001 });
  expect(told.subtitle?.value).toBe("The checks have stopped. Nothing here says how the gateways are now.");
  expect(told.updated).toBe(at("12:07"));
  expect(told.entries).toHaveLength(2);
  expect(told.entries[0]).toMatchObject({
    id: "tag:status.example,2026-11-20:stopped/2026-11-20T12%3A07%3A00.000Z",
    title: { value: "The checks have stopped" },
    updated: at("12:07"),
    links: [{ href: "https://status.example/" }],
  });
  expect(told.entries[0]?.words).toBe(
    "The last round of checks whose results arrived here is that of 2026-11-20 12:00:00 UTC. " +
      "Nothing here says how the gateways are now. The people who run the monitoring must act.",
  );
  expect(told.entries[1]?.words).not.toContain("is open");
});
