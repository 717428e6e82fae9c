import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defineConfig } from "../../src/config/define-config.ts";
import { formatDuration, parseDuration } from "../../src/config/fields.ts";
import { readConfig } from "../../src/config/load.ts";
import { ACME, faultsOf as fixes, MODELS, problemsOf as faultsOf, withGateway } from "./parsed.ts";

function withMonitor(monitor: Record<string, unknown>): unknown {
  return withGateway({ monitors: [{ kind: "models", ...monitor }] });
}

test("a full configuration comes out normalised", () => {
  const input = defineConfig({
    title: "Acme gateways",
    url: "https://status.acme.example/",
    notice: "Moving on Tuesday.",
    theme: {
      name: "Acme",
      accent: { light: "#7A1FA2", dark: "#d9a0ff" },
      links: [{ name: "Help", url: "https://Acme.example" }],
    },
    timeZone: "Asia/Shanghai",
    plan: "paid",
    maxProbesPerTick: 40,
    open: 3,
    close: 1,
    shards: 1,
    remindEvery: "4h",
    flapping: 6,
    heartbeat: "HEARTBEAT_URL",
    gateways: [
      {
        ...ACME,
        name: "Acme",
        group: "Production",
        upstream: [{ name: "OpenAI", status: "https://Status.openai.com/" }],
        baseUrl: "https://api.acme.example/proxy/",
        operator: "us",
        usedBy: "production",
        showEndpoint: true,
        runbook: "Restart it: ssh gw-1.",
        runbooks: { insufficient_balance: "https://wiki.acme.example/top-up?a=b#c" },
        contact: "Anna <anna@acme.example>",
        showRunbook: true,
        publish: "health",
        // Named twice, one would count twice where the majority decides.
        regions: ["weur", "apac-ne", "weur", "enam"],
        monitors: [
          { kind: "models", every: "5m", expect: ["gpt-4o", "gpt-4o"], slowerThan: "5s" },
          {
            kind: "models",
            id: "second",
            open: 1,
            remindEvery: false,
            flapping: false,
            formerly: ["list", "old/list"],
          },
        ],
      },
    ],
    maintenance: [
      { gateways: ["acme"], from: "2026-12-01T02:00:00Z", to: "2026-12-01T12:00:00+08:00", title: "Move" },
      { from: "2026-12-02T02:00:00Z", to: "2026-12-02T04:00:00Z" },
    ],
  });
  expect(readConfig(input)).toEqual({
    title: "Acme gateways",
    otlp: null,
    push: null,
    parts: readConfig({ title: "t", gateways: [] }).parts,
    url: "https://status.acme.example",
    notice: "Moving on Tuesday.",
    theme: {
      name: "Acme",
      logo: null,
      accent: "7a1fa2-d9a0ff",
      links: [{ name: "Help", url: "https://acme.example/" }],
    },
    language: "en",
    timeZone: "Asia/Shanghai",
    plan: "paid",
    lanes: 1,
    shards: 1,
    maxProbesPerTick: 40,
    gateways: [
      {
        id: "acme",
        name: "Acme",
        group: "Production",
        upstream: [{ name: "OpenAI", status: "https://status.openai.com" }],
        baseUrl: "https://api.acme.example/proxy",
        apiKey: "ACME_API_KEY",
        operator: "us",
        usedBy: "production",
        showEndpoint: true,
        runbook: "Restart it: ssh gw-1.",
        runbooks: { insufficient_balance: "https://wiki.acme.example/top-up?a=b#c" },
        contact: "Anna <anna@acme.example>",
        showRunbook: true,
        publish: "health",
        regions: ["weur", "apac-ne", "enam"],
        monitors: [
          {
            ...MODELS,
            id: "acme/models",
            gatewayId: "acme",
            operator: "us",
            everyMs: 300_000,
            expect: ["gpt-4o"],
            slowerThanMs: 5_000,
            open: 3,
            close: 1,
            remindEveryMs: 14_400_000,
            flapping: 6,
          },
          {
            ...MODELS,
            id: "acme/second",
            gatewayId: "acme",
            operator: "us",
            open: 1,
            close: 1,
            flapping: null,
            formerly: ["acme/list", "old/list"],
          },
        ],
      },
    ],
    alerts: [],
    heartbeat: "HEARTBEAT_URL",
    maintenance: [
      { gateways: ["acme"], fromMs: 1_796_090_400_000, toMs: 1_796_097_600_000, title: "Move" },
      { gateways: [], fromMs: 1_796_176_800_000, toMs: 1_796_184_000_000, title: "Planned maintenance" },
    ],
    recurring: [],
  });
});

test.each([
  "javascript:alert(1)",
  "ftp://wiki.example/x",
  "mailto:anna@example.com",
  "https://",
  "https://a:b@wiki.example/",
  "",
  "x".repeat(501),
])("%j is no runbook", (runbook) => {
  for (const written of [
    { runbook },
    { runbooks: { timeout: runbook } },
    { monitors: [{ kind: "models", runbook }] },
  ])
    expect(() => readConfig({ title: "t", gateways: [{ ...ACME, ...written }] })).toThrow(/runbook/u);
});

test("the least configuration has every default", () => {
  const config = readConfig({ title: "t", gateways: [ACME] });
  expect(config).toMatchObject({
    url: null,
    notice: null,
    theme: { name: null, logo: null, accent: null, links: [] },
    timeZone: "UTC",
    plan: "free",
    maxProbesPerTick: 20,
    alerts: [],
    heartbeat: null,
    maintenance: [],
  });
  expect(config.gateways[0]).toMatchObject({
    name: "acme",
    group: null,
    showEndpoint: false,
    publish: "causes",
    regions: [],
  });
  expect(config.gateways[0]?.monitors).toEqual([
    { ...MODELS, id: "acme/models", gatewayId: "acme", operator: "them" },
  ]);
  expect(readConfig({ title: "t", plan: "paid", gateways: [] }).maxProbesPerTick).toBe(200);
});

test("all faults are told at once, by path, and one field hides no other", () => {
  const input = {
    titel: "t",
    timeZone: "Mars/Olympus",
    gateways: [
      {
        id: "Acme!",
        baseUrl: "https://api.acme.example/v1",
        apiKey: "lower",
        monitors: [{ kind: "models", every: "30s" }],
      },
      7,
      { id: "b", baseUrl: 5, apiKey: "B_KEY", monitors: [{ kind: "models", expect: ["openai/gpt-4o"] }, {}] },
    ],
    maintenance: [{ gateways: ["nobody"], from: "2026-12-01T02:00:00Z", to: "2026-12-01T02:00:00Z" }],
  };
  expect(faultsOf(input)).toEqual([
    "gateways[0].apiKey: is not the name of a secret",
    "gateways[0].baseUrl: contains /v1, which every path already has",
    "gateways[0].id: has the wrong form",
    "gateways[0].monitors[0].every: is out of range",
    "gateways[1]: is not an object",
    "gateways[2].baseUrl: is not text",
    "gateways[2].monitors[0].expect[0]: has a vendor prefix",
    "gateways[2].monitors[1].kind: is missing",
    "maintenance[0].gateways[0]: is not a gateway of this configuration",
    "maintenance[0].to: is not after from",
    "timeZone: is not a time zone",
    "titel: is not a known setting",
    "title: is missing",
  ]);
});

test("ids are unique: gateways in the configuration, monitors in their gateway", () => {
  expect(faultsOf({ title: "t", gateways: [ACME, ACME] })).toEqual([
    "gateways[1].id: is the same as that of gateways[0]",
  ]);
  expect(faultsOf(withGateway({ monitors: [{ kind: "models" }, { kind: "models", id: "models" }] }))).toEqual(
    ["gateways[0].monitors[1].id: is the same as that of gateways[0].monitors[0]"],
  );
  const other = { ...ACME, id: "other" };
  expect(readConfig({ title: "t", gateways: [ACME, other] }).gateways[1]?.monitors[0]?.id).toBe(
    "other/models",
  );
});

const LEAST = { title: "t", gateways: [] };
const windowFrom = (from: unknown) => ({ ...LEAST, maintenance: [{ from, to: "2030-01-01T00:00:00Z" }] });

test.each<[of: string, path: string, around: (value: unknown) => unknown, values: readonly unknown[]]>([
  [
    "id",
    "gateways[0].id",
    (id) => withGateway({ id }),
    ["", "Acme", "a_b", "a/b", "ä", "a".repeat(41), "a\n"],
  ],
  [
    "interval",
    "gateways[0].monitors[0].every",
    (every) => withMonitor({ every }),
    ["30s", "90s", "25h", "0m", "1", "", "every minute"],
  ],
  [
    "instant",
    "maintenance[0].from",
    windowFrom,
    ["2026-12-01", "2026-12-01T02:00:00", "2026-02-30T02:00:00Z", "tomorrow", 5],
  ],
  ["language", "language", (language) => ({ ...LEAST, language }), ["zh-CN", "ZH", "de", "", null, 8]],
  ["time zone", "timeZone", (timeZone) => ({ ...LEAST, timeZone }), ["+08:00", "", "CEST/x", "utc+8", 8]],
])("what is no %s is one fault at %s", (_, path, around, values) => {
  for (const value of values) {
    const told = faultsOf(around(value));
    expect([value, told.length, told[0]?.split(": ")[0]]).toEqual([value, 1, path]);
  }
});

test("vendor prefixes, and plain http to a public host, are allowed where the gateway says so", () => {
  const monitors = [{ kind: "models", expect: ["openai/gpt-4o"] }];
  const prefixed = ["gateways[0].monitors[0].expect[0]: has a vendor prefix"];
  expect(faultsOf(withGateway({ monitors }))).toEqual(prefixed);
  expect(faultsOf(withGateway({ monitors, vendorPrefix: true }))).toEqual([]);
  expect(faultsOf(withGateway({ baseUrl: "http://api.example.com" }))).toHaveLength(1);
  expect(faultsOf(withGateway({ baseUrl: "http://api.example.com", insecureHttp: true }))).toEqual([]);
  expect(faultsOf(withGateway({ baseUrl: "http://127.0.0.1:9" }))).toEqual([]);
});

test.each([
  [{ ...LEAST, TITLE: 1 }, "did you mean title?"],
  [
    withMonitor({ kind: "model" }),
    "did you mean models? Otherwise use chat, messages, responses, gemini, embeddings, image, video, console, http or audit",
  ],
  [
    withMonitor({ banana: 1 }),
    "remove it; allowed here: kind, id, every, slowerThan, open, close, remindEvery, flapping, runbook, runbooks, contact, formerly, expect",
  ],
])("a mistyped key of %j is told with the key that was meant", (input, fix) => {
  expect(fixes(input)[0]?.replace(/^.*?; /, "")).toBe(fix);
});

const ALL = "use wnam, enam, sam, weur, eeur, apac, apac-ne, apac-se, oc, afr or me";
const UNKNOWN = "[0]: is not a region";
const LISTED = 'write a list like ["weur", "apac"], or leave regions out';

test.each<[regions: unknown, ...faults: string[]]>([
  [["weru"], `${UNKNOWN}; did you mean weur? Otherwise ${ALL.replace("weur, ", "")}`],
  [["europe"], `${UNKNOWN}; ${ALL}`],
  ["weur", `: is not a list; ${LISTED}`],
  [[], `: is empty; ${LISTED}`],
])("regions %j are refused, with what was meant", (regions, ...faults) => {
  expect(fixes(withGateway({ regions }))).toEqual(faults.map((fault) => `gateways[0].regions${fault}`));
});

test("a whole number and a unit are a duration, and nothing else is", () => {
  const good = { "30s": 30_000, "1m": 60_000, "2h": 7_200_000, "1d": 86_400_000, "250ms": 250, "0s": 0 };
  for (const [text, ms] of Object.entries(good)) expect(parseDuration(text)).toBe(ms);
  const bad = ["", "1", "m", "1.5h", "-1m", "1 m", "1M", " 1m", "1m30s", "1e3s", "9999999999s", "١m"];
  expect(bad.filter((text) => parseDuration(text) !== null)).toEqual([]);
});

test("what is formatted is parsed back to the same, and has the largest whole unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
  expect([90_000, 3_600_000, 1_500].map(formatDuration)).toEqual(["90s", "1h", "1500ms"]);
});

test("siblings name the same page of a provider, and publish as much", () => {
  const of = (id: string, page: string, over = {}) => ({
    ...ACME,
    id,
    baseUrl: `https://${id}.example`,
    upstream: [{ name: "OpenAI", status: page }],
    ...over,
  });
  const gateways = [
    of("a", "https://status.openai.com"),
    of("b", "https://status.openai.com/"),
    of("c", "https://status.openai.com", { publish: "health" }),
    of("d", "https://status.anthropic.com"),
  ];
  const config = readConfig({ title: "Gateways", gateways });
  const siblings = config.gateways.map(({ monitors }) => monitors[0]?.siblings);
  expect(siblings).toEqual([["b"], ["a"], [], []]);
});
