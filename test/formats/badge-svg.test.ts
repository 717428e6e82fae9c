import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { badgeOf } from "../../src/formats/badge.ts";
import { badgeSvg } from "../../src/formats/badge-svg.ts";
import { gatewayDocument, monitorDocument, NOW_MS, statusDocument } from "../http/published-status.ts";
import { hostileText } from "./hostile-text.ts";
import { elementsOf, readXml } from "./xml-reader.ts";

function svgOf(
  label: string,
  status: "up" | "degraded" | "down" | "blocked" = "up",
  planned = false,
): string {
  const gateway = gatewayDocument({ name: label, monitors: [monitorDocument({ status })] });
  const window = { gateways: [], from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z", title: "" };
  const maintenance = planned ? [window] : [];
  return badgeSvg(badgeOf({ gateway, monitor: null }, statusDocument({ maintenance }), NOW_MS, null));
}

/** Where the two texts begin and end, and the image does. */
function measures(label: string): { label: number[]; message: number[]; seam: number; width: number } {
  const elements = elementsOf(readXml(svgOf(label)));
  const texts = elements
    .filter(({ name }) => name === "text")
    .map(({ attributes }) => {
      const x = Number(attributes["x"]);
      return [x, x + Number(attributes["textLength"])];
    });
  const seam = Number(
    /^M(\d+) /.exec(elements.filter(({ name }) => name === "path")[1]!.attributes["d"]!)?.[1],
  );
  return { label: texts[0]!, message: texts[1]!, seam, width: Number(elements[0]!.attributes["width"]) };
}

test("a badge is 20 px high and tells its words to those who do not see it", () => {
  const root = readXml(svgOf("Acme"));
  expect(root).toMatchObject({
    name: "svg",
    attributes: { xmlns: "http://www.w3.org/2000/svg", height: "20", role: "img", "aria-label": "Acme: up" },
  });
  expect(root.children[0]).toMatchObject({ name: "title", text: "Acme: up" });
});

test.each([
  "A",
  "Acme",
  "Acme · chat · gpt-4o-mini",
  "WWWWWWWWWWWW",
  "iiiiiiii",
  "模型网关（上海）",
  "Шлюз",
  "🚀 e\u0301",
])("%s has 6 px of room on both sides", (label) => {
  const found = measures(label);
  expect(found.label[0]).toBe(6);
  expect(found.seam - found.label[1]!).toBe(6);
  expect(found.message[0]! - found.seam).toBe(6);
  expect(found.width - found.message[1]!).toBe(6);
});

/** Verdana at 11 px as anafanafo 2.0.0 has measured it; classes of widths and whole pixels may add 3 px to that. */
test.each([
  ["models", 39.53],
  ["operational", 62],
  ["gpt-4o-mini", 65.4],
  ["WWWW", 43.52],
  ["iiii", 12.08],
  ["checks stopped", 84.92],
  ["模型网关", 44],
])("%s is taken to be as wide as it is", (label, pixels) => {
  const [from = 0, to = 0] = measures(label).label;
  expect(to - from).toBeGreaterThanOrEqual(pixels);
  expect(to - from).toBeLessThanOrEqual(pixels + 3);
});

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each([
  ["up", svgOf("Acme")],
  ["degraded", svgOf("Acme", "degraded")],
  ["down", svgOf("Acme", "down")],
  ["blocked", svgOf("Acme", "blocked")],
  ["maintenance", svgOf("Acme", "up", true)],
])("the white words of %s are readable on both halves", (_, svg) => {
  const elements = elementsOf(readXml(svg));
  expect(elements.find(({ name }) => name === "g")?.attributes["fill"]).toBe("#fff");
  const grounds = elements.filter(({ name }) => name === "path").map(({ attributes }) => attributes["fill"]!);
  expect(grounds).toHaveLength(2);
  for (const ground of grounds) expect(1.05 / (luminance(ground) + 0.05)).toBeGreaterThanOrEqual(4.5);
});

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
});

test("markup in a name is read as it is written", () => {
  const name = `<b a='1'>"&amp;"</b>`;
  expect(readXml(svgOf(name)).children[0]?.text).toBe(`${name}: up`);
});
