/** Rows of many monitors on the overview: their groups, and the filter. */
import { expect, test } from "vitest";
import type { GatewayDocument } from "../../src/history/documents.ts";
import { expectWords, plainSpaces, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  gatewayThatIs,
  monitorDocument,
  monitorThatIs,
  plannedWindow,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const idsOf = (html: string) => [...html.matchAll(/<tbody id="gateway-([\w-]+)">/gu)].map(([, id]) => id);

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
