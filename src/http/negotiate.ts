/**
 * Content negotiation by Accept (RFC 9110, 12.5.1). Pure.
 */

/**
 * The offer that the client likes best, the first among equals; null when it accepts none of them.
 * @param offers media types without parameters, the server's favourite first
 */
export function preferred<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | null {
  if (accept === undefined || accept.trim() === "") return offers[0] ?? null;
  const ranges = accept.split(",").map(parseRange);
  let best: { offer: Offer; quality: number } | null = null;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > 0 && (best === null || quality > best.quality)) best = { offer, quality };
  }
  return best?.offer ?? null;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The most specific range decides. */
function qualityOf(offer: string, ranges: readonly Range[]): number {
  const family = `${offer.split("/")[0]}/*`;
  for (const type of [offer, family, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === type);
    if (range) return range.quality;
  }
  return 0;
}
