/** What a gateway's page shows of the newest checks, and of the list of models. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { ModelNote } from "../../src/domain/model-notes.ts";
import type { Sample } from "../../src/domain/sample.ts";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { textOf } from "./html.ts";
import { courseTail, probesTail, stepsOf } from "./published-day.ts";
import { gatewayDocument, monitorDocument, NOW_MS, statusDocument, useWorld } from "./published-status.ts";

const world = useWorld();

async function get(
  tail: Partial<SnapshotTail>,
  monitor: Partial<MonitorDocument> = {},
  status: Partial<StatusDocument> = {},
): Promise<string> {
  const gateways = [gatewayDocument({ monitors: [monitorDocument(monitor)] })];
  await world.publish(statusDocument({ gateways, ...status }), tail);
  return world.text("/gateways/acme");
}

/** Of the table of probes; the first is its head. */
function probesOf(html: string): string[][] {
  const region =
    /<div class="scroll" role="group" aria-label="Newest checks"[^>]*>(.*?)<\/div>/su.exec(html)?.[1] ?? "";
  return [...region.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gsu)].map(([, cell = ""]) => textOf(cell)),
  );
}

const FAILED: Partial<Sample>[] = [
  { latencyMs: 812 },
  { health: "blocked", cause: "insufficient_balance", latencyMs: 90, httpStatus: 402 },
  { health: "down", cause: "timeout", latencyMs: null, httpStatus: null, attempts: 3, waitedMs: 7310 },
  {
    health: "down",
    cause: "upstream_unavailable",
    latencyMs: 70,
    httpStatus: 503,
    inMaintenance: true,
    attempts: 2,
    waitedMs: 999,
  },
  { health: "blocked", cause: "authentication", latencyMs: null, httpStatus: null, attempts: 0 },
];

test("the newest checks stand first, each with cause, latency, attempts and waits, HTTP and maintenance", async () => {
  const [head, ...rows] = probesOf(await get(probesTail(FAILED)));
  expect(head).toEqual(["Time", "Result", "Cause", "Latency", "Attempts", "HTTP"]);
  expect(rows).toEqual([
    ["11:59", "Blocked", "No usable key is set", "", "0", ""],
    ["11:58", "Down (maintenance)", expect.stringMatching(/\w/u), "70 ms", "2, waited 999 ms", "503"],
    ["11:57", "Down", expect.stringMatching(/\w/u), "", "3, waited 7 s", ""],
    ["11:56", "Blocked", "The balance is used up", "90 ms", "1", "402"],
    ["11:55", "Up", "", "812 ms", "1", "200"],
  ]);
});

test("a failed check leads to the entry of its cause, and a good one nowhere", async () => {
  const html = await get(probesTail(FAILED));
  const [, table = ""] = html.split('aria-label="Newest checks"');
  expect([...table.matchAll(/<td class="cause"><a href="([^"]*)"/gu)].map(([, href]) => href)).toEqual([
    "/causes#authentication",
    "/causes#upstream_unavailable",
    "/causes#timeout",
    "/causes#insufficient_balance",
  ]);
});

test("a key that was sent and refused is told to be refused", async () => {
  const refused = { health: "blocked", cause: "authentication", httpStatus: 401 } as const;
  expect(probesOf(await get(probesTail([refused])))[1]?.[2]).toBe("The key was refused");
});

test("where the health alone is published the checks tell no cause and no HTTP status", async () => {
  const html = await get({ ...probesTail(FAILED), withCauses: [] });
  expect(html).not.toContain("/causes#");
  const rows = probesOf(html).slice(1);
  expect(rows.map(([, health, cause, , , http]) => [health, cause, http])).toEqual([
    ["Blocked", "", ""],
    ["Down (maintenance)", "", ""],
    ["Down", "", ""],
    ["Blocked", "", ""],
    ["Up", "", ""],
  ]);
});

test("twenty checks are shown, and those who do not see the table hear its name and reach it by keyboard", async () => {
  const html = await get(probesTail(Array.from({ length: 30 }, (_, n) => ({ latencyMs: n }))));
  const rows = probesOf(html).slice(1);
  expect(rows).toHaveLength(20);
  expect([rows[0]?.[3], rows[19]?.[3]]).toEqual(["29 ms", "10 ms"]);
  expect(html).toContain(
    '<div class="scroll" role="group" aria-label="Newest checks" tabindex="0">' +
      '<table><caption class="unseen">Newest checks: models</caption>',
  );
});

test("times of checks are those of the zone; without a check the page says so", async () => {
  const html = await get(probesTail([{}]), {}, { timeZone: "Asia/Shanghai" });
  expect(html).toContain(
    '<td><time datetime="2026-11-20T11:59:00.000Z" data-hour title="2026-11-20 19:59:00 GMT+8">19:59</time></td>',
  );
  for (const tail of [{}, probesTail([]), probesTail([{}], "acme/chat")]) {
    const without = await get(tail);
    expect(textOf(without)).toContain("No check of the last half hour came to a verdict that is published.");
    expect(probesOf(without)).toEqual([]);
  }
});

test("checks of the zone's yesterday are told with their date", async () => {
  const rows = probesOf(await get(probesTail([{}, {}, {}]), {}, { timeZone: "Etc/GMT-12" })).slice(1);
  expect(rows.map(([at]) => at)).toEqual([
    "2026-11-20 23:59:00 GMT+12",
    "2026-11-20 23:58:00 GMT+12",
    "2026-11-20 23:57:00 GMT+12",
  ]);
});

test("damaged samples are told to be damaged", async () => {
  const live = { samples: { "acme/models": Uint8Array.of(1, 2, 3) }, hours: {}, days: {} };
  expect(textOf(await get({ live }))).toContain("The stored result is damaged or of another version.");
});

function note(hoursAgo: number, count: number, more: Partial<ModelNote> = {}): ModelNote {
  return { atMs: NOW_MS - hoursAgo * HOUR_MS, count, vanished: [], returned: [], ...more };
}

function modelsOf(html: string): string {
  return textOf(/<h4>Models<\/h4>(.*?)(?:<h4>|<p class="soft">No check)/su.exec(html)?.[1] ?? "");
}

const notesTail = (...notes: ModelNote[]) => ({ modelNotes: { "acme/models": notes } });

test("models are counted, and each change tells when, how many more or fewer, and what went or came back", async () => {
  const tail = notesTail(
    note(5, 40),
    note(4, 43),
    note(3, 41, { vanished: ["gpt-9", "gpt-10"] }),
    note(2, 41, { returned: ["gpt-9"] }),
    note(1, 42, { returned: ["gpt-10"], vanished: ["gpt-11"] }),
  );
  expect(modelsOf(await get(tail, { modelCount: 42 }))).toBe(
    "42 models in the list. " +
      "2026-11-20 11:00:00 UTC: 42 models, 1 more than before. Gone: gpt-11. Back: gpt-10. " +
      "2026-11-20 10:00:00 UTC: Back: gpt-9. " +
      "2026-11-20 09:00:00 UTC: 41 models, 2 fewer than before. Gone: gpt-9, gpt-10. " +
      "2026-11-20 08:00:00 UTC: 43 models, 3 more than before.",
  );
});

test("a list that stayed as it was first seen is told to be steady, and one that is not remembered is not", async () => {
  expect(modelsOf(await get(notesTail(note(9, 42))))).toBe(
    "42 models in the list. The list has not changed since it was first seen.",
  );
  expect(modelsOf(await get({}))).toBe("42 models in the list.");
});

test("where the health alone is published no model is named, and the list is not told to be steady", async () => {
  const tail = notesTail(note(2, 42), note(1, 41, { vanished: ["gpt-9"] }));
  const hidden = await get({ ...tail, withCauses: [] });
  expect(modelsOf(hidden)).toBe("42 models in the list.");
  const renamed = { ...tail, withCauses: ["acme"], formerly: { "acme/models": ["shy/models"] } };
  expect(modelsOf(await get(renamed))).toBe("42 models in the list.");
});

test("a monitor without a list says nothing of models", async () => {
  expect(textOf(await get({}, { modelCount: null }))).not.toContain("Models");
  expect(modelsOf(await get(notesTail(note(2, 3), note(1, 2)), { modelCount: null }))).toBe(
    "2026-11-20 11:00:00 UTC: 2 models, 1 fewer than before.",
  );
});

test("checks of another monitor are not shown", async () => {
  const live = {
    samples: {
      ...probesTail([{ latencyMs: 1 }]).live.samples,
      ...probesTail([{ latencyMs: 2 }], "acme/chat").live.samples,
    },
    hours: {},
    days: {},
  };
  expect(
    probesOf(await get({ live }))
      .slice(1)
      .map(([, , , latency]) => latency),
  ).toEqual(["1 ms"]);
});

test("where checks were made in maintenance, the chart says what of them it shows, and that it was up outside of it", async () => {
  const uncounted = "What was seen in maintenance does not count as up or down here; its latency is drawn.";
  const outside = "Outside of maintenance it was up in all of the 24 hours, as far as it was checked.";
  const everywhere = "Up in all of the 24 hours, as far as it was checked.";
  const planned = textOf(await get({ ...probesTail(FAILED), ...courseTail(stepsOf()) }));
  expect(planned).toContain(`${outside} ${uncounted}`);
  expect(planned).not.toContain(everywhere);
  const plain = textOf(await get({ ...probesTail([{ latencyMs: 812 }]), ...courseTail(stepsOf()) }));
  expect(plain).toContain(everywhere);
  expect(plain).not.toContain("maintenance it was");
  expect(plain).not.toContain(uncounted);
});

test("how the gateway is, with its name, is read out where it changes; what the bars mean is told once", async () => {
  const html = await get(probesTail(FAILED));
  const [, status = ""] = /<h2>.*?<span role="status">(.*?)<\/h2>/su.exec(html) ?? [];
  expect(textOf(status)).toBe("Acme: Up");
  expect(html.match(/Bars of days: full: up;/gu)).toHaveLength(1);
});
