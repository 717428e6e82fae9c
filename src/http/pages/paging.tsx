/**
 * The gateways of the overview in pages of what can be looked at: what fails is on the first. Plain links; no script is needed.
 */
import type { GatewayDocument } from "../../history/documents.ts";
import { overviewPath } from "./addresses.ts";
import type { View } from "./view.ts";

/** Monitors a page; a gateway is never parted. */
const MONITORS_A_PAGE = 200;
/** One without monitors takes place too. */
const LEAST_OF_A_GATEWAY = 1;

export interface GatewayPage {
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
  readonly gateways: readonly GatewayDocument[];
  /** How many are on the pages before it, and on all. */
  readonly before: number;
  readonly total: number;
}

/** @param asked as the address has it; what is no page is the first, and what is behind the last one is that. */
export function pageOf(gateways: readonly GatewayDocument[], asked: string | null): GatewayPage {
  const pages = pagesOf(gateways);
  const wanted = /^[1-9]\d{0,5}$/.test(asked ?? "") ? Number(asked) : 1;
  const number = Math.min(wanted, pages.length);
  const before = pages.slice(0, number - 1).reduce((sum, page) => sum + page.length, 0);
  return { number, count: pages.length, gateways: pages[number - 1] ?? [], before, total: gateways.length };
}

function pagesOf(gateways: readonly GatewayDocument[]): readonly (readonly GatewayDocument[])[] {
  const pages: GatewayDocument[][] = [[]];
  let size = 0;
  for (const gateway of gateways) {
    const own = Math.max(gateway.monitors.length, LEAST_OF_A_GATEWAY);
    if (size > 0 && size + own > MONITORS_A_PAGE) {
      pages.push([]);
      size = 0;
    }
    pages.at(-1)?.push(gateway);
    size += own;
  }
  return pages;
}

interface LinksInput {
  readonly page: GatewayPage;
  readonly view: View;
}

/** Nothing where all are on one page. */
export function PageLinks(input: LinksInput) {
  if (input.page.count === 1) return null;
  return (
    <nav class="paging" aria-label={input.view.words.paging.label}>
      <Links {...input} />
    </nav>
  );
}

/** The same behind the gateways: no landmark, as there is one already. */
export function PageLinksAgain(input: LinksInput) {
  if (input.page.count === 1) return null;
  return (
    <div class="paging">
      <Links {...input} />
    </div>
  );
}

function Links({ page, view }: LinksInput) {
  const { number, count, gateways, before, total } = page;
  const { paging } = view.words;
  const link = (to: number, words: string, rel?: string) => (
    <li>
      <a href={overviewPath(to, view)} rel={rel}>
        {words}
      </a>
    </li>
  );
  return (
    <>
      <p>{paging.range(before + 1, before + gateways.length, total)}</p>
      <ul role="list">
        {number > 1 && link(number - 1, paging.previous, "prev")}
        {shownNumbers(number, count).map((one) =>
          one === number ? (
            <li>
              <strong aria-current="page">{paging.page(one)}</strong>
            </li>
          ) : (
            link(one, paging.page(one))
          ),
        )}
        {number < count && link(number + 1, paging.next, "next")}
      </ul>
    </>
  );
}

const NEIGHBOURS = 2;

/** The first, the last, and those around the one that is open. */
function shownNumbers(number: number, count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return all.filter((one) => one === 1 || one === count || Math.abs(one - number) <= NEIGHBOURS);
}
