/** The overview: its headline, what fails by whose turn it is, a row for every monitor, groups of rows, and the filter. */
import { expect, test } from "vitest";
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import type { Health } from "../../src/protocol/diagnosis.ts";
import { answerOf, expectWords, plainSpaces, textOf, wordsIn } from "./html.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  regionDocument,
  resolvedIncident,
  skippedCanary,
  STALE_MS,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const UP = monitorDocument();
const DOWN = monitorThatIs("down", { id: "acme/chat", kind: "chat" });
const PAUSED = monitorDocument({ status: "unknown", pausedAt: "2026-11-20T09:00:00.000Z" });
const NEVER = monitorThatIs("unknown", { id: "acme/new", lastStatus: null, lastProbe: null });
const WAITS = skippedCanary({ reason: "cap", cause: null });
const FAILED_BEFORE = skippedCanary({ reason: "gateway", cause: "timeout" }, { lastStatus: "down" });
const RECOVERS = monitorDocument({ incident: "a-1" });
const DEGRADED = monitorThatIs("degraded");
const MOVING = { maintenance: [plannedWindow(["a"])] };

/** One gateway of one monitor for each health: `a`, `b`, … */
const those = (...healths: readonly Health[]) => ({
  gateways: healths.map((health, index) => gatewayThatIs(health, "abcdefg".charAt(index))),
});
const OWN: IncidentDocument = incidentDocument({
  id: "own",
  gateway: null,
  monitors: [],
  cause: "dns_failure",
  owner: "network",
  health: "unknown",
});

test.each<[headline: string, others: string, tone: string, status: Partial<StatusDocument>]>([
  ["The monitor is up", "", "up", oneGateway(UP)],
  ["Both monitors are up", "", "up", oneGateway(UP, UP)],
  ["All 3 monitors are up", "", "up", oneGateway(UP, UP, UP)],
  ["1 of 2 monitors is up", "1 paused.", "up", oneGateway(UP, PAUSED)],
  ["1 of 2 monitors is up", "1 not checked now.", "up", oneGateway(UP, WAITS)],
  ["1 of 2 monitors is down", "1 up.", "down", oneGateway(UP, FAILED_BEFORE)],
  ["Both monitors are down", "", "down", oneGateway(DOWN, FAILED_BEFORE)],
  ["All 3 monitors are down", "", "down", those("down", "down", "down")],
  ["2 of 4 monitors are down", "1 blocked, 1 up.", "down", those("down", "down", "up", "blocked")],
  ["1 of 2 monitors is degraded", "1 up.", "degraded", those("up", "degraded")],
  ["1 of 2 monitors is recovering", "1 up.", "recovering", oneGateway(UP, RECOVERS)],
  ["1 of 2 monitors is degraded", "1 recovering.", "degraded", oneGateway(RECOVERS, DEGRADED)],
  ["1 of 2 monitors is recovering", "1 without fresh evidence.", "recovering", oneGateway(RECOVERS, NEVER)],
  ["The monitor is blocked, no outage seen", "", "blocked", those("blocked")],
  [
    "The monitor is blocked, and your calls fail too",
    "",
    "blocked",
    { gateways: [{ ...gatewayThatIs("blocked"), usedBy: "production" }] },
  ],
  ["Not everything is known yet", "1 without fresh evidence, 1 up.", "unknown", oneGateway(UP, NEVER)],
  ["Not everything is known yet", "1 without fresh evidence.", "unknown", oneGateway(WAITS)],
  [
    "Not everything is known yet",
    "1 without fresh evidence, 1 paused.",
    "unknown",
    oneGateway(WAITS, PAUSED),
  ],
  ["Nothing is monitored yet", "", "unknown", oneGateway()],
  ["Both monitors are paused", "", "unknown", oneGateway(PAUSED, PAUSED)],
  ["1 monitor in planned maintenance", "1 up.", "maintenance", { ...those("down", "up"), ...MOVING }],
  ["1 of 2 monitors is down", "1 in planned maintenance.", "down", { ...those("down", "down"), ...MOVING }],
  [
    "The monitoring itself can reach no gateway",
    "1 without fresh evidence.",
    "unknown",
    { ...those("unknown"), incidents: [OWN] },
  ],
  [
    "Not everything is known yet",
    "1 without fresh evidence, 1 up.",
    "unknown",
    { ...those("unknown", "up"), incidents: [OWN] },
  ],
])("%s; %s", async (headline, others, tone, status) => {
  const html = await world.show(status);
  expect(answerOf(html)).toEqual({ tone, text: `${headline} ${others}`.trim() });
  expect(wordsIn(html, "<title>", "</title>")).toBe(`${headline} · Acme gateways`);
});

/** What fails, by whose turn it is. */
function turnsOf(html: string): Readonly<Record<string, readonly string[]>> {
  const groups = html.matchAll(/<div class="turn (\w+)"><h3>.*?<\/h3><ul role="list">(.*?)<\/ul><\/div>/gsu);
  const linesOf = (list: string) =>
    [...list.matchAll(/<li>(.*?)<\/li>/gsu)].map(([, item = ""]) => plainSpaces(textOf(item)));
  return Object.fromEntries([...groups].map(([, turn = "", list = ""]) => [turn, linesOf(list)]));
}

const incidentOf = (gateway: string, more: Partial<IncidentDocument> = {}) => {
  const { cause, health, owner } = { ...incidentDocument(), ...more };
  const timeline = [timelineEntry({ cause, health, owner, text: "Do this." })];
  return incidentDocument({
    id: `${gateway}-1`,
    gateway,
    monitors: [`${gateway}/models`],
    timeline,
    ...more,
  });
};
const failing = (id: string, health: Health) => gatewayThatIs(health, id, { incident: `${id}-1` });
const recovering = (id: string) =>
  gatewayThatIs("up", id, { incident: `${id}-1`, recovery: { good: 1, of: 2 } });
const OPERATOR = { cause: "business_error", owner: "operator", health: "down", report: "b-1-1" } as const;
const YET = "One more failed check opens an incident: next in under 1 min.";
const SECOND = { opensAfter: 1, nextProbeAt: "2026-11-20T12:00:20.000Z" };

test.each<
  [what: string, status: Partial<StatusDocument>, turns: Readonly<Record<string, readonly string[]>>]
>([
  ["nothing where all is well", those("up", "unknown"), {}],
  [
    "open incidents, yours first, each with what to do and for how long; a report for the operator",
    {
      gateways: [failing("a", "blocked"), failing("b", "down")],
      incidents: [
        incidentOf("b", OPERATOR),
        incidentOf("a", { acknowledgedAt: "2026-11-20T08:10:00.000Z", report: "a-1-1" }),
      ],
    },
    {
      us: ["Blocked: The a The balance is used up Do this. Acknowledged. 4 h"],
      operator: ["Down: The b A failure code in the answer Send them the report. The b 4 h"],
    },
  ],
  [
    "what the operator of your own gateway must do, as yours, with no report to send",
    {
      gateways: [failing("a", "blocked"), failing("b", "down")],
      incidents: [incidentOf("b", { ...OPERATOR, turn: "us" }), incidentOf("a")],
    },
    {
      us: [
        "Down: The b A failure code in the answer Do this. 4 h",
        "Blocked: The a The balance is used up Do this. 4 h",
      ],
    },
  ],
  [
    "that one has to wait",
    {
      ...those("down", "degraded"),
      incidents: [incidentOf("a", { cause: "upstream_unavailable", owner: "upstream", health: "down" })],
    },
    {
      upstream: ["Down: The a The provider behind the gateway is unavailable Do this. 4 h"],
      operator: ["Down: The a Internal server error Top up the account. 4 h"],
      nobody: ["Degraded: The b Too many requests Top up the account. 4 h"],
    },
  ],
  [
    "who fails without an incident, and what opens one; not told of a monitor that is up or paused",
    {
      gateways: [
        gatewayDocument({ monitors: [UP, { ...DOWN, ...SECOND }, PAUSED] }),
        gatewayThatIs("degraded", "b", { ...SECOND, opensAfter: 3 }),
      ],
    },
    {
      operator: [`Down: Acme · chat Internal server error Top up the account. ${YET} 4 h`],
      nobody: [
        "Degraded: The b Too many requests Top up the account. " +
          "3 more failed checks open an incident: next in under 1 min. 4 h",
      ],
    },
  ],
  [
    "a canary that failed and is not asked now, with the reason",
    oneGateway(UP, { ...FAILED_BEFORE, nextProbeAt: SECOND.nextProbeAt }),
    {
      hidden: [
        "Down: Acme · chat · gpt-4o-mini Down Not asked for 2 h: the gateway’s list fails (The request timed out), and this would fail too. 4 h",
      ],
    },
  ],
  [
    "no promise to open another incident where one of that cause is open",
    {
      ...oneGateway(monitorThatIs("down", { incident: "acme-1" }), { ...DOWN, ...SECOND }),
      incidents: [incidentOf("acme", { cause: "service_misconfigured", owner: "operator", health: "down" })],
    },
    {
      operator: [
        "Down: Acme · models Internal server error Send them the report. Acme · models 4 h",
        "Down: Acme · chat Internal server error Top up the account. 4 h",
      ],
    },
  ],
  [
    "monitors of a gateway that fail alike together",
    oneGateway({ ...DOWN, ...SECOND }, { ...DOWN, id: "acme/x", since: "2026-11-20T11:59:30.000Z" }),
    { operator: [`Down: Acme · 2 monitors Internal server error Top up the account. ${YET} 4 h`] },
  ],
  [
    "what recovers, as nobody's, without advice or report",
    {
      gateways: [recovering("a"), recovering("b")],
      incidents: [incidentOf("a"), incidentOf("b", OPERATOR)],
    },
    {
      nobody: [
        "Recovering: The b A failure code in the answer Recovering: 1 of 2 good checks. 4 h",
        "Recovering: The a The balance is used up Recovering: 1 of 2 good checks. 4 h",
      ],
    },
  ],
  [
    "what is worked on apart, without a promise",
    { ...those("down", "up"), ...MOVING, incidents: [incidentOf("a", OPERATOR)] },
    {
      planned: [
        "Maintenance: The a A failure code in the answer Do this. 4 h",
        "Maintenance: The a Internal server error Top up the account. 4 h",
      ],
    },
  ],
  [
    "the monitoring's own as nobody else's",
    { ...those("unknown"), incidents: [OWN] },
    { own: ["Unknown: The monitoring itself DNS lookup failed 4 h"] },
  ],
  [
    "a gateway that publishes its health alone without a cause",
    oneGateway(monitorThatIs("down", { diagnosis: null })),
    { hidden: ["Down: Acme Down 4 h"] },
  ],
])("of what fails is shown: %s", async (_, status, turns) => {
  expect(turnsOf(await world.show(status))).toEqual(turns);
});

test("the gateway whose operator must act is named, if it is one; of an incident of several monitors their number is told", async () => {
  const headingOf = (html: string) => wordsIn(html, '<div class="turn operator"><h3>', "</h3>");
  const shared = incidentOf("acme", { ...OPERATOR, monitors: ["acme/models", "acme/chat"] });
  const one = { ...oneGateway(DOWN, UP), incidents: [shared] };
  const html = await world.show(one);
  expect(headingOf(html)).toBe("Acme ’s operator");
  expect(turnsOf(html).operator?.[0]).toMatch(/^Down: Acme · 2 monitors A failure code in the answer/u);
  expect(headingOf(await world.show(those("down", "down")))).toBe("The gateway’s operator");
});

test("in a storm twenty lines are shown, and the others counted", async () => {
  const gateways = Array.from({ length: 130 }, (_, index) => failing(`g${index}`, "blocked"));
  const html = await world.show({ gateways, incidents: gateways.map(({ id }) => incidentOf(id)) });
  expect(turnsOf(html)).toMatchObject({ us: { length: 20 } });
  expect(textOf(html)).toContain("And 110 more: see the rows below.");
});

/** Of each row its cells. */
function rowsOf(html: string): string[][] {
  return [...html.matchAll(/<tr(?: class="more")?>(<th scope="row">.*?)<\/tr>/gsu)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gsu)].map(([, cell = ""]) => plainSpaces(textOf(cell))),
  );
}

const MANY_DAYS = daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up"));

test("each monitor has a row, with those of its gateway", async () => {
  const regions = [regionDocument(), regionDocument({ region: "enam" })];
  const elsewhere = [...regions, regionDocument({ region: "apac", status: "down" })];
  const status = {
    gateways: [
      gatewayDocument({
        monitors: [
          monitorDocument({ uptime: { "24h": 1, "7d": 1, "30d": 1, "90d": 0.9982 }, regions: elsewhere }),
          { ...NEVER, days: MANY_DAYS, latency: null },
        ],
      }),
      { ...gatewayThatIs("up", "beta"), name: "上海" },
    ],
  };
  const html = await world.show(status);
  expect(rowsOf(html)).toEqual([
    [
      "Up: Acme models · models fails from Asia-Pacific",
      "models · models, the last 90 days: up on every day",
      "99.82 %",
      "",
      "500 ms",
      "1 min",
    ],
    [
      "Unknown: Acme models · new",
      "models · new, the last 90 days: Down on 1 day, no data on 30 days",
      "no data",
      "",
      "–",
      "never",
    ],
    ["Up: 上海 models", "models, the last 90 days: up on every day", "no data", "", "500 ms", "1 min"],
  ]);
  expectWords(html, [
    '<time datetime="2026-11-20T11:59:00.000Z" title="2026-11-20 11:59:00 UTC" data-age>1\u00a0min</time>',
    '<a href="/gateways/acme#monitor-acme/new">',
    '<a href="/gateways/beta"><b><bdi lang="zh">上海</bdi></b> <bdi>models</bdi></a>',
    '<path class="day none" d="M0 26.5h238"/>',
    '<path class="day down" d="M712 5.5h6M712 22.5h6"/>',
    'data-from="2026-08-23" data-kinds="none 30,up 59,down 1" data-uptime=",,',
  ]);
  expect(textOf(html).split("Up Down Blocked Degraded Unknown Maintenance no data")).toHaveLength(2);
});

/** Ids of the gateways in their order. */
const idsOf = (html: string) => [...html.matchAll(/<tbody id="gateway-([\w-]+)">/gu)].map(([, id]) => id);

test("gateways that fail come first, those that are worked on after them, the others stay in their order", async () => {
  const ids = "zamb".split("");
  const healths = ["up", "down", "blocked", "down"] as const;
  const gateways = ids.map((id, index) => gatewayThatIs(healths[index] ?? "up", id));
  expect(idsOf(await world.show({ gateways }))).toEqual(["a", "b", "m", "z"]);
  expect(idsOf(await world.show({ gateways, ...MOVING }))).toEqual(["b", "m", "a", "z"]);
});

test.each(["up", "degraded", "down", "blocked"] as const)(
  "what is %s in planned maintenance looks neither up nor down",
  async (health) => {
    const html = await world.show({ ...those(health), ...MOVING });
    expect(html).not.toMatch(/class="(?:mark|answer) (?:up|degraded|down|blocked)"/u);
    expect(rowsOf(html)[0]?.[0]).toBe("Maintenance: The a models");
  },
);

test("when the checks have stopped nothing is green, and nothing is said of now", async () => {
  const status = {
    gateways: [failing("a", "blocked"), gatewayThatIs("up", "b")],
    incidents: [incidentOf("a")],
  };
  const html = await world.show(status, { nowMs: STALE_MS });
  expect(html).not.toMatch(/class="(?:mark|answer) (?:up|blocked)"/u);
  expect(answerOf(html)).toEqual({
    tone: "stale",
    text:
      "The checks have stopped Last checks: 1 h ago. " +
      "The current state of the gateways is not known. It is the turn of the people who run the monitoring.",
  });
  expect(turnsOf(html)).toEqual({ stopped: ["Unknown: The a The balance is used up 5 h"] });
});

test("without a publication and over damage the page says so in words, never in green", async () => {
  const absent = await world.text("/");
  expect(textOf(absent)).toContain("There is no result yet: the first check runs within a minute.");
  expect(absent).not.toContain('class="answer up"');
  await world.kv.put(snapshotKey(0), "damaged");
  expect(textOf(await world.text("/"))).toContain("The stored result cannot be read.");
});

test("the notice and incidents that ended are on the page, these without a mark of a failure", async () => {
  const over = resolvedIncident(NOW_MS - 5 * 3_600_000, NOW_MS - 4 * 3_600_000, "acme-old");
  const html = await world.show({ notice: "These are simulated." }, { tail: { incidents: [over] } });
  expectWords(plainSpaces(textOf(html)), [
    "Note: These are simulated.",
    "Recent incidents Resolved Acme · models: The balance is used up 4 h ago, after 1 h",
  ]);
  expectWords(html, ['href="/incidents/acme-old-20261120t070000z"'], ['class="mark blocked"']);
});

/** Groups with whether they are open, the words of their summary, and their gateways. */
const groupsOf = (html: string) =>
  [...html.matchAll(/<details class="group"[^>]*?( open)?><summary>(.*?)<\/summary>(.*?)<\/details>/gsu)].map(
    ([, open, summary = "", rows = ""]) => ({
      isOpen: open !== undefined,
      summary: plainSpaces(textOf(summary)),
      ids: idsOf(rows),
    }),
  );

const grouped = (id: string, group: string, status: Parameters<typeof gatewayThatIs>[0] = "up") => ({
  ...gatewayThatIs(status, id),
  group,
});

test("gateways of a group are together, with how many are in each state; those that fail come first, and those without a group are named too", async () => {
  const gateways = [
    grouped("a", "Staging"),
    grouped("b", "Production"),
    gatewayThatIs("up", "c"),
    grouped("d", "Production", "down"),
    grouped("e", "Staging"),
  ];
  const html = await world.show({ gateways });
  expect(groupsOf(html)).toEqual([
    { isOpen: true, summary: "Production Down: 1 Up: 1", ids: ["d", "b"] },
    { isOpen: true, summary: "Staging Up: 2", ids: ["a", "e"] },
    { isOpen: true, summary: "Other monitors Up: 1", ids: ["c"] },
  ]);
  expect(html).not.toContain("<form");
});

/** 31 monitors: `p0` fails, `p1` is worked on. */
const MANY: readonly GatewayDocument[] = [
  ...["blocked" as const, "up" as const, "up" as const].map((status, index) =>
    grouped(`p${index}`, "Partners", status),
  ),
  ...Array.from({ length: 27 }, (_, index) => grouped(`s${index}`, "Staging")),
  gatewayDocument({
    id: "acme",
    name: "Acme",
    monitors: [monitorThatIs("down", { id: "acme/chat", kind: "chat", model: "gpt-4o-mini" })],
  }),
];
const PLANNED = { gateways: [...MANY], maintenance: [plannedWindow(["p1"])] };

test("of many monitors groups without trouble are folded", async () => {
  const open = groupsOf(await world.show(PLANNED)).map(({ isOpen, ids }) => [isOpen, ids.length]);
  expect(open).toEqual([
    [true, 1],
    [true, 3],
    [false, 27],
  ]);
});

test.each<[query: string, found: readonly string[]]>([
  ["name=ACME", ["acme"]],
  ["name=gpt-4o", ["acme"]],
  ["name=ac%E2%80%8Bme%00", ["acme"]],
  ["name=%20THE%20s26%20", ["s26"]],
  ["state=blocked", ["p0"]],
  ["state=maintenance", ["p1"]],
  ["turn=operator", ["acme"]],
  ["name=acme&state=ablaze&turn=mine", ["acme"]],
  ["turn=us&state=blocked&name=", ["p0"]],
  ["turn=us&state=down", []],
  ["name=.*", []],
])("a filter by %s finds its monitors, with their groups open", async (query, found) => {
  const html = await world.show(PLANNED, { path: `/?${query}` });
  expect(idsOf(html)).toEqual(found);
  expect(groupsOf(html).every(({ isOpen }) => isOpen)).toBe(true);
  expect(textOf(html)).toContain(`${found.length} of 31 monitors`);
});

test("a filter by your turn finds the outage of a gateway that you run", async () => {
  const diagnosis = { ...BALANCE_GONE, owner: "operator", turn: "us", health: "down" } as const;
  const gateways = [...MANY, gatewayThatIs("down", "ours", { diagnosis })];
  const html = await world.show({ gateways }, { path: "/?turn=us&state=down" });
  expect(idsOf(html)).toEqual(["ours"]);
});

test("the filter shows what it was asked, keeps the language, and is there only for many or when asked", async () => {
  const html = await world.show(PLANNED, { path: '/?lang=zh&name="><b>&state=down' });
  expectWords(html, [
    '<input type="hidden" name="lang" value="zh">',
    '<input type="search" name="name" value="&quot;&gt;&lt;b&gt;">',
    '<option value="down" selected>',
  ]);
  const unknown = await world.show(PLANNED, { path: "/?state=ablaze&turn=mine" });
  expect(unknown.match(/<option value="" selected>any/gu)).toHaveLength(2);
  expect(textOf(unknown)).toContain("31 of 31 monitors");
  expect(await world.show({}, { path: "/?state=down" })).toContain('<form class="filter"');
  expect(await world.show({})).not.toContain('<form class="filter"');
});

test("of more than 200 gateways those that fail are shown first; the filter finds the others", async () => {
  const gateways = Array.from({ length: 230 }, (_, index) => {
    const id = `g${index}`;
    return index === 229
      ? gatewayThatIs("down", id)
      : { ...gatewayThatIs("up", id), monitors: [monitorDocument({ id: `${id}/models` })] };
  });
  const html = await world.show({ gateways });
  expect([idsOf(html).length, idsOf(html)[0]]).toEqual([200, "g229"]);
  expect(textOf(html)).toContain("And 30 more: use the filter.");
  expect(idsOf(await world.text("/?name=the+g228"))).toEqual(["g228"]);
});
