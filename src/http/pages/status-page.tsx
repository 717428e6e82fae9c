/**
 * The frame of a page that shows what was published: the site's title and notice, its time zone, and where figures come from.
 */
import { Footer } from "./footer.tsx";
import { headlineOf } from "./headline.ts";
import { type Frame, renderPage } from "./layout.tsx";
import type { View } from "./view.ts";

export function renderStatusPage(
  view: View,
  page: Pick<Frame, "title" | "description" | "children">,
): string {
  const { title, notice, timeZone } = view.status;
  const site = { reader: view, site: title, notice, timeZone, icon: headlineOf(view).tone };
  return renderPage({ ...site, ...page, footer: <Footer view={view} /> });
}
