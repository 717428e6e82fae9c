/**
 * The gateways of the overview in pages: what fails is on the first. Plain links; no script is needed.
 */
import type { GatewayDocument } from "../../../history/documents.ts";
import { overviewPath } from "../parts/addresses.ts";
import type { View } from "../parts/view.ts";

/** A page has no more monitors, but that a gateway is never parted. */
const MONITORS_A_PAGE = 60;
const GATEWAYS_ID = "gateways";

export interface GatewayPage {
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
  readonly gateways: readonly GatewayDocument[];
  /** How many are on the pages before it, and on all. */
  readonly before: number;
  readonly total: number;
}

/** @param asked as the address has it; null: it asks for none, which is the first. Null: there is no such page. */
export function pageOf(gateways: readonly GatewayDocument[], asked: string | null): GatewayPage | null {
  const pages = pagesOf(gateways);
  const number = asked === null ? 1 : /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 0;
  const own = pages[number - 1];
  if (own === undefined) return null;
  const before = pages.slice(0, number - 1).reduce((sum, page) => sum + page.length, 0);
  return { number, count: pages.length, gateways: own, before, total: gateways.length };
}

function pagesOf(gateways: readonly GatewayDocument[]): readonly (readonly GatewayDocument[])[] {
  const pages: GatewayDocument[][] = [[]];
  let size = 0;
  for (const gateway of gateways) {
    // One without monitors has a row too.
    const own = Math.max(gateway.monitors.length, 1);
    if (size > 0 && size + own > MONITORS_A_PAGE) {
      pages.push([]);
      size = 0;
    }
    pages.at(-1)?.push(gateway);
    size += own;
  }
  return pages;
}

/** Before the rows. Nothing where all are on one page. */
export function PageLinks({ page, view }: { readonly page: GatewayPage; readonly view: View }) {
  const { number, count, gateways, before, total } = page;
  const { paging } = view.words;
  if (count === 1) return null;
  const link = (to: number, words: string, rel: string) => (
    <a href={`${overviewPath(to, view)}#${GATEWAYS_ID}`} rel={rel}>
      {words}
    </a>
  );
  return (
    <nav class="paging" id={GATEWAYS_ID} aria-label={paging.label}>
      {number > 1 && link(number - 1, paging.previous, "prev")}{" "}
      <span>{paging.range(before + 1, before + gateways.length, total)}</span>{" "}
      {number < count && link(number + 1, paging.next, "next")}
    </nav>
  );
}
