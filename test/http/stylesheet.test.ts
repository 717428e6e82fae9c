import { expect, test } from "vitest";
import { STYLESHEET } from "../../src/http/pages/stylesheet.ts";

/** The custom properties of the light and of the dark scheme. */
const [light = new Map(), dark = new Map()] = [...STYLESHEET.matchAll(/:root \{([^}]*)\}/gu)].map(
  ([, block = ""]) =>
    new Map([...block.matchAll(/--([a-z]+): (#[0-9a-f]{6})/gu)].map(([, name, colour]) => [name, colour])),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each(["text", "soft", "link", "up", "degraded", "down", "blocked", "unknown"])(
  "--%s is readable on the page and on a card, in light and in dark",
  (name) => {
    for (const scheme of [light, dark]) {
      for (const ground of ["ground", "card"]) {
        expect(contrast(scheme.get(name) ?? "", scheme.get(ground) ?? "")).toBeGreaterThan(4.5);
      }
    }
  },
);

test("days without data are hatched, and nothing fades", () => {
  expect(STYLESHEET).not.toContain("opacity");
  expect(STYLESHEET).toContain(".day:not([fill]) { fill: var(--tone); }");
  expect(STYLESHEET).toContain(".hatch path { fill: var(--unknown); }");
});
