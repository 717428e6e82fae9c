/** What pages say of gateways that are asked from regions. */
import { expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { asStale } from "../../src/http/staleness.ts";
import { DOWN } from "../formats/any-status.ts";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  regionDocument,
  SILENT_REGION,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

const CUT_OFF = regionDocument({
  region: "apac",
  status: "down",
  diagnosis: { ...BALANCE_GONE, cause: "timeout", health: "down", httpStatus: null },
});
const WELL = [regionDocument(), regionDocument({ region: "enam" })];

async function pageOf(path: string, monitor: Partial<MonitorDocument>, stale = false): Promise<string> {
  const status = statusDocument({
    gateways: [gatewayDocument({ status: monitor.status ?? "up", monitors: [monitorDocument(monitor)] })],
  });
  await world.publish(stale ? asStale(status) : status);
  const answer = await world.ask(path);
  return textOf(await answer.text());
}

test("a failure that is seen from one place alone is shown as such, on a monitor that is up", async () => {
  for (const path of ["/", "/gateways/acme"]) {
    const page = await pageOf(path, { regions: [...WELL, CUT_OFF] });
    expect(page).toContain(
      "It fails as seen from Asia-Pacific (No complete answer in time). From most regions it works.",
    );
  }
  const chinese = await pageOf("/?lang=zh", { regions: [...WELL, CUT_OFF] });
  expect(chinese).toContain("以下地区访问失败：亚太（");
  expect(chinese).toContain("）。多数地区访问正常。");
});

test("where most fail it is told from where, and from where it works", async () => {
  const regions = [regionDocument(), { ...CUT_OFF, region: "enam" }, CUT_OFF];
  const page = await pageOf("/", { ...DOWN, regions });
  expect(page).toContain("It fails as seen from Eastern North America");
  expect(page).toContain("It works as seen from Western Europe.");
});

test("where all see it work, and where no regions are asked, nothing is said of them", async () => {
  expect(await pageOf("/", { regions: WELL })).not.toContain("as seen from");
  expect(await pageOf("/gateways/acme", {})).not.toContain("Seen from");
});

test("causes that are not public are not told of a region either", async () => {
  const regions = [...WELL, { ...CUT_OFF, diagnosis: null }];
  expect(await pageOf("/", { regions })).toContain("It fails as seen from Asia-Pacific. From most");
});

test("the gateway's page has a table of all regions, also of those that never reported", async () => {
  const page = await pageOf("/gateways/acme", { regions: [regionDocument(), CUT_OFF, SILENT_REGION] });
  for (const cell of ["Western Europe", "weur", "Asia-Pacific", "Oceania", "99.86 %", "never"]) {
    expect(page).toContain(cell);
  }
  expect(await pageOf("/", { regions: [regionDocument(), CUT_OFF, SILENT_REGION] })).not.toContain("Oceania");
});

test("when the checks have stopped no failure is told of now", async () => {
  expect(await pageOf("/", { regions: [...WELL, CUT_OFF] }, true)).not.toContain("as seen from");
});
