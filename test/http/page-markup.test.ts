/** The markup of every kind of page in both languages, as html-validate judges it. */
import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/config/config.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import {
  canaryMonitor,
  daysOf,
  gatewayDocument,
  gatewayThatIs,
  lowConsole,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  pendingCanary,
  plannedWindow,
  publishedIncident,
  regionDocument,
  resolvedIncident,
  SILENT_REGION,
  STALE_MS,
  statusDocument,
  streamingCanary,
} from "./documents.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { faultsOf } from "./markup.ts";
import { courseTail, probesTail, TROUBLED } from "./published-day.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const OPEN = publishedIncident();
const OVER = resolvedIncident(NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS);
interface Asked {
  readonly path: string;
  /** Absent: the page is read; else it answers this form. */
  readonly form?: string;
  readonly nowMs?: number;
}

const PAGES: readonly Asked[] = [
  { path: "/" },
  { path: "/", nowMs: STALE_MS },
  { path: "/?state=down&name=a" },
  { path: "/gateways/acme" },
  { path: "/gateways/acme", nowMs: STALE_MS },
  { path: `/incidents/${OPEN.incident.id}` },
  { path: `/incidents/${OVER.incident.id}` },
  { path: `/reports/${OPEN.incident.id}-1` },
  { path: "/docs" },
  { path: "/causes" },
  { path: "/embed" },
  { path: "/embed?gateway=none" },
  { path: "/explain" },
  { path: "/explain", form: "text=HTTP/2 429%0A%0A{}&kind=chat" },
  { path: "/explain", form: "text=+" },
  { path: "/nothing-here" },
];

async function markupOf(
  language: string,
  { path, form, nowMs = NOW_MS }: Asked,
  deps: Partial<AppDeps> = {},
) {
  const headers = { accept: "text/html", "accept-language": language };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const init =
    form === undefined ? { headers } : { method: "POST", headers: { ...headers, ...type }, body: form };
  return (await world.ask(path, init, { now: () => nowMs, ...deps })).text();
}

function publishTrouble(): Promise<void> {
  const days = daysOf((index) => (index === 3 ? "down" : index === 4 ? "blocked" : "up"));
  const regions = [regionDocument(), SILENT_REGION];
  const monitors = [
    monitorThatIs("blocked", { days, regions, incident: OPEN.incident.id, report: OPEN.incident.report }),
    canaryMonitor(),
    streamingCanary(),
    pendingCanary(),
    lowConsole(),
    monitorDocument({ id: "acme/rest", nextProbeAt: null, pausedAt: "2026-11-20T10:00:00.000Z" }),
  ];
  const acme = gatewayDocument({ status: "blocked", monitors });
  const others = (["down", "degraded", "unknown", "up"] as const).map((health) =>
    gatewayThatIs(health, health),
  );
  // With so many there is a filter.
  const grouped = Array.from({ length: 30 }, (_, index) =>
    Object.assign(gatewayThatIs("up", `m${index}`), { group: index < 15 ? "East" : "West" }),
  );
  return world.publish(
    statusDocument({
      notice: "<b>Simulated</b>",
      gateways: [acme, ...others, ...grouped],
      incidents: [OPEN.incident],
      maintenance: [plannedWindow(["up"])],
    }),
    {
      incidents: [OPEN, OVER],
      ...courseTail(TROUBLED),
      ...probesTail([{}, { health: "down", cause: "timeout" }]),
    },
  );
}

const IN_LANGUAGES = LANGUAGES.flatMap((language) =>
  PAGES.map((asked) => ({ language, path: asked.path, asked })),
);

test.each(IN_LANGUAGES)("in $language: $path", async ({ language, asked }) => {
  await publishTrouble();
  expect(await faultsOf(await markupOf(language, asked))).toEqual([]);
});

test.each(LANGUAGES)("in %s: without anything published, and without the token", async (language) => {
  for (const viewToken of [null, "a-token-of-viewers"])
    expect(await faultsOf(await markupOf(language, { path: "/" }, { viewToken }))).toEqual([]);
});

test("a list with a paragraph in it is a fault", async () => {
  const html = await markupOf("en", { path: "/nothing-here" });
  expect(await faultsOf(html.replace("<main id=", '<main id="main"><ul><p></p></ul><i id='))).not.toEqual([]);
});
