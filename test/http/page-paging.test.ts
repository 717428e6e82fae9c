/** The overview where more is watched than can be looked at. */
import { describe, expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  depsOf,
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

async function overview(path: string): Promise<string> {
  return (await handleRequest(new Request(`https://status.example${path}`), depsOf(world.kv))).text();
}

const shown = (html: string) =>
  [...html.matchAll(/<section class="gateway" id="gateway-(\w+)"/gu)].map(([, id]) => id);
const links = (html: string) => {
  const [nav = ""] = /<nav class="paging".*?<\/nav>/su.exec(html) ?? [];
  return [...nav.matchAll(/<a href="([^"]+)"/gu)].map(([, href]) => href);
};

test("two hundred monitors are one page, without links to others", async () => {
  await world.publish(statusDocument({ gateways: gateways(200) }));
  const html = await overview("/");
  expect([shown(html).length, html.includes("paging")]).toEqual([200, false]);
});

describe("of 450 gateways", () => {
  test("each is on one page, those in trouble on the first, and the others stay in their order", async () => {
    await world.publish(statusDocument({ gateways: gateways(450, [449, 300]) }));
    const pages = await Promise.all(["/", "/?page=2", "/?page=3"].map(overview));
    expect(pages.map((html) => shown(html).length)).toEqual([200, 200, 50]);
    const ids = pages.flatMap(shown);
    expect(new Set(ids).size).toBe(450);
    expect(ids.slice(0, 4)).toEqual(["g300", "g449", "g0", "g1"]);
    expect(ids.slice(-2)).toEqual(["g447", "g448"]);
  });

  test("plain links lead from page to page, before the gateways and behind them", async () => {
    await world.publish(statusDocument({ gateways: gateways(450) }));
    const html = await overview("/?page=2");
    expect(links(html)).toEqual(["/", "/", "/?page=3", "/?page=3"]);
    expect(html.match(/<(?:nav|div) class="paging"/gu)).toHaveLength(2);
    expect(textOf(html)).toContain("Gateways 201 to 400 of 450; those in trouble come first.");
    expect(html).toContain('<strong aria-current="page">Page 2</strong>');
    expect(links(await overview("/"))).toEqual(["/?page=2", "/?page=3", "/?page=2"]);
  });

  test("they stay in the language that was asked for", async () => {
    await world.publish(statusDocument({ gateways: gateways(450) }));
    const html = await overview("/?lang=zh&page=3");
    expect(links(html)).toEqual(["/?lang=zh&amp;page=2", "/?lang=zh", "/?lang=zh&amp;page=2"]);
    expect(textOf(html)).toContain("第 401 至 450 个网关，共 450 个；有问题的排在最前。");
  });

  test.each(["0", "-1", "x", "1e9", "", "01", "4", "999999"])(
    "?page=%s is a page that there is",
    async (page) => {
      await world.publish(statusDocument({ gateways: gateways(450) }));
      const count = shown(await overview(`/?page=${page}`)).length;
      expect(count).toBe(["4", "999999"].includes(page) ? 50 : 200);
    },
  );

  test("what fails beyond what the banner names is reached from every page", async () => {
    await world.publish(statusDocument({ gateways: gateways(450, [1, 2, 3, 4, 5, 6, 7]) }));
    const linkOf = (html: string) => /<a href="([^"]*#gateway-g6)">/u.exec(html)?.[1];
    expect([linkOf(await overview("/")), linkOf(await overview("/?page=2"))]).toEqual([
      "#gateway-g6",
      "/#gateway-g6",
    ]);
  });

  test("the JSON stays whole", async () => {
    await world.publish(statusDocument({ gateways: gateways(450) }));
    const status = JSON.parse(await overview("/api/v1/status")) as { gateways: unknown[] };
    expect(status.gateways).toHaveLength(450);
  });
});

test("a gateway is never parted, be it larger than a page", async () => {
  await world.publish(
    statusDocument({ gateways: [...gateways(1, [], 250), ...gateways(3, [], 90).slice(1)] }),
  );
  const pages = await Promise.all(["/", "/?page=2"].map(overview));
  expect(pages.map(shown)).toEqual([["g0"], ["g1", "g2"]]);
});

test("in a storm a hundred open incidents are listed, and the others counted", async () => {
  const incidents = Array.from({ length: 130 }, (_, index) =>
    incidentDocument({
      id: `g${index}.m0-20261120t080000z`,
      gateway: `g${index}`,
      monitors: [`g${index}/m0`],
    }),
  );
  await world.publish(statusDocument({ gateways: gateways(130, Array.from(incidents.keys())), incidents }));
  const html = await overview("/");
  expect(html.match(/<li id="incident-/gu)).toHaveLength(100);
  expect(textOf(html)).toContain("And 30 more: each is on the page of its gateway.");
});

test("a page of many is no larger than one of two hundred monitors, give or take its links", async () => {
  await world.publish(statusDocument({ gateways: gateways(200) }));
  const one = await overview("/");
  await world.publish(statusDocument({ gateways: gateways(3000) }));
  const first = await overview("/");
  expect(first.length - one.length).toBeLessThan(2500);
});
