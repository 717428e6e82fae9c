import { expect, test } from "vitest";
import { feedReader, hoursOn, INCIDENT_ID } from "./feed-reader.ts";
import { textOf } from "./html.ts";
import {
  endEntry,
  NOW_MS,
  publishedIncident,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const world = useWorld();

const { feed, story, text } = feedReader(() => world);

test("an entry is an incident: id, dates, title, author, its page, and its story", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const [entry] = (await feed()).entries;
  expect(entry).toMatchObject({
    id: `tag:status.example,2026-11-20:incidents/${INCIDENT_ID}`,
    title: { value: "Monitor blocked: Acme · models: The balance is used up" },
    published: "2026-11-20T08:00:00.000Z",
    updated: "2026-11-20T08:00:00.000Z",
    authors: [{ name: "Acme gateways" }],
    links: [{ rel: "alternate", type: "text/html", href: `https://status.example/incidents/${INCIDENT_ID}` }],
    content: { type: "html" },
  });
  expect(await story()).toBe(
    "This incident is open. The monitor cannot see whether the gateway works. This is no outage of the gateway. " +
      "Whose turn: the owner of the monitor’s key. " +
      "The service’s own words, at first: no credit " +
      "Opened 2026-11-20 08:00:00 UTC. " +
      "2026-11-20 08:00:00 UTC opened (Blocked: The balance is used up). " +
      "Whose turn then: the owner of the monitor’s key. Top up.",
  );
});

test("an ended incident tells its end, its notes and who saw it, and is as new as the last of them", async () => {
  const ended = publishedIncident({
    cause: "timeout",
    owner: "operator",
    health: "down",
    resolvedAt: "2026-11-20T09:30:00.000Z",
    acknowledgedAt: "2026-11-20T08:05:00.000Z",
    timeline: [
      timelineEntry({ cause: "timeout", owner: "operator", health: "down", text: "Wait." }),
      endEntry({ at: "2026-11-20T09:30:00.000Z", cause: "timeout" }),
    ],
    notes: [{ at: "2026-11-20T10:15:00.000Z", text: "A switch had failed." }],
  });
  await world.publish(statusDocument(), { incidents: [ended] });
  const [entry] = (await feed()).entries;
  expect(entry).toMatchObject({
    title: { value: "Resolved (was Down): Acme · models: No complete answer in time" },
    published: "2026-11-20T08:00:00.000Z",
    updated: "2026-11-20T10:15:00.000Z",
  });
  const words = await story();
  expect(words).toContain("This incident is resolved.");
  expect(words).toContain("Whose turn it was: the gateway’s operator.");
  expect(words).toContain("Seen by a person 2026-11-20 08:05:00 UTC.");
  expect(words).toContain(
    "Resolved 2026-11-20 09:30:00 UTC, after 1 h 31 min, counted from the first failed check.",
  );
  expect(words).toContain("Note of 2026-11-20 10:15:00 UTC: A switch had failed.");
  expect(words).toContain("2026-11-20 09:30:00 UTC resolved: The last probes succeeded.");
});

test("a gateway that publishes its health alone shows no cause, turn, message or advice", async () => {
  const failure = { cause: "timeout", owner: "operator", health: "down" } as const;
  const incident = publishedIncident({ ...failure, timeline: [timelineEntry(failure)] });
  await world.publish(statusDocument(), { incidents: [incident], withCauses: [] });
  const [entry] = (await feed()).entries;
  expect(entry?.title?.value).toBe("Down: Acme · models");
  expect(await story()).toBe(
    "This incident is open. Opened 2026-11-20 08:00:00 UTC. 2026-11-20 08:00:00 UTC opened (Down)",
  );
  expect(await text()).not.toMatch(/balance|no credit|Top up|operator|timeout/u);
});

test("a long timeline is told by its latest ten changes, and says what it leaves out", async () => {
  const timeline = Array.from({ length: 40 }, (_, minute) =>
    timelineEntry({
      type: "updated",
      at: `2026-11-20T08:${String(minute + 10)}:00.000Z`,
      text: `Change ${minute}.`,
    }),
  );
  await world.publish(statusDocument(), { incidents: [publishedIncident({ timeline })] });
  const words = await story();
  expect(words).toContain("The timeline begins with 30 earlier changes");
  expect(words).not.toContain("Change 29.");
  expect(words).toContain("Change 30.");
  expect(words).toContain("Change 39.");
});

const MOVE = { from: "2026-11-22T12:00:00.000Z", to: "2026-11-22T14:00:00.000Z", title: "Move" };

test("planned maintenance is told from a day before, and anew when it begins and when it ends", async () => {
  const window = { id: "m1", gateways: ["acme"], ...MOVE };
  const at = async (hours: number) => {
    const facts = { lastTickMs: NOW_MS + hours * 3_600_000 };
    await world.publish(statusDocument({ maintenance: [window] }), {}, facts);
    return (await feed(hoursOn(hours))).entries.map(({ id, title, updated }) => [id, title?.value, updated]);
  };
  const id = "tag:status.example,2026-11-21:maintenance/m1";
  expect(await at(23.99)).toEqual([]);
  expect(await at(24)).toEqual([[id, "Planned maintenance: Move", "2026-11-21T12:00:00.000Z"]]);
  expect(await at(48)).toEqual([[id, "Planned maintenance, under way: Move", "2026-11-22T12:00:00.000Z"]]);
  const over = [[id, "Planned maintenance, over: Move", "2026-11-22T14:00:00.000Z"]];
  expect(await at(50)).toEqual(over);
  await world.publish(statusDocument(), { maintenance: [window] }, { lastTickMs: NOW_MS + 60 * 3_600_000 });
  const { entries, updated } = await feed(hoursOn(60));
  expect(entries.map((entry) => [entry.id, entry.title?.value, entry.updated])).toEqual(over);
  expect(updated).toBe("2026-11-22T14:00:00.000Z");
});

test("a window of the configuration has no id of its own, and is known by when it begins, and whom it concerns", async () => {
  const windows = [
    { gateways: [], ...MOVE },
    { gateways: ["acme"], ...MOVE },
  ];
  await world.publish(statusDocument({ maintenance: windows }), {}, { lastTickMs: NOW_MS + 86_400_000 });
  const { entries } = await feed(hoursOn(24));
  expect(entries.map(({ id }) => id)).toEqual([
    "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00",
    "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00.acme",
  ]);
  expect(textOf(entries[0]?.content?.value ?? "")).toBe(
    "Move: from 2026-11-22 12:00:00 UTC to 2026-11-22 14:00:00 UTC. It concerns Acme. " +
      "What is seen meanwhile does not count in the uptime.",
  );
});

test("windows that begin together have an id each, which a longer end and another title leave as it is", async () => {
  const idsOf = async (changed: object) => {
    const windows = [
      { gateways: ["acme"], ...MOVE, ...changed },
      { gateways: ["acme"], ...MOVE, title: "New disks" },
      { gateways: ["acme"], ...MOVE },
    ];
    await world.publish(statusDocument({ maintenance: windows }), {}, { lastTickMs: NOW_MS + 86_400_000 });
    return (await feed(hoursOn(24))).entries.map(({ id }) => id);
  };
  const ids = await idsOf({});
  expect(ids).toEqual([
    "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00.acme",
    "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00.acme%3A2",
    "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00.acme%3A3",
  ]);
  expect(await idsOf({ to: "2026-11-22T18:00:00.000Z", title: "The move takes longer" })).toEqual(ids);
});

test("once checks run again, it is told from when to when there were none, and the feed does not fall back", async () => {
  const silence = { fromMs: NOW_MS - 7_200_000, toMs: NOW_MS - 3_600_000 };
  await world.publish(statusDocument(), { incidents: [publishedIncident()], silence });
  const { entries, updated } = await feed();
  expect(updated).toBe("2026-11-20T11:00:00.000Z");
  expect(entries.map(({ id }) => id)).toEqual([
    "tag:status.example,2026-11-20:resumed/2026-11-20T11%3A00%3A00.000Z",
    expect.stringContaining("incidents/"),
  ]);
  expect(entries[0]).toMatchObject({ title: { value: "The checks run again" }, updated });
  expect(textOf(entries[0]?.content?.value ?? "")).toBe(
    "From 2026-11-20 10:00:00 UTC to 2026-11-20 11:00:00 UTC nothing was checked: how the gateways were then is not known.",
  );
});

test("of windows that begin together each keeps its id when another one ends", async () => {
  const long = { gateways: ["acme"], ...MOVE, to: "2026-11-22T18:00:00.000Z", title: "Long" };
  const short = { gateways: ["acme"], ...MOVE, title: "Short" };
  const idsAt = async (hours: number) => {
    const status = statusDocument({ maintenance: hours < 50 ? [long, short] : [long] });
    const facts = { lastTickMs: NOW_MS + hours * 3_600_000 };
    await world.publish(status, { maintenance: [long, short] }, facts);
    const { entries } = await feed(hoursOn(hours));
    return Object.fromEntries(entries.map(({ id, title }) => [title?.value?.split(": ")[1], id]));
  };
  expect(await idsAt(51)).toEqual(await idsAt(49));
});

test("a silence that no page told is not told when it is over", async () => {
  const silence = { fromMs: NOW_MS - 420_000, toMs: NOW_MS };
  await world.publish(statusDocument(), { silence });
  expect((await feed()).entries).toEqual([]);
  await world.publish(statusDocument(), { silence: { ...silence, fromMs: silence.fromMs - 1 } });
  expect((await feed()).entries).toHaveLength(1);
});

test("when the checks have stopped, the newest entry and the subtitle say so, and no incident is called open", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  expect((await feed({ now: () => NOW_MS + 420_000 })).entries).toHaveLength(1);
  const told = await feed({ now: () => NOW_MS + 420_001 });
  expect(told.subtitle?.value).toBe("The checks have stopped: nothing here says how the gateways are now.");
  expect(told.updated).toBe("2026-11-20T12:07:00.000Z");
  expect(told.entries).toHaveLength(2);
  expect(told.entries[0]).toMatchObject({
    id: "tag:status.example,2026-11-20:stopped/2026-11-20T12%3A07%3A00.000Z",
    title: { value: "The checks have stopped" },
    updated: "2026-11-20T12:07:00.000Z",
    links: [{ href: "https://status.example/" }],
  });
  expect(textOf(told.entries[0]?.content?.value ?? "")).toBe(
    "The last round of checks whose results arrived here is that of 2026-11-20 12:00:00 UTC. " +
      "Nothing here says how the gateways are now. Whoever runs the monitoring must act.",
  );
  expect(textOf(told.entries[1]?.content?.value ?? "")).toContain(
    "This incident was open when the checks stopped; it may be over by now.",
  );
});
