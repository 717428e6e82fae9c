import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { badgeOf, badgeSvg, type Badge } from "../../src/formats/badge.ts";
import { type Health, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { rounds } from "../extent.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  skippedCanary,
  statusDocument,
} from "../http/documents.ts";
import { PAUSED } from "./any-status.ts";
import { hostileText } from "./hostile-text.ts";
import { PLANNED } from "./statuspage-source.ts";
import { elementsOf, readXml } from "./xml-reader.ts";

const GREEN = "#1a7f37";
const RED = "#cf222e";
const GREY = "#59636e";

function badgeFor(
  monitors: readonly MonitorDocument[],
  more: Partial<StatusDocument> = {},
  gateway: Partial<GatewayDocument> = {},
): Badge {
  const subject = { gateway: gatewayDocument({ monitors: [...monitors], ...gateway }), monitor: null };
  return badgeOf(subject, statusDocument(more), NOW_MS, null);
}

const of = (status: Health): MonitorDocument => monitorDocument({ status });
const [up, down, unknown] = [of("up"), of("down"), of("unknown")];
const paused = monitorDocument(PAUSED);
const keyless = monitorDocument({ status: "blocked", diagnosis: BALANCE_GONE });
const capped = skippedCanary({ reason: "cap", cause: null });
test.each<[string, readonly MonitorDocument[], message: string, color: string]>([
  ["an up monitor", [up], "up", GREEN],
  ["a degraded one", [of("degraded")], "degraded", "#9a6700"],
  ["one that is down", [down], "down", RED],
  ["a key without a balance, and a monitor that sees", [keyless, up], "no access", GREY],
  ["a monitor without evidence", [unknown], "unknown", GREY],
  ["a canary that waits", [capped], "unknown", GREY],
  ["a canary that waits beside one that is up", [capped, up], "up", GREEN],
  ["a gateway without monitors", [], "unknown", GREY],
  ["a paused monitor", [paused], "paused", GREY],
  ["a paused monitor beside one that is up", [paused, up], "up", GREEN],
])("%s", (_, monitors, message, color) => {
  expect(badgeFor(monitors)).toEqual({ label: "Acme", message, color });
});

test.each(HEALTHS)(
  "while the checks have stopped a badge that was %s says so, in maintenance too",
  (status) => {
    const badge = badgeFor([of(status)], { stale: true, maintenance: [PLANNED] });
    expect(badge).toEqual({ label: "Acme", message: "checks stopped", color: GREY });
  },
);

test.each([
  ["from its first instant", { from: "2026-11-20T12:00:00.000Z" }, "maintenance"],
  ["not from its end on", { to: "2026-11-20T12:00:00.000Z" }, "down"],
  ["where it concerns every gateway", { gateways: [] }, "maintenance"],
  ["not where it concerns another", { gateways: ["beta"] }, "down"],
])("planned maintenance is shown %s", (_, window, message) => {
  expect(badgeFor([down], { maintenance: [{ ...PLANNED, ...window }] }).message).toBe(message);
});

test("a label of more than 40 characters is cut at a whole character", () => {
  const label = (name: string) => badgeFor([up], {}, { name }).label;
  expect(label("a".repeat(40))).toBe("a".repeat(40));
  expect(label("a".repeat(41))).toBe(`${"a".repeat(39)}…`);
  expect(label(`${"a".repeat(38)}😀😀`)).toBe(`${"a".repeat(38)}…`);
});

const svgOf = (name: string): string => badgeSvg(badgeFor([up], {}, { name }));

/** Where the two texts begin and end, and the image does. */
function measures(label: string): { label: number[]; message: number[]; seam: number; width: number } {
  const elements = elementsOf(readXml(svgOf(label)));
  const named = (name: string) => elements.filter((one) => one.name === name).map((one) => one.attributes);
  const texts = named("text").map(({ x, textLength }) => [Number(x), Number(x) + Number(textLength)]);
  const seam = Number(/^M(\d+) /.exec(named("path")[1]!["d"]!)?.[1]);
  return { label: texts[0]!, message: texts[1]!, seam, width: Number(elements[0]!.attributes["width"]) };
}

test("a badge is 20 px high and tells its words to those who do not see it", () => {
  const root = readXml(svgOf("Acme"));
  const xmlns = "http://www.w3.org/2000/svg";
  const attributes = { xmlns, height: "20", role: "img", "aria-label": "Acme: up" };
  expect(root).toMatchObject({ name: "svg", attributes });
  expect(root.children[0]).toMatchObject({ name: "title", text: "Acme: up" });
});

test.each(["A", "Acme · chat · gpt-4o-mini", "模型网关（上海）", "🚀 e\u0301"])(
  "%s has 6 px of room on both sides",
  (name) => {
    const { label, message, seam, width } = measures(name);
    expect([label[0], seam - label[1]!, message[0]! - seam, width - message[1]!]).toEqual([6, 6, 6, 6]);
  },
);

test("whatever the name is, a badge has the elements and attributes of a harmless one, and shows it as text", () => {
  const shape = (svg: string) =>
    elementsOf(readXml(svg)).map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(" "));
  const harmless = shape(svgOf("Acme"));
  expect(harmless.join(" ")).not.toMatch(/script|style|image|href|\bon/u);
  fc.assert(
    fc.property(hostileText, (name) => {
      const svg = svgOf(name);
      expect(shape(svg)).toEqual(harmless);
      const { text, attributes, children } = readXml(svg);
      const title = children[0]!.text;
      expect(attributes["aria-label"]).toBe(title);
      expect(text).toBe(`${title}${title.replace(/: up$/u, "up")}`);
      expect(title.length).toBeLessThanOrEqual(44);
    }),
    { numRuns: rounds(62, 500) },
  );
  const markup = `<b a='1'>"&amp;"</b>`;
  expect(readXml(svgOf(markup)).children[0]?.text).toBe(`${markup}: up`);
});
