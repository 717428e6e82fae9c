/** The overview where more is watched than can be looked at. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { COURSE_STEPS, type CourseStep } from "../../src/domain/rollup.ts";
import { packCourse } from "../../src/history/course.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { textOf, wordsIn } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** @param bad the places of those in trouble. */
const gateways = (count: number, bad: readonly number[] = [], monitorsOfEach = 1) =>
  Array.from({ length: count }, (_, index) => {
    const status = bad.includes(index) ? "blocked" : "up";
    const monitors = Array.from({ length: monitorsOfEach }, (__, place) =>
      monitorThatIs(status, { id: `g${index}/m${place}` }),
    );
    return { ...gatewayThatIs(status, `g${index}`), monitors };
  });

const shown = (html: string) =>
  [...html.matchAll(/<section class="gateway" id="gateway-(\w+)"/gu)].map(([, id]) => id);
const links = (html: string) => {
  const [nav = ""] = /<nav class="paging".*?<\/nav>/su.exec(html) ?? [];
  return [...nav.matchAll(/<a href="([^"]+)"/gu)].map(([, href]) => href);
};
const pagesAt = (...paths: string[]) => Promise.all(paths.map((path) => world.text(path)));

test("sixty monitors are one page, without links to others; a page of many is hardly larger", async () => {
  const html = await world.show({ gateways: gateways(60) });
  expect([shown(html).length, html.includes("paging")]).toEqual([60, false]);
  const first = await world.show({ gateways: gateways(600) });
  expect(first.length - html.length).toBeLessThan(2500);
});

test("72 gateways of three monitors are four pages of the same size", async () => {
  await world.publish(statusDocument({ gateways: gateways(72, [], 3) }));
  const pages = await pagesAt("/", "/?page=2", "/?page=3", "/?page=4");
  expect(pages.map((html) => shown(html).length)).toEqual([18, 18, 18, 18]);
});

describe("of 150 gateways", () => {
  const publish = (bad: readonly number[] = []) =>
    world.publish(statusDocument({ gateways: gateways(150, bad) }));

  test("each is on one page, those in trouble on the first, and the others stay in their order", async () => {
    await publish([149, 100]);
    const pages = await pagesAt("/", "/?page=2", "/?page=3");
    expect(pages.map((html) => shown(html).length)).toEqual([50, 50, 50]);
    const ids = pages.flatMap(shown);
    expect(new Set(ids).size).toBe(150);
    expect(ids.slice(0, 4)).toEqual(["g100", "g149", "g0", "g1"]);
    expect(ids.slice(-2)).toEqual(["g147", "g148"]);
  });

  test.each([
    [
      "/",
      ["#", "/?page=2#", "/?page=3#", "/?page=2#"],
      "Gateways 1 to 50 of 150; those in trouble come first.",
    ],
    ["/?page=2", ["/#", "/#", "#", "/?page=3#", "/?page=3#"], "Gateways 51 to 100 of 150;"],
    [
      "/?lang=zh&page=3",
      ["/?lang=zh&amp;page=2#", "/?lang=zh#", "/?lang=zh&amp;page=2#", "#"],
      "第 101 至 150 个网关，共 150 个；有问题的排在最前。",
    ],
  ])("plain links lead on from %s, in the language that was asked for", async (path, hrefs, told) => {
    await publish();
    const html = await world.text(path);
    expect(links(html)).toEqual(hrefs.map((href) => `${href}gateways`));
    expect(textOf(html)).toContain(told);
  });

  test("links stand above all that is open and behind the gateways", async () => {
    await publish();
    const html = await world.text("/?page=2");
    expect(html.match(/<(?:nav|div) class="paging"/gu)).toHaveLength(2);
    const places = ['<nav class="paging"', 'class="incidents"', 'id="gateways"', '<section class="gateway"'];
    const found = places.map((place) => html.indexOf(place));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
    expect(html).toContain('<a href="#gateways" aria-current="page">Page 2</a>');
  });

  test("each page has a title of its own", async () => {
    await publish();
    const pages = await pagesAt("/", "/?page=2", "/?page=3", "/?page=3&lang=zh");
    expect(pages.map((html) => wordsIn(html, "<title>", "</title>"))).toEqual([
      "All up · Acme gateways",
      "All up · page 2 of 3 · Acme gateways",
      "All up · page 3 of 3 · Acme gateways",
      "全部正常 · 第 3 页，共 3 页 · Acme gateways",
    ]);
  });

  test("a page that there is not is not said to be one", async () => {
    await publish();
    const words = "There is no such page of gateways here. To the status page";
    for (const asked of ["0", "-1", "x", "1e9", "", "01", "4", "99", "9999999"]) {
      const answer = await world.ask(`/?page=${asked}`);
      expect(answer.status, asked).toBe(404);
      expect(textOf(await answer.text())).toContain(words);
    }
  });

  test("what fails beyond what the banner names is reached from every page", async () => {
    await publish([1, 2, 3, 4, 5, 6, 7]);
    const pages = await pagesAt("/", "/?page=2");
    const hrefs = pages.map((html) => /<a href="([^"]*#gateway-g6)">/u.exec(html)?.[1]);
    expect(hrefs).toEqual(["#gateway-g6", "/#gateway-g6"]);
  });

  test("the JSON stays whole", async () => {
    await publish();
    const status = JSON.parse(await world.text("/api/v1/status")) as { gateways: unknown[] };
    expect(status.gateways).toHaveLength(150);
  });
});

test("a gateway is never parted, be it larger than a page", async () => {
  const large = [...gateways(1, [], 250), ...gateways(3, [], 90).slice(1)];
  await world.publish(statusDocument({ gateways: large }));
  expect((await pagesAt("/", "/?page=2", "/?page=3")).map(shown)).toEqual([["g0"], ["g1"], ["g2"]]);
});

test("in a storm twenty open incidents are listed, and the others counted", async () => {
  const all = gateways(
    130,
    Array.from({ length: 130 }, (_, place) => place),
  );
  const incidents = all.map(({ id }) =>
    incidentDocument({ id: `${id}.models-20261120t080000z`, gateway: id, monitors: [`${id}/models`] }),
  );
  const html = await world.show({ gateways: all, incidents });
  expect(html.match(/<li id="incident-/gu)).toHaveLength(20);
  expect(textOf(html)).toContain("And 110 more: each is on the page of its gateway.");
});

/** Of the bits of a number nobody could guess: no two monitors have the same days or lines. */
function dice(seed: number): (sides: number) => number {
  let state = seed + 1;
  return (sides) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 12)) >>> 0) % sides;
  };
}

test("a page of sixty monitors in trouble, each of which failed on one day in four and is never twice as fast, has at most 36 kB", async () => {
  const byMonitor: Record<string, ReturnType<typeof packCourse>> = {};
  const troubled = Array.from({ length: 60 }, (_, index) => {
    const [id, name, roll, rollCourse] = [`g${index}`, `Gateway ${index}`, dice(index), dice(1000 + index)];
    const isBad = Array.from({ length: 90 }, () => roll(4) === 0);
    const worst = isBad.map((bad) => (bad ? (HEALTHS[roll(HEALTHS.length)] ?? "up") : "up"));
    const uptime = isBad.map((bad) => (bad ? roll(10_000) / 10_000 : 1));
    const diagnosis = { ...BALANCE_GONE, message: `no credit: ${roll(1e9)}` };
    const steps = Array.from({ length: COURSE_STEPS }, (): CourseStep => {
      return { p50: 100 + rollCourse(4000), p95: 4000 + rollCourse(9000), health: "up", cause: "ok" };
    });
    byMonitor[`${id}/models`] = packCourse(steps, false);
    const days = { from: "2026-08-23", worst, uptime };
    const monitor = monitorDocument({ id: `${id}/models`, status: "blocked", diagnosis, days });
    return gatewayDocument({ id, name, status: "blocked", monitors: [monitor] });
  });
  const html = await world.show(
    { gateways: troubled },
    { tail: { halfHours: { fromMs: NOW_MS, byMonitor } } },
  );
  expect(html.match(/<article /gu)).toHaveLength(60);
  expect(gzipSync(html).length).toBeLessThanOrEqual(36_000);
});
