/** The overview where more is watched than can be looked at. */
import { describe, expect, test } from "vitest";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

/** @param bad the places of those in trouble. */
function gateways(count: number, bad: readonly number[] = [], monitorsOfEach = 1) {
  return Array.from({ length: count }, (_, index) => {
    const status = bad.includes(index) ? ("blocked" as const) : ("up" as const);
    const diagnosis = status === "blocked" ? { diagnosis: BALANCE_GONE } : {};
    const monitors = Array.from({ length: monitorsOfEach }, (_monitor, place) =>
      monitorDocument({ id: `g${index}/m${place}`, status, ...diagnosis }),
    );
    return gatewayDocument({ id: `g${index}`, name: `Gateway ${index}`, status, monitors });
  });
}

const shown = (html: string) =>
  [...html.matchAll(/<section class="gateway" id="gateway-(\w+)"/gu)].map(([, id]) => id);
const links = (html: string) => {
  const [nav = ""] = /<nav class="paging".*?<\/nav>/su.exec(html) ?? [];
  return [...nav.matchAll(/<a href="([^"]+)"/gu)].map(([, href]) => href);
};

const titleOf = (html: string) => textOf(/<title>(.*?)<\/title>/su.exec(html)?.[1] ?? "");

test("sixty monitors are one page, without links to others", async () => {
  await world.publish(statusDocument({ gateways: gateways(60) }));
  const html = await world.text("/");
  expect([shown(html).length, html.includes("paging")]).toEqual([60, false]);
});

test("72 gateways of three monitors are four pages of the same size", async () => {
  await world.publish(statusDocument({ gateways: gateways(72, [], 3) }));
  const pages = await Promise.all(["/", "/?page=2", "/?page=3", "/?page=4"].map((path) => world.text(path)));
  expect(pages.map((html) => shown(html).length)).toEqual([18, 18, 18, 18]);
});

describe("of 150 gateways", () => {
  test("each is on one page, those in trouble on the first, and the others stay in their order", async () => {
    await world.publish(statusDocument({ gateways: gateways(150, [149, 100]) }));
    const pages = await Promise.all(["/", "/?page=2", "/?page=3"].map((path) => world.text(path)));
    expect(pages.map((html) => shown(html).length)).toEqual([50, 50, 50]);
    const ids = pages.flatMap(shown);
    expect(new Set(ids).size).toBe(150);
    expect(ids.slice(0, 4)).toEqual(["g100", "g149", "g0", "g1"]);
    expect(ids.slice(-2)).toEqual(["g147", "g148"]);
  });

  test("plain links lead from page to page, above all that is open and behind the gateways", async () => {
    await world.publish(statusDocument({ gateways: gateways(150) }));
    const html = await world.text("/?page=2");
    expect(links(html)).toEqual([
      "/#gateways",
      "/#gateways",
      "#gateways",
      "/?page=3#gateways",
      "/?page=3#gateways",
    ]);
    expect(html.match(/<(?:nav|div) class="paging"/gu)).toHaveLength(2);
    const places = ['<nav class="paging"', 'class="incidents"', 'id="gateways"', '<section class="gateway"'];
    const found = places.map((place) => html.indexOf(place));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
    expect(textOf(html)).toContain("Gateways 51 to 100 of 150; those in trouble come first.");
    expect(html).toContain('<a href="#gateways" aria-current="page">Page 2</a>');
    expect(links(await world.text("/"))).toEqual([
      "#gateways",
      "/?page=2#gateways",
      "/?page=3#gateways",
      "/?page=2#gateways",
    ]);
  });

  test("they stay in the language that was asked for", async () => {
    await world.publish(statusDocument({ gateways: gateways(150) }));
    const html = await world.text("/?lang=zh&page=3");
    expect(links(html)).toEqual([
      "/?lang=zh&amp;page=2#gateways",
      "/?lang=zh#gateways",
      "/?lang=zh&amp;page=2#gateways",
      "#gateways",
    ]);
    expect(textOf(html)).toContain("第 101 至 150 个网关，共 150 个；有问题的排在最前。");
  });

  test("each page has a title of its own", async () => {
    await world.publish(statusDocument({ gateways: gateways(150) }));
    const pages = await Promise.all(
      ["/", "/?page=2", "/?page=3", "/?page=3&lang=zh"].map((path) => world.text(path)),
    );
    expect(pages.map(titleOf)).toEqual([
      "All up · Acme gateways",
      "All up · page 2 of 3 · Acme gateways",
      "All up · page 3 of 3 · Acme gateways",
      "全部正常 · 第 3 页，共 3 页 · Acme gateways",
    ]);
  });

  test("a page that there is not is not said to be one", async () => {
    await world.publish(statusDocument({ gateways: gateways(150) }));
    for (const asked of ["0", "-1", "x", "1e9", "", "01", "4", "99", "9999999"]) {
      const answer = await world.ask(`/?page=${asked}`);
      expect(answer.status, asked).toBe(404);
      expect(textOf(await answer.text())).toContain(
        "There is no such page of gateways here. To the status page",
      );
    }
  });

  test("what fails beyond what the banner names is reached from every page", async () => {
    await world.publish(statusDocument({ gateways: gateways(150, [1, 2, 3, 4, 5, 6, 7]) }));
    const linkOf = (html: string) => /<a href="([^"]*#gateway-g6)">/u.exec(html)?.[1];
    expect([linkOf(await world.text("/")), linkOf(await world.text("/?page=2"))]).toEqual([
      "#gateway-g6",
      "/#gateway-g6",
    ]);
  });

  test("the JSON stays whole", async () => {
    await world.publish(statusDocument({ gateways: gateways(150) }));
    const status = JSON.parse(await world.text("/api/v1/status")) as { gateways: unknown[] };
    expect(status.gateways).toHaveLength(150);
  });
});

test("a gateway is never parted, be it larger than a page", async () => {
  await world.publish(
    statusDocument({ gateways: [...gateways(1, [], 250), ...gateways(3, [], 90).slice(1)] }),
  );
  const pages = await Promise.all(["/", "/?page=2", "/?page=3"].map((path) => world.text(path)));
  expect(pages.map(shown)).toEqual([["g0"], ["g1"], ["g2"]]);
});

test("in a storm twenty open incidents are listed, and the others counted", async () => {
  const incidents = Array.from({ length: 130 }, (_, index) =>
    incidentDocument({
      id: `g${index}.m0-20261120t080000z`,
      gateway: `g${index}`,
      monitors: [`g${index}/m0`],
    }),
  );
  await world.publish(statusDocument({ gateways: gateways(130, Array.from(incidents.keys())), incidents }));
  const html = await world.text("/");
  expect(html.match(/<li id="incident-/gu)).toHaveLength(20);
  expect(textOf(html)).toContain("And 110 more: each is on the page of its gateway.");
});

test("a page of many is no larger than one of sixty monitors, give or take its links", async () => {
  await world.publish(statusDocument({ gateways: gateways(60) }));
  const one = await world.text("/");
  await world.publish(statusDocument({ gateways: gateways(600) }));
  const first = await world.text("/");
  expect(first.length - one.length).toBeLessThan(2500);
});
