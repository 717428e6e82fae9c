/**
 * The frame of every page, and the small marks that all of them use. Complete without scripts.
 */
import type { Child } from "../jsx/jsx-runtime.ts";
import { languageOf } from "./language.ts";
import { stylesheetPath } from "./stylesheet.ts";
import type { View } from "./view.ts";
import { type Shown, SHOWN_WORDS } from "./words.ts";
import type { ZoneClock } from "./zone-clock.ts";

export interface Frame {
  readonly title: string;
  /** For search engines and previews: how it stands, in a sentence. */
  readonly description: string;
  /** The site's title; the page's own where it is not known. */
  readonly site: string;
  readonly notice: string | null;
  readonly footer: Child;
  readonly children: Child;
}

export function renderPage(frame: Frame): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- an element's string is its HTML
  return `<!doctype html>${String(<Layout {...frame} />)}`;
}

function Layout({ title, description, site, notice, footer, children }: Frame) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === site ? site : `${title} · ${site}`}</title>
        <meta name="description" content={description} />
        <link rel="stylesheet" href={stylesheetPath()} />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <p class="site">
            <a href="/" lang={languageOf(site)}>
              {site}
            </a>
          </p>
        </header>
        <main id="main">
          {notice !== null && (
            <p class="notice">
              <strong>Note:</strong> <span lang={languageOf(notice)}>{notice}</span>
            </p>
          )}
          {children}
        </main>
        <footer>{footer}</footer>
      </body>
    </html>
  );
}

export function Time({ at, clock }: { at: string; clock: ZoneClock }) {
  return <time datetime={at}>{clock.show(at)}</time>;
}

/** A shape and a word: colour is never the only sign. */
export function HealthMark({ health }: { health: Shown }) {
  return (
    <span class={`mark ${health}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={SHAPES[health]} />
      </svg>
      {SHOWN_WORDS[health]}
    </span>
  );
}

/** What is over bears no shape of a failure; a tick only where it was seen to be well. */
export function EndedMark({ words, isWell }: { words: string; isWell: boolean }) {
  return (
    <span class="mark ended">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={isWell ? TICK : DASH} />
      </svg>
      {words}
    </span>
  );
}

const TICK = "M1 8.5L3.5 6l3 3l6-6l2.5 2.5l-8.5 8.5z";
const DASH = "M1 6h14v4h-14z";

/** Before any verdict: that what is seen now was announced. */
export function PlannedWords({ gatewayId, view }: { gatewayId: string; view: View }) {
  const until = view.planned.get(gatewayId);
  if (until === undefined) return null;
  return (
    <>
      <strong>
        In planned maintenance until <Time at={until} clock={view.clock} />.
      </strong>{" "}
    </>
  );
}

export function Fact({ term, children }: { term: string; children: Child }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Disc, triangle, square, diamond, ring, two bars, hourglass. */
const SHAPES: Readonly<Record<Shown, string>> = {
  up: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14z",
  degraded: "M8 1l7.5 14h-15z",
  down: "M1 1h14v14h-14z",
  blocked: "M8 0l8 8l-8 8l-8-8z",
  unknown: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM8 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8z",
  paused: "M2 1h4v14h-4zM10 1h4v14h-4z",
  maintenance: "M2 1h12l-4.5 7l4.5 7h-12l4.5-7z",
};
