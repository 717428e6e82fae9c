/** What other sites show where a page is linked: Open Graph (ogp.me), and the pictures of `../assets/cards`. Pure. */
import type { Language } from "../../config/config.ts";
import { toneShown } from "./icons.ts";
import type { Headline, Reader } from "./view.ts";

/** The hash of all pictures; after a change a test shows the new one. */
const VERSION = "c37a247a";

export function cardPath(tone: Headline["tone"], language: Language): string {
  return `/assets/${toneShown(tone)}-${language}.png?${VERSION}`;
}

interface Previewed {
  readonly reader: Reader;
  readonly title: string;
  readonly description: string;
  /** Null: the page says nothing of how it is now. */
  readonly tone: Headline["tone"] | null;
}

/** A picture needs a whole address. */
export function Preview({ reader: { config, language }, title, description, tone }: Previewed) {
  const picture = tone && config.url && config.url + cardPath(tone, language);
  return (
    <>
      <meta name="description" property="og:description" content={description} />
      <meta property="og:title" content={title} />
      <meta name="twitter:card" content={picture ? "summary_large_image" : "summary"} />
      {picture && <meta property="og:image" content={picture} />}
    </>
  );
}
