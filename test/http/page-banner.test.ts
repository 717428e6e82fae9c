/** What the banner counts, and how it tells of a gateway that is worked on. */
import { expect, test } from "vitest";
import { summaryOf } from "../../src/history/standing.ts";
import type { Health } from "../../src/protocol/diagnosis.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  GOOD,
  monitorDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

/** One gateway of one monitor for each health: `a`, `b`, … */
function statusOf(healths: readonly Health[], more: Partial<StatusDocument> = {}): StatusDocument {
  const gateways = healths.map((status, index) => {
    const id = "abcdefg".charAt(index);
    const diagnosis = status === "unknown" ? null : status === "up" ? GOOD : BALANCE_GONE;
    const monitors = [monitorDocument({ id: `${id}/models`, status, lastStatus: null, diagnosis })];
    return gatewayDocument({ id, name: `The ${id}`, status, monitors });
  });
  return statusDocument({ gateways, summary: summaryOf(healths), ...more });
}

async function page(status: StatusDocument, path = "/"): Promise<string> {
  await world.publish(status);
  return world.text(path);
}

async function bannerOf(status: StatusDocument, path = "/"): Promise<string> {
  const html = await page(status, path);
  return textOf(/<div class="banner \w+" role="status">.*?<\/div>/su.exec(html)?.[0] ?? "");
}

test("where all stand alike the headline has said so, and nothing is counted after it", async () => {
  for (const [health, begins] of [
    ["down", "3 of 3 monitors down Down The a"],
    ["degraded", "3 of 3 monitors degraded Degraded The a"],
    ["blocked", "3 of 3 monitors blocked, no outage seen 3 monitors are blocked"],
  ] as const) {
    const banner = await bannerOf(statusOf([health, health, health]));
    expect(banner.slice(0, begins.length)).toBe(begins);
  }
  expect(await bannerOf(statusOf(["up", "up"], { putOff: 1 }))).toBe(
    "All 2 monitors are up 1 check that was due had to wait for the next round.",
  );
});

test("where they do not, it is counted how many stand how", async () => {
  expect(await bannerOf(statusOf(["up", "down"]))).toMatch(
    /^1 of 2 monitors down 1 up, 1 down\. Down The b/u,
  );
  expect(await bannerOf(statusOf(["up", "blocked"]))).toMatch(
    /^1 of 2 monitors blocked, no outage seen 1 up\. 1 monitor is blocked/u,
  );
});

test("where nothing is known the headline counts nothing, and the line after it does", async () => {
  expect(await bannerOf(statusOf(["unknown", "unknown"]))).toBe(
    "Not all is known yet 2 without fresh evidence.",
  );
});

test("of a gateway that is worked on come its mark and name first, and that it is so once", async () => {
  const window = {
    gateways: ["a"],
    from: "2026-11-20T11:00:00.000Z",
    to: "2026-11-20T13:00:00.000Z",
    title: "Moving",
  };
  const status = statusOf(["down"], { maintenance: [window] });
  expect(await bannerOf(status)).toBe(
    "1 monitor in planned maintenance Maintenance The a until 2026-11-20 13:00:00 UTC; the last check says down: " +
      "The balance is used up. Whose turn: the owner of the monitor’s key. Since 2026-11-20 08:00:00 UTC.",
  );
  expect(await bannerOf(status, "/?lang=zh")).toContain(
    "维护中 The a ，至 2026-11-20 13:00:00 UTC ；最近一次检查的结果是“故障”：余额已用尽。",
  );
});

test.each([
  [["blocked"], "1 monitor is blocked: it cannot see whether its gateway works."],
  [["blocked", "blocked"], "2 monitors are blocked: they cannot see whether their gateways work."],
] as const)("of %j it is said what they cannot see", async (healths, words) => {
  expect(await bannerOf(statusOf(healths))).toContain(`${words} That alone is no outage of`);
});

test("of many failing gateways five are named and the rest counted, with a way to the first of those", async () => {
  const status = statusOf(["down", "down", "down", "down", "down", "down", "down"]);
  const banner = await bannerOf(status);
  expect(banner).toContain("The e");
  expect(banner).not.toContain("The f");
  const html = await page(status);
  expect(html).toContain('<p><a href="#gateway-f">And 2 more gateways, below.</a></p>');
  expect(html).toContain('<section class="gateway" id="gateway-f">');
});
