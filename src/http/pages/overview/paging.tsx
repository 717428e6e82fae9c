/**
 * The gateways of the overview in pages of what can be looked at: what fails is on the first. Plain links; no script is needed.
 */
import type { GatewayDocument } from "../../../history/documents.ts";
import { overviewPath } from "../parts/addresses.ts";
import type { View } from "../parts/view.ts";

/** About so many monitors a page; a gateway is never parted. */
const MONITORS_A_PAGE = 60;
/** One without monitors takes place too. */
const LEAST_OF_A_GATEWAY = 1;
/** Where its gateways begin, below the banner and what is open. */
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

/** Each of about the same size: a last one of a few would be looked for by nobody. */
function pagesOf(gateways: readonly GatewayDocument[]): readonly (readonly GatewayDocument[])[] {
  const sizes = gateways.map(({ monitors }) => Math.max(monitors.length, LEAST_OF_A_GATEWAY));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const count = Math.max(Math.ceil(total / MONITORS_A_PAGE), 1);
  const pages: GatewayDocument[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const [index, gateway] of gateways.entries()) {
    const size = sizes[index] ?? LEAST_OF_A_GATEWAY;
    // By its middle: what is cut by the end of a page goes to where most of it is.
    pages[Math.floor(((before + size / 2) / total) * count)]?.push(gateway);
    before += size;
  }
  // One that is larger than a page leaves none for those that it fills too.
  const filled = pages.filter((page) => page.length > 0);
  return filled.length === 0 ? [[]] : filled;
}

interface LinksInput {
  readonly page: GatewayPage;
  readonly view: View;
}

/** Near the top, before all that is open. Nothing where all are on one page. */
export function PageLinks(input: LinksInput) {
  if (input.page.count === 1) return null;
  return (
    <nav class="paging" aria-label={input.view.words.paging.label}>
      <Links {...input} />
    </nav>
  );
}

/** Which gateways follow; links to a page lead here. */
export function PageRange({ page, view }: LinksInput) {
  const { count, gateways, before, total } = page;
  if (count === 1) return null;
  return (
    <p class="soft" id={GATEWAYS_ID}>
      {view.words.paging.range(before + 1, before + gateways.length, total)}
    </p>
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
  const { number, count } = page;
  const { paging } = view.words;
  const link = (to: number, words: string, rel?: string) => (
    <li>
      <a href={`${overviewPath(to, view)}#${GATEWAYS_ID}`} rel={rel}>
        {words}
      </a>
    </li>
  );
  return (
    <ul role="list">
      {number > 1 && link(number - 1, paging.previous, "prev")}
      {shownNumbers(number, count).map((one) =>
        one === number ? (
          <li>
            <a href={`#${GATEWAYS_ID}`} aria-current="page">
              {paging.page(one)}
            </a>
          </li>
        ) : (
          link(one, paging.page(one))
        ),
      )}
      {number < count && link(number + 1, paging.next, "next")}
    </ul>
  );
}

const NEIGHBOURS = 2;

/** The first, the last, and those around the one that is open. */
function shownNumbers(number: number, count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return all.filter((one) => one === 1 || one === count || Math.abs(one - number) <= NEIGHBOURS);
}
