/** What must not be found on a page; each answers in words what was found, nothing where all is well. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** By axe-core, run from outside: the page's own policy would refuse it. A page that was loaded is given it once. */
export async function inaccessible(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (rules): Promise<AxeResults["violations"]> => {
    const inPage = (globalThis as unknown as { axe: typeof axe }).axe;
    // What would be loaded before is for rules on media and orientation, which are none of these.
    const found = await inPage.run(document, { runOnly: rules, resultTypes: ["violations"], preload: false });
    return found.violations;
  }, RULES);
  return violations.map(({ id, nodes }) => {
    const [node] = nodes;
    return `${id} (${nodes.length}): ${node?.target.join(" ")}: ${node?.failureSummary?.replaceAll("\n", " ")}`;
  });
}

/** Boxes that reach out of the window to the side, where the page can be scrolled there. */
export async function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (right > root.clientWidth + 0.5 || left < -0.5);
    });
    const named = wide.slice(-3).map(({ outerHTML }) => outerHTML.slice(0, 120));
    return [`${root.scrollWidth} px in ${root.clientWidth}`, ...named];
  });
}

/** Boxes that hide a part of their text, but for screen readers; nor is one that keys can scroll, except on paper. */
export async function clipped(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isPaper = matchMedia("print").matches;
    const hides = (overflow: string): boolean => overflow !== "visible";
    return [...document.body.querySelectorAll("*")].flatMap((element) => {
      const { overflowX, overflowY, clipPath } = getComputedStyle(element);
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      const isUnseen = clipPath !== "none" || clientWidth <= 1 || element.closest("svg") !== null;
      const isReached = element.matches("textarea, [tabindex='0']");
      const isScrolled = overflowX === "auto" && isReached && !isPaper;
      const isWide = hides(overflowX) && scrollWidth > clientWidth + 1;
      const isHigh = hides(overflowY) && scrollHeight > clientHeight + 1;
      return !isUnseen && !isScrolled && (isWide || isHigh) ? [element.outerHTML.slice(0, 120)] : [];
    });
  });
}

/** What is folded, and cannot be seen on paper, where nobody unfolds it. */
export async function folded(page: Page): Promise<readonly string[]> {
  return page
    .locator("details > :not(summary)")
    .evaluateAll((parts) =>
      parts.filter((part) => !part.checkVisibility()).map(({ outerHTML }) => outerHTML.slice(0, 120)),
    );
}

/** Kinds of drawings that look like their ground: the picture is the same without. @param known need no second look; grows. */
export async function invisible(page: Page, known: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  const drawn = page.locator("svg:visible, svg:visible > path, svg:visible > g > path");
  for (const [index, kind] of (await drawn.evaluateAll(kindsOf)).entries()) {
    if (kind === null || known.has(kind)) continue;
    known.add(kind);
    const part = await drawn.nth(index).elementHandle();
    if (part === null) continue;
    await part.scrollIntoViewIfNeeded();
    const box = await part.evaluate((element): DOMRect =>
      (element.closest("svg") ?? element).getBoundingClientRect().toJSON(),
    );
    const shot = () => page.screenshot({ clip: box, caret: "initial" });
    const seen = await shot();
    await part.evaluate((element) => element.setAttribute("visibility", "hidden"));
    if (seen.equals(await shot())) found.push(kind);
    await part.evaluate((element) => element.removeAttribute("visibility"));
  }
  return found;
}

/** Null: too small to be seen. */
function kindsOf(parts: readonly Element[]): readonly (string | null)[] {
  return parts.map((drawn) => {
    const svg = drawn.closest("svg");
    const { width, height } = (svg ?? drawn).getBoundingClientRect();
    const place = `${svg?.parentElement?.className} ${svg?.firstElementChild?.tagName}`;
    return width < 2 || height < 2 ? null : `${place} > ${drawn.tagName}.${drawn.getAttribute("class")}`;
  });
}
