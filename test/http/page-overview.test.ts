/** What the overview shows: cards, lists, days; and where the gateway's page shows more of it. */
import { expect, test } from "vitest";
import type { GatewayDocument, MonitorDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { bannerOf, expectWords, plainSpaces, readHtml, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  gatewayThatIs,
  GOOD,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  publishedIncident,
  resolvedIncident,
  STALE_MS,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** In trouble, with an incident and its report. */
function gateway(id: string, health: "down" | "blocked", more: Partial<GatewayDocument> = {}) {
  const incident = `${id}.models-20261120t080000z`;
  return { ...gatewayThatIs(health, id, { incident, report: `${incident}-2` }), ...more };
}

const DOWN = monitorThatIs("down", {
  id: "acme/chat",
  kind: "chat",
  model: "gpt-4o-mini",
  diagnosis: {
    ...BALANCE_GONE,
    cause: "service_misconfigured",
    owner: "operator",
    health: "down",
    httpStatus: 500,
    errorCode: "video_config_error",
    message: "channel 7 has no key",
    advice: "The operator must fix the configuration.",
  },
  lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 220, attempts: 4, waitedMs: 90_000 },
});
const SLOW = { ...GOOD, cause: "slow", owner: "operator", health: "degraded" } as const;

test.each<[title: string, monitor: MonitorDocument, told: readonly string[]]>([
  [
    "is down says what failed, in whose words, whose turn it is and when it is tried again",
    DOWN,
    [
      "1 of 1 monitor down",
      "chat · gpt-4o-mini acme/chat",
      "The service failed within itself service_misconfigured · HTTP 500 · code video_config_error",
      "channel 7 has no key",
      "Whose turn: the gateway’s operator. The operator must fix the configuration.",
      "Since 2026-11-20 08:00:00 UTC",
      "Last check 2026-11-20 11:59:00 UTC, 220 ms, 4 attempts with 1 min 30 s of waiting",
      "Next check 2026-11-20 12:01:00 UTC",
      "p50 500 ms, p95 900 ms, p99 1200 ms",
      "24 h 99.86 %, 7 d 100 %, 30 d no data, 90 d no data",
    ],
  ],
  [
    "is blocked is clearly no outage, and it is the turn of its key's owner",
    monitorThatIs("blocked"),
    [
      "The balance is used up insufficient_balance · HTTP 402 · code insufficient_balance. This is no outage of the gateway.",
      "Whose turn: the owner of the monitor’s key. Top up the account.",
    ],
  ],
  [
    "is asked to wait says for how long; as it just changed it bears no age",
    monitorThatIs("degraded", {
      since: "2026-11-20T11:59:30.000Z",
      diagnosis: {
        ...BALANCE_GONE,
        cause: "rate_limited",
        owner: "nobody",
        health: "degraded",
        retry: { allowed: true, afterSeconds: 100, hint: null },
      },
    }),
    ["The gateway asks to wait 1 min 40 s.", "Since 2026-11-20 11:59:30 UTC Last check"],
  ],
  [
    "is slow says so though its answer was good, and whose turn it is",
    monitorThatIs("degraded", { diagnosis: { ...SLOW, advice: "It took 9 s." } }),
    ["Slower than it should be slow · HTTP 200. Whose turn: the gateway’s operator. It took 9 s."],
  ],
  [
    "misses models names them",
    monitorThatIs("degraded", {
      diagnosis: { ...GOOD, cause: "model_missing", health: "degraded" },
      missingModels: ["gpt-9", "gpt-10"],
    }),
    ["Missing models: gpt-9, gpt-10"],
  ],
])("a monitor that %s", async (_, monitor, told) => {
  expectWords(textOf(await world.show(oneGateway(monitor))), told);
});

test("where nothing was sent the key was not refused", async () => {
  const unset = monitorThatIs("blocked", {
    diagnosis: {
      ...BALANCE_GONE,
      cause: "authentication",
      layer: null,
      httpStatus: null,
      errorCode: null,
      message: null,
    },
    lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: null, attempts: 0, waitedMs: 0 },
  });
  expectWords(
    textOf(await world.show(oneGateway(unset))),
    [
      "Blocked Acme: No usable key is set. Whose turn: the owner of the monitor’s key.",
      "No usable key is set authentication. This is no outage of the gateway.",
      "2026-11-20 11:59:00 UTC, nothing was sent",
    ],
    ["The key was refused"],
  );
});

test("what was never checked is told so, without talk of evidence", async () => {
  const never = oneGateway(monitorThatIs("unknown", { lastStatus: null, lastProbe: null }));
  expect(textOf(await world.show(never))).toContain(
    "Unknown Not checked yet. models, the last 90 days: up on every day",
  );
});

test("where causes are not published, the page says that, and nothing of them", async () => {
  const text = textOf(
    await world.show(oneGateway({ ...DOWN, diagnosis: null }), { tail: { withCauses: [] } }),
  );
  expectWords(text, ["The causes of this gateway are not published."], ["Whose turn"]);
});

test("when the checks have stopped nothing is green, and nothing is said of now: who was to act, what was open", async () => {
  // Of one that is up its document need not tell that it was.
  const up = monitorDocument({ lastStatus: null });
  const html = await world.show(oneGateway(up, DOWN), { nowMs: STALE_MS });
  expect(bannerOf(html).tone).toBe("stale");
  expect(html).not.toMatch(/class="(?:mark|monitor|banner) (?:up|down)"/u);
  expectWords(bannerOf(html).text, [
    "The checks have stopped",
    "The last round of checks whose results arrived here is that of 2026-11-20 12:00:00 UTC.",
    "Whoever runs this page must act.",
  ]);
  expectWords(textOf(html), [
    "The last verdict was “Up”.",
    "Last failure: The service failed within itself",
    "None was open when the checks stopped.",
  ]);
  const incidents = [incidentDocument({ gateway: "a", monitors: ["a/models"] })];
  const blocked = { gateways: [gateway("a", "blocked")], incidents };
  expectWords(
    textOf(await world.show(blocked, { nowMs: STALE_MS })),
    [
      "Checks have stopped · Acme gateways",
      "Incidents that were open when the checks stopped",
      "The balance is used up Opened 2026-11-20 08:00:00 UTC.",
    ],
    ["Whose turn:", "Next check"],
  );
});

test("without a publication and over damage the page says so in words, never in green", async () => {
  const absent = await world.text("/");
  expect(textOf(absent)).toContain("There is no result yet: the first check runs within a minute.");
  expect(bannerOf(absent).tone).toBe("unknown");
  await world.kv.put(snapshotKey(0), "damaged");
  expect(textOf(await world.text("/"))).toContain("The stored result is damaged or of another version.");
});

test("of a monitor that is well the overview shows its charts, and its gateway's page all facts", async () => {
  const html = await world.show(oneGateway(monitorDocument()));
  expectWords(html, ['<figure class="line">'], ["<dl>"]);
  expectWords(textOf(await world.text("/gateways/acme")), ["Since", "Last check", "Next check"]);
});

test("a gateway's page has its monitors and its incidents alone", async () => {
  const gateways = [gatewayDocument(), gatewayThatIs("up", "beta")];
  const other = publishedIncident({ id: "beta-x", gateway: "beta", monitors: ["beta/models"] });
  const tail = { incidents: [publishedIncident(), other] };
  expectWords(
    textOf(await world.show({ gateways }, { path: "/gateways/acme", tail })),
    ["models acme/models", "Acme · models: The balance is used up"],
    ["beta/models"],
  );
});

test("open and recent incidents and the notice are on the page", async () => {
  const open = publishedIncident();
  const over = resolvedIncident(NOW_MS - 5 * 3_600_000, NOW_MS - 4 * 3_600_000, "acme-old");
  const status = { notice: "These figures are simulated.", incidents: [open.incident] };
  const html = await world.show(status, { tail: { incidents: [open, over] } });
  for (const { incident } of [open, over]) expect(html).toContain(`href="/incidents/${incident.id}"`);
  expectWords(textOf(html), [
    "Note: These figures are simulated.",
    "2026-11-20 07:00:00 UTC to 2026-11-20 08:00:00 UTC (1 h)",
  ]);
});

test("what the bars of days mean is told once, before the first of them", async () => {
  const parts = (await world.show({ gateways: [gatewayThatIs("up"), gatewayThatIs("up", "b")] })).split(
    "Bars of days:",
  );
  expect(parts).toHaveLength(2);
  expect(parts[0]).not.toContain('<section class="gateway"');
});

test("gateways that fail come first, the others stay in their order", async () => {
  const gateways = [
    gatewayThatIs("up", "z"),
    gatewayThatIs("up", "a"),
    gateway("m", "blocked"),
    gateway("b", "down"),
  ];
  const html = await world.show({ gateways });
  const order = [...html.matchAll(/<h2><a href="\/gateways\/(\w+)"/gu)].map(([, id]) => id);
  expect(order).toEqual(["b", "m", "z", "a"]);
});

test("open incidents are listed the worst first, each with whose turn it is and when it is checked next", async () => {
  const incidents = [
    incidentDocument({ id: "one", gateway: "a", monitors: ["a/models"] }),
    incidentDocument({ id: "two", gateway: "b", monitors: ["b/models"], health: "down", owner: "operator" }),
  ];
  const gateways = [gateway("a", "blocked"), gateway("b", "down")];
  expect(textOf(await world.show({ gateways, incidents }))).toContain(
    "Open incidents Down The b · models: The balance is used up Whose turn: the gateway’s operator. " +
      "Opened 2026-11-20 08:00:00 UTC. Next check: 2026-11-20 12:01:00 UTC. " +
      "Blocked The a · models: The balance is used up Whose turn: the owner of the monitor’s key.",
  );
});

test("planned maintenance is told before the verdict on the card, in the list and in the banner", async () => {
  const moved = { gateway: "moved", monitors: ["moved/models"] };
  const html = await world.show({
    gateways: [gatewayThatIs("up", "fine"), gateway("moved", "down")],
    maintenance: [plannedWindow(["moved"])],
    incidents: [incidentDocument({ ...moved, health: "down", owner: "operator" })],
  });
  const planned = "In planned maintenance until 2026-11-20 13:00:00 UTC.";
  expect(bannerOf(html)).toEqual({
    tone: "maintenance",
    text:
      "1 monitor in planned maintenance, 1 up Maintenance The moved until 2026-11-20 13:00:00 UTC; " +
      "the last check says down: The service failed within itself. Whose turn: the gateway’s operator. " +
      "Since 2026-11-20 08:00:00 UTC.",
  });
  expectWords(textOf(html), [
    `${planned} Whose turn: the gateway’s operator. Opened`,
    `models moved/models Maintenance ${planned} What is seen meanwhile does not count in the uptime. The last check says “Down”. The service failed within itself`,
    "Moving (The moved): under way since",
  ]);
});

const marksOf = (html: string) =>
  new Set([...html.matchAll(/<span class="mark (\w+)">/gu)].map(([, kind]) => kind));

const CHECKED = ["up", "degraded", "down", "blocked"] as const;

test.each(CHECKED)("what is %s in planned maintenance looks neither up nor down", async (health) => {
  const status = { gateways: [gatewayThatIs(health)], maintenance: [plannedWindow(["acme"])] };
  const html = await world.show(status);
  expect(marksOf(html)).toEqual(new Set(["maintenance"]));
  expect(bannerOf(html).tone).toBe("maintenance");
  expect(bannerOf(html).text).toContain("1 monitor in planned maintenance");
  expect(marksOf(await world.text("/", NOW_MS + 1_800_000))).toEqual(new Set(["unknown"]));
  if (health === "up") {
    expect(textOf(html)).toContain("does not count in the uptime. The last check says “Up”.");
  }
});

test.each([
  ["is over", ["10:00:00.000", "12:00:00.000"]],
  ["is to come", ["12:00:00.001", "13:00:00.000"]],
] as const)("a window that %s is no maintenance now", async (_, span) => {
  const status = { gateways: [gateway("a", "down")], maintenance: [plannedWindow(["a"], span)] };
  expect(textOf(await world.show(status))).not.toContain("In planned maintenance");
});

test("between the first failure and an incident the card says that none is open yet, or that none opens", async () => {
  const yet = "No incident is open yet: one opens when enough checks in a row have failed.";
  const never = "No incident opens in planned maintenance.";
  const once = { gateways: [gatewayThatIs("down")] };
  expectWords(textOf(await world.show(once)), [yet], [never]);
  const planned = { ...once, maintenance: [plannedWindow(["acme"])] };
  expectWords(textOf(await world.show(planned)), [never], ["No incident is open yet"]);
  expectWords(textOf(await world.show({ gateways: [gateway("a", "down")] })), [], [yet, never]);
});

test("90 days are bars with a name and a title, and on the gateway's page the same as a table", async () => {
  const days = daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up"));
  const html = plainSpaces(await world.show(oneGateway(monitorDocument({ days }))));
  const name = "models, the last 90 days: 1 day with down probes, 30 days without data";
  expectWords(
    html,
    [
      `role="img" preserveAspectRatio="none"><title>${name}</title>`,
      "<title>2026-11-20: down, uptime 50 %</title>",
      "<title>2026-08-23 to 2026-09-21: no data</title>",
    ],
    ["<table"],
  );
  const bars = [...html.matchAll(/<path class="day (\w+)"( stroke="url\(#hatch\)")? d="([^"]+)"/gu)];
  expect(bars.map(([, kind, hatch, lines]) => [kind, hatch !== undefined, lines])).toEqual([
    ["none", true, "M0 14h238"],
    ["up", false, "M240 14h470"],
    ["down", false, "M712 5.5h6M712 22.5h6"],
  ]);
  const full = plainSpaces(await world.text("/gateways/acme"));
  const [, table = ""] = /<figure class="days">.*?<tbody>(.*?)<\/tbody>/su.exec(full) ?? [];
  const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gu)].map(([row]) => textOf(row));
  expect(rows).toHaveLength(90);
  expect(rows.slice(0, 2)).toEqual(["2026-11-20 Down 50 %", "2026-11-19 Up 100 %"]);
  expect(rows.at(-1)).toBe("2026-08-23 No data no data");
  const titles = [...full.matchAll(/<path class="day[^>]*><title>(.*?)<\/title>/gu)].map(([, told]) => told);
  expect(titles).toHaveLength(90);
  expect([titles[0], titles[88]]).toEqual(["2026-08-23: no data", "2026-11-19: up, uptime 100 %"]);
});

const UP_ALWAYS = daysOf(() => "up");
const DOWN_ALWAYS = daysOf(() => "down");

test.each<[title: string, days: MonitorDocument["days"], titles: readonly string[]]>([
  [
    "of one health that differ in uptime are told apart",
    { ...DOWN_ALWAYS, uptime: DOWN_ALWAYS.uptime.map((_, index) => (index < 89 ? 0.25 : 0.75)) },
    ["2026-08-23 to 2026-11-19: down, uptime 25 %", "2026-11-20: down, uptime 75 %"],
  ],
  [
    "without any verdict are not told to be without data when their other probes were good",
    { ...UP_ALWAYS, worst: daysOf((index) => (index === 89 ? "unknown" : "up")).worst },
    ["models, the last 90 days: 1 day with unknown probes", "2026-11-20: unknown, uptime 100 %"],
  ],
  [
    "of maintenance alone are not told to be without data",
    { ...daysOf((index) => (index < 2 ? "unknown" : "up")), maintenance: [1] },
    ["2026-08-24: nothing counted: maintenance", "2026-08-23: no data"],
  ],
])("days %s", async (_, days, titles) => {
  const html = plainSpaces(await world.show(oneGateway(monitorDocument({ days }))));
  for (const title of titles) expect(html).toContain(`<title>${title}</title>`);
  if (days.maintenance === undefined) return;
  const table = textOf(await world.text("/gateways/acme"));
  expect(table).toContain("2026-08-24 Nothing counted: maintenance not counted");
});

test("a status of HTTP stays with its name at the end of a line", async () => {
  expect(await world.show(oneGateway(monitorThatIs("blocked")))).toContain(" · HTTP\u00a0402");
});

test("each link of a card says whose it is, and names in another script say their language", async () => {
  const named = gateway("b", "down", { name: "上海模型网关" });
  expectWords(await world.show({ gateways: [gateway("a", "blocked"), named] }), [
    '>The incident<span class="unseen"> of <bdi>The a · models</bdi></span></a> <a ',
    '>The problem report<span class="unseen"> of <bdi lang="zh">上海模型网关 · models</bdi></span></a>',
    '<h2><a href="/gateways/b"><bdi lang="zh">上海模型网关</bdi></a> <span',
  ]);
});

test("bars are one image, cards have names, tables captions and bare lists their role", async () => {
  const html = await world.show({ gateways: [gateway("a", "down")], incidents: [incidentDocument()] });
  expect(html).toMatch(
    /<svg viewBox="[^"]+" role="img"[^>]*><title>[^<]*<\/title><g aria-hidden="true">(?:<path [^>]*><title>[^<]*<\/title><\/path>)+<\/g><\/svg>/u,
  );
  expectWords(html, [
    'aria-labelledby="monitor-a/models"',
    '<span id="monitor-a/models"><bdi>models</bdi> <small>a/models</small></span> <span',
  ]);
  expect(html.match(/<ul(?: class="failing")? role="list">/gu)).toHaveLength(3);
  const whole = await world.text("/gateways/a");
  expect(whole).toContain('<caption class="unseen">models, the last 90 days');
  expect(whole.match(/<table>(?:<caption|<thead)/gu)).toEqual(["<table><caption", "<table><caption"]);
  for (const page of [html, whole]) expect(page.match(/id="hatch"/gu)).toHaveLength(1);
});

test("the hatch of days without data runs through their whole height", async () => {
  const html = await world.show({});
  const [, height, path = ""] =
    /<pattern id="hatch" width="8" height="(\d+)".*?<path d="([^"]+)"/u.exec(html) ?? [];
  expect(height).toBe("28");
  const starts = [...path.matchAll(/M0 (\d+)L/gu)].map(([, y]) => Number(y));
  expect(starts).toEqual([0, 7, 14, 21, 28, 35]);
});

test("words never run together where there is no stylesheet", async () => {
  const gateways = [gateway("a", "down"), gatewayThatIs("up", "b")];
  for (const path of ["/", "/gateways/a"]) {
    const html = await world.show({ gateways, incidents: [incidentDocument()] }, { path });
    // An inline element that ends where another begins.
    expect(html).not.toMatch(/<\/(?:a|span|strong|small|time)><(?:a|span|strong|small|time)\b/u);
    expect(() => readHtml(html)).not.toThrow();
  }
});
