import { expect, test } from "vitest";
import type { GatewayDocument, StatusDocument } from "../../src/history/documents.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { summaryOf } from "../../src/history/standing.ts";
import { readHtml, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  GOOD,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  useWorld,
  statusDocument,
} from "./published-status.ts";

const OPERATORS = {
  ...BALANCE_GONE,
  cause: "service_misconfigured",
  owner: "operator",
  health: "down",
} as const;
const LIMITED = { ...BALANCE_GONE, cause: "rate_limited", owner: "nobody", health: "degraded" } as const;
const DIAGNOSES = { up: GOOD, down: OPERATORS, blocked: BALANCE_GONE, degraded: LIMITED } as const;

function gateway(id: string, health: keyof typeof DIAGNOSES, name = `The ${id}`): GatewayDocument {
  const monitor = monitorDocument({
    id: `${id}/models`,
    status: health,
    lastStatus: health,
    diagnosis: DIAGNOSES[health],
    incident: health === "up" ? null : `${id}.models-20261120t080000z`,
    report: health === "up" ? null : `${id}.models-20261120t080000z-2`,
  });
  return gatewayDocument({ id, name, status: health, monitors: [monitor] });
}

function statusOf(gateways: GatewayDocument[], more: Partial<StatusDocument> = {}): StatusDocument {
  const healths = gateways.flatMap(({ monitors }) => monitors.map(({ status }) => status));
  return statusDocument({ gateways, summary: summaryOf(healths), ...more });
}

const world = useWorld();

/** Without a tick for so long, everything is stale. */
const STALE_MS = NOW_MS + HOUR_MS;

async function overview(status: StatusDocument, nowMs = NOW_MS, path = "/"): Promise<string> {
  await world.publish(status);
  return world.text(path, nowMs);
}

function banner(html: string): string {
  return textOf(/<div class="banner \w+" role="status">.*?<\/div>/su.exec(html)?.[0] ?? "");
}

const RUNNING = {
  gateways: ["moved"],
  from: "2026-11-20T11:00:00.000Z",
  to: "2026-11-20T13:00:00.000Z",
  title: "Moving",
};

test("the banner names what fails, whose turn it is and since when, the worst first", async () => {
  const html = await overview(
    statusOf([gateway("a", "up"), gateway("b", "degraded"), gateway("c", "blocked"), gateway("d", "down")]),
  );
  expect(banner(html)).toContain(
    "Down The d: The service failed within itself. Whose turn: the gateway’s operator. Since 2026-11-20 08:00:00 UTC. " +
      "Blocked The c: The balance is used up. Whose turn: the owner of the monitor’s key. Since 2026-11-20 08:00:00 UTC. " +
      "Degraded The b: Too many requests for now. Whose turn: nobody’s: it passes by itself. Since 2026-11-20 08:00:00 UTC.",
  );
  expect(html).toContain("<title>1 down · Acme gateways</title>");
});

test("what the bars of days mean is told once, before the first of them", async () => {
  const html = await overview(statusOf([gateway("a", "up"), gateway("b", "up")]));
  const key = html.indexOf("Bars of days:");
  expect(key).toBeGreaterThan(0);
  expect(key).toBeLessThan(html.indexOf('<section class="gateway"'));
  expect(html.split("Bars of days:")).toHaveLength(2);
});

test("gateways that fail come first, the others stay in their order", async () => {
  const html = await overview(
    statusOf([gateway("z", "up"), gateway("a", "up"), gateway("m", "blocked"), gateway("b", "down")]),
  );
  const order = [...html.matchAll(/<h2><a href="\/gateways\/(\w+)"/gu)].map(([, id]) => id);
  expect(order).toEqual(["b", "m", "z", "a"]);
});

test("open incidents are listed the worst first, each with whose turn it is and when it is checked next", async () => {
  const incidents = [
    incidentDocument({ id: "one", gateway: "a", monitors: ["a/models"] }),
    incidentDocument({ id: "two", gateway: "b", monitors: ["b/models"], health: "down", owner: "operator" }),
  ];
  const text = textOf(
    await overview(statusOf([gateway("a", "blocked"), gateway("b", "down")], { incidents })),
  );
  expect(text).toContain(
    "Open incidents Down The b · models: The balance is used up Whose turn: the gateway’s operator. " +
      "Opened 2026-11-20 08:00:00 UTC; not resolved yet. Next check: 2026-11-20 12:01:00 UTC. " +
      "Blocked The a · models: The balance is used up Whose turn: the owner of the monitor’s key.",
  );
});

test("an open incident whose last check was good says so", async () => {
  const incidents = [incidentDocument({ gateway: "a", monitors: ["a/models"] })];
  const words = "The last check was good; the incident ends when good checks go on.";
  expect(textOf(await overview(statusOf([gateway("a", "up")], { incidents })))).toContain(words);
  expect(textOf(await overview(statusOf([gateway("a", "blocked")], { incidents })))).not.toContain(words);
});

test("planned maintenance is told before the verdict on the card, in the list and in the banner", async () => {
  const incidents = [
    incidentDocument({ gateway: "moved", monitors: ["moved/models"], health: "down", owner: "operator" }),
  ];
  const status = statusOf([gateway("fine", "up"), gateway("moved", "down")], {
    maintenance: [RUNNING],
    incidents,
  });
  const html = await overview(status);
  const planned = "In planned maintenance until 2026-11-20 13:00:00 UTC.";
  expect(banner(html)).toBe(
    `1 monitor in planned maintenance, 1 up Maintenance The moved until 2026-11-20 13:00:00 UTC; the last check says down: The service failed within itself. Whose turn: the gateway’s operator. Since 2026-11-20 08:00:00 UTC.`,
  );
  expect(html).toContain('<div class="banner maintenance" role="status">');
  expect(textOf(html)).toContain(`${planned} Whose turn: the gateway’s operator. Opened`);
  expect(textOf(html)).toContain(
    `models moved/models Maintenance ${planned} What is seen meanwhile does not count in the uptime. The last check says “Down”. The service failed within itself`,
  );
  expect(textOf(html)).toContain("Moving (The moved): under way since");
});

test("what fails outside maintenance is counted apart from what fails in it", async () => {
  const html = await overview(
    statusOf([gateway("moved", "down"), gateway("bad", "down")], { maintenance: [RUNNING] }),
  );
  expect(banner(html)).toMatch(
    /^1 of 2 monitors down 1 down, 1 in planned maintenance\. Down The bad: .* Maintenance The moved until 2026-11-20 13:00:00 UTC; the last check says down: /u,
  );
});

const marksOf = (html: string) => [...html.matchAll(/<span class="mark (\w+)">/gu)].map(([, kind]) => kind);

test("what is in planned maintenance looks neither up nor down, whatever its checks say", async () => {
  for (const health of ["up", "degraded", "down", "blocked"] as const) {
    const status = statusOf([gateway("moved", health)], { maintenance: [RUNNING] });
    const html = await overview(status);
    expect(new Set(marksOf(html))).toEqual(new Set(["maintenance"]));
    expect(html).toContain('<div class="banner maintenance" role="status">');
    expect(banner(html)).toContain("1 monitor in planned maintenance");
    const stale = await overview(status, NOW_MS + HOUR_MS / 2);
    expect(new Set(marksOf(stale))).toEqual(new Set(["unknown"]));
  }
  const up = textOf(await overview(statusOf([gateway("moved", "up")], { maintenance: [RUNNING] })));
  expect(up).toContain("does not count in the uptime. The last check says “Up”.");
});

test("a window that is over or to come is no maintenance now", async () => {
  for (const [from, to] of [
    ["2026-11-20T10:00:00.000Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T12:00:00.001Z", "2026-11-20T13:00:00.000Z"],
  ] as const) {
    const html = await overview(
      statusOf([gateway("moved", "down")], { maintenance: [{ ...RUNNING, from, to }] }),
    );
    expect(textOf(html)).not.toContain("In planned maintenance");
  }
});

test("a day whose every sample was in maintenance is not told to be without data", async () => {
  const days = { ...daysOf((index) => (index < 2 ? "unknown" : "up")), maintenance: [1] };
  const [first] = statusOf([gateway("a", "up")]).gateways;
  const status = statusOf([
    { ...gateway("a", "up"), monitors: [{ ...(first?.monitors[0] ?? monitorDocument()), days }] },
  ]);
  const html = await overview(status);
  expect(html).toContain("<title>2026-08-24: nothing counted: maintenance</title>");
  expect(html).toContain("<title>2026-08-23: no data</title>");
  const whole = await overview(status, NOW_MS, "/gateways/a");
  expect(textOf(whole)).toContain("2026-08-24 Nothing counted: maintenance not counted");
});

test("between the first failure and an incident the card says that none is open yet", async () => {
  const failing = gateway("a", "down");
  const once = {
    ...failing,
    monitors: failing.monitors.map((one) => ({ ...one, incident: null, report: null })),
  };
  const words = "No incident is open yet: one opens when enough checks in a row have failed.";
  expect(textOf(await overview(statusOf([once])))).toContain(words);
  expect(textOf(await overview(statusOf([failing])))).not.toContain(words);
});

test("where nothing was sent the key was not refused", async () => {
  const unset = monitorDocument({
    status: "blocked",
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
  const text = textOf(await overview(statusOf([gatewayDocument({ status: "blocked", monitors: [unset] })])));
  expect(text).toContain("Blocked Acme: No usable key is set. Whose turn: the owner of the monitor’s key.");
  expect(text).toContain("No usable key is set authentication. This is no outage of the gateway.");
  expect(text).toContain("2026-11-20 11:59:00 UTC, nothing was sent");
  expect(text).not.toContain("The key was refused");
});

test("what was never checked is told so, without talk of evidence", async () => {
  const never = monitorDocument({ status: "unknown", lastStatus: null, diagnosis: null, lastProbe: null });
  const status = statusOf([gatewayDocument({ status: "unknown", monitors: [never] })]);
  expect(textOf(await overview(status))).toContain(
    "Unknown Not checked yet. models, the last 90 days: up on every day",
  );
  expect(textOf(await overview(status, STALE_MS))).toContain("The checks stopped before this was checked.");
});

test("a stale page says nothing of now: what was open, whose turn it was, and who must act", async () => {
  const incidents = [incidentDocument({ gateway: "a", monitors: ["a/models"] })];
  const text = textOf(await overview(statusOf([gateway("a", "blocked")], { incidents }), STALE_MS));
  expect(text).toContain("Checks have stopped · Acme gateways");
  expect(text).toContain("Incidents that were open when the checks stopped");
  expect(text).toContain(
    "Whose turn it was: the owner of the monitor’s key. Opened 2026-11-20 08:00:00 UTC; open when the checks stopped.",
  );
  expect(text).toContain("Whoever runs this page must act.");
  expect(text).not.toContain("not resolved yet");
  expect(text).not.toContain("Whose turn:");
});

test("a status of HTTP stays with its name at the end of a line", async () => {
  expect(await overview(statusOf([gateway("a", "blocked")]))).toContain(" · HTTP\u00a0402");
});

test("in planned maintenance no incident is promised to open", async () => {
  const failing = gatewayDocument({
    id: "moved",
    status: "down",
    monitors: [monitorDocument({ status: "down", diagnosis: OPERATORS })],
  });
  const text = textOf(await overview(statusOf([failing], { maintenance: [{ id: "m1", ...RUNNING }] })));
  expect(text).toContain("No incident opens in planned maintenance.");
  expect(text).not.toContain("No incident is open yet");
});

test("each link of a card says whose it is, and names in another script say their language", async () => {
  const html = await overview(statusOf([gateway("a", "blocked"), gateway("b", "down", "上海模型网关")]));
  expect(html).toContain('>The incident<span class="unseen"> of <bdi>The a · models</bdi></span></a> <a ');
  expect(html).toContain(
    '>The problem report<span class="unseen"> of <bdi lang="zh">上海模型网关 · models</bdi></span></a>',
  );
  expect(html).toContain('<h2><a href="/gateways/b"><bdi lang="zh">上海模型网关</bdi></a> <span');
});

test("bars are one image, cards have names, tables captions and bare lists their role", async () => {
  const html = await overview(statusOf([gateway("a", "down")], { incidents: [incidentDocument()] }));
  expect(html).toMatch(
    /<svg viewBox="[^"]+" role="img"[^>]*><title>[^<]*<\/title><g aria-hidden="true">(?:<path [^>]*><title>[^<]*<\/title><\/path>)+<\/g><\/svg>/u,
  );
  expect(html).toContain('aria-labelledby="monitor-a/models"');
  expect(html).toContain(
    '<span id="monitor-a/models"><bdi>models</bdi> <small>a/models</small></span> <span',
  );
  expect(html.match(/<ul(?: class="failing")? role="list">/gu)).toHaveLength(3);
  expect(html.match(/id="hatch"/gu)).toHaveLength(1);
  const whole = await overview(statusOf([gateway("a", "down")]), NOW_MS, "/gateways/a");
  expect(whole).toContain('<caption class="unseen">models, the last 90 days');
  expect(whole.match(/<table>(?:<caption|<thead)/gu)).toEqual(["<table><caption", "<table><caption"]);
  expect(whole.match(/id="hatch"/gu)).toHaveLength(1);
});

test("the hatch of days without data runs through their whole height", async () => {
  const html = await overview(statusOf([gateway("a", "up")]));
  const [, height, path = ""] =
    /<pattern id="hatch" width="8" height="(\d+)".*?<path d="([^"]+)"/u.exec(html) ?? [];
  expect(height).toBe("28");
  const starts = [...path.matchAll(/M0 (\d+)L/gu)].map(([, y]) => Number(y));
  expect(starts).toEqual([0, 7, 14, 21, 28, 35]);
});

test("words never run together where there is no stylesheet", async () => {
  const status = statusOf([gateway("a", "down"), gateway("b", "up")], { incidents: [incidentDocument()] });
  for (const path of ["/", "/gateways/a"]) {
    const html = await overview(status, NOW_MS, path);
    // An inline element that ends where another begins.
    expect(html).not.toMatch(/<\/(?:a|span|strong|small|time)><(?:a|span|strong|small|time)\b/u);
    expect(() => readHtml(html)).not.toThrow();
  }
});
