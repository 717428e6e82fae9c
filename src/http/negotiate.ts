/**
 * Content negotiation by Accept and Accept-Language (RFC 9110, 12.5.1 and 12.5.4). Pure.
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

/**
 * The language that the client likes best, told by its first subtag: `zh-CN` is `zh`. Among equals the one that it names
 * first; null where it names none of them and does not say that any is well.
 * @param offers first subtags, the server's favourite first: it is what `*` means
 */
export function preferredLanguage<Offer extends string>(
  acceptLanguage: string | null,
  offers: readonly Offer[],
): Offer | null {
  const ranges = (acceptLanguage ?? "").split(",").map(parseRange);
  const named = ranges.flatMap(({ type, quality }) => {
    const language = offers.find((offer) => offer === type.split("-")[0]);
    return language === undefined ? [] : [{ language, quality }];
  });
  const anyQuality = ranges.find(({ type }) => type === "*")?.quality ?? 0;
  const others = offers.filter((offer) => named.every(({ language }) => language !== offer));
  const wanted = [...named, ...others.map((language) => ({ language, quality: anyQuality }))]
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.language ?? null;
}

/** Whether a failure is best told as a page: to a browser that is not talking to the API. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("accept") ?? undefined;
  const favourite = preferred(accept, ["application/problem+json", "text/html"]);
  return favourite === "text/html" && !new URL(request.url).pathname.startsWith("/api/");
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
