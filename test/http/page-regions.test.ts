/** What pages say of gateways that are asked from regions. */
import { expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { asStale } from "../../src/http/published.ts";
import { DOWN } from "../formats/any-status.ts";
import { expectWords, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  regionDocument,
  SILENT_REGION,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const CUT_OFF = regionDocument({
  region: "apac",
  status: "down",
  diagnosis: { ...BALANCE_GONE, cause: "timeout", health: "down", httpStatus: null },
});
const WELL = [regionDocument(), regionDocument({ region: "enam" })];
const MOST_WELL = { regions: [...WELL, CUT_OFF] };
const MOST_FAIL = { ...DOWN, regions: [regionDocument(), { ...CUT_OFF, region: "enam" }, CUT_OFF] };
const HIDDEN = { regions: [...WELL, { ...CUT_OFF, diagnosis: null }] };
const ALL = { regions: [regionDocument(), CUT_OFF, SILENT_REGION] };
const ONE_FAILS =
  "It fails as seen from Asia-Pacific (No complete answer in time). From most regions it works.";
const CELLS = ["Western Europe", "weur", "Asia-Pacific", "Oceania", "99.86 %", "never"];

test.each<[title: string, path: string, Partial<MonitorDocument>, told: string[], absent?: string[]]>([
  ["a failure from one place alone is shown as such, on a monitor that is up", "/", MOST_WELL, [ONE_FAILS]],
  ["on the gateway's page too", "/gateways/acme", MOST_WELL, [ONE_FAILS]],
  ["and in Chinese", "/?lang=zh", MOST_WELL, ["以下地区访问失败：亚太（", "）。多数地区访问正常。"]],
  [
    "where most fail it is told from where, and from where it works",
    "/",
    MOST_FAIL,
    ["It fails as seen from Eastern North America", "It works as seen from Western Europe."],
  ],
  ["where all see it work nothing is said of them", "/", { regions: WELL }, [], ["as seen from"]],
  ["where no regions are asked nothing is said of them", "/gateways/acme", {}, [], ["Seen from"]],
  [
    "causes that are not public are not told of a region either",
    "/",
    HIDDEN,
    ["It fails as seen from Asia-Pacific. From most"],
  ],
  ["the gateway's page has a table of all, also of those that never reported", "/gateways/acme", ALL, CELLS],
  ["the overview has no such table", "/", ALL, [], ["Oceania"]],
])("%s", async (_, path, monitor, told, absent) => {
  const gateways = [gatewayDocument({ monitors: [monitorDocument(monitor)] })];
  expectWords(textOf(await world.show({ gateways }, { path })), told, absent);
});

test("when the checks have stopped no failure is told of now", async () => {
  const gateways = [gatewayDocument({ monitors: [monitorDocument(MOST_WELL)] })];
  expect(textOf(await world.show(asStale(statusDocument({ gateways }))))).not.toContain("as seen from");
});
