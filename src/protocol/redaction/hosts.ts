/**
 * Takes a private endpoint out of text for the public: the host's name, every address literal, and the query and
 * fragment of every URL. Pure; linear in the text.
 */

import { findAddresses, findCutAddress } from "./addresses.ts";
import { createNameFinder, type FindNames } from "./host-names.ts";
import { findQueries } from "./queries.ts";
import { type Edit, type Range, applyEdits, mergeRanges } from "./ranges.ts";
import { readingsOf } from "./readings.ts";
import { type View, plainView } from "./view.ts";
import { blankEscapes } from "./views.ts";

/** What stands in the place of a host or an address, and of its port. */
export const HIDDEN_HOST = "$GATEWAY_HOST";

/** `isCut`: the text may have been cut at its end, so that a host there may lack its own end. */
export type Hide = (text: string, isCut?: boolean) => string;

/**
 * Builds the function that hides; build it once and keep it. `hosts`: names as URLs have them (in ASCII), or addresses,
 * with or without a port, in any case. A name goes with its subdomains and its port, in ASCII and in Unicode, however
 * escaped; IPv4 and IPv6 literals go whosever they are; versions and times stay. Hiding twice changes nothing.
 */
export function createHostHider(hosts: readonly string[]): Hide {
  const findNames = createNameFinder(hosts);
  return (text, isCut = false) => {
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const next = hideOnce(current, findNames, isCut);
      if (next === current) break;
      current = next;
    }
    return current;
  };
}

/** What goes may bare what was glued to it; a text with nothing to hide costs one pass. */
const MAX_PASSES = 4;
/** Stands for a marker while we look, for a host may be called as a part of the marker. */
const BLANK = "\ufffc".repeat(HIDDEN_HOST.length);

function hideOnce(text: string, findNames: FindNames, isCut: boolean): string {
  const blanked = text.replaceAll(HIDDEN_HOST, BLANK);
  const views: readonly View[] = [plainView(blankEscapes(blanked)), ...readingsOf(blanked).views];
  const hidden: Range[] = [];
  const dropped: Range[] = [];
  for (const view of views) {
    pushMapped(view, findNames(view.text, isCut), hidden);
    pushMapped(view, findAddresses(view.text), hidden);
    if (isCut) pushMapped(view, findCutAddress(view.text), hidden);
    pushMapped(view, findQueries(view.text), dropped);
  }
  return applyEdits(text, toEdits(mergeRanges(hidden), mergeRanges(dropped)));
}

function pushMapped(view: View, ranges: readonly Range[], into: Range[]): void {
  for (const { start, end } of ranges) into.push(view.locate(start, end));
}

/** Both kinds in order; where they overlap, the query goes and takes the host in it along. */
function toEdits(hidden: readonly Range[], dropped: readonly Range[]): readonly Edit[] {
  const edits: Edit[] = dropped.map((range) => ({ ...range, by: "" }));
  let next = 0;
  for (const { start, end } of hidden) {
    while (next < dropped.length && (dropped[next]?.end ?? 0) <= start) next += 1;
    const query = dropped[next];
    if (query !== undefined && query.start <= start) continue;
    edits.push({ start, end: Math.min(end, query?.start ?? end), by: HIDDEN_HOST });
  }
  return edits.sort((a, b) => a.start - b.start);
}
