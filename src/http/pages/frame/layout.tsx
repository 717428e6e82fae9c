/**
 * The frame of every page. Complete without scripts.
 */
import { type Language, LANGUAGES } from "../../../config/config.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { docsPath, explainPath, feedPath, homePath } from "../parts/addresses.ts";
import type { Headline } from "../parts/headline.ts";
import { iconOf } from "../parts/shapes.ts";
import { Said } from "../parts/marks.tsx";
import type { Reader } from "../parts/view.ts";
import { SCRIPT_PATH } from "./script.ts";
import { STYLESHEET_PATH } from "./stylesheet.ts";
import { LANGUAGE_NAMES } from "../i18n/messages.ts";

export interface Frame {
  readonly reader: Reader;
  readonly title: string;
  /** For search engines and previews: how it stands, in a sentence. */
  readonly description: string;
  /** The site's title; the page's own where it is not known. */
  readonly site: string;
  readonly notice: string | null;
  /** Of instants on the page; null: it shows none. */
  readonly timeZone: string | null;
  /** How it stands, for the icon. */
  readonly icon: Headline["tone"];
  readonly footer: Child;
  readonly children: Child;
}

export function renderPage(frame: Frame): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- an element's string is its HTML
  return `<!doctype html>${String(<Layout {...frame} />)}`;
}

function Layout(frame: Frame) {
  const { reader, notice, timeZone, footer, children } = frame;
  const { words } = reader;
  return (
    <html lang={words.tag}>
      <Head {...frame} />
      <body data-zone={timeZone}>
        <a class="skip" href="#main">
          {words.frame.skip}
        </a>
        <Header {...frame} />
        <main id="main">
          {notice !== null && (
            <p class="notice">
              <strong>{words.frame.note}</strong> <Said text={notice} words={words} />
            </p>
          )}
          {children}
        </main>
        <footer>{footer}</footer>
      </body>
    </html>
  );
}

function Head({ reader, title, description, site, timeZone, icon }: Frame) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === site ? site : `${title} · ${site}`}</title>
      <meta name="description" content={description} />
      <link rel="stylesheet" href={STYLESHEET_PATH} />
      <link rel="icon" href={iconOf(icon)} />
      {timeZone !== null && <script src={SCRIPT_PATH} defer={true} />}
      {LANGUAGES.map((language) => (
        <link rel="alternate" hreflang={LANGUAGE_NAMES[language].tag} href={inLanguage(language)} />
      ))}
      <link
        rel="alternate"
        type="application/atom+xml"
        title={reader.words.frame.feed}
        href={feedPath(reader)}
      />
    </head>
  );
}

function Header({ reader, site }: Frame) {
  const { frame } = reader.words;
  return (
    <header>
      <p class="site">
        <a href={homePath(reader)}>
          <Said text={site} words={reader.words} />
        </a>
      </p>
      <nav aria-label={frame.nav}>
        <ul role="list">
          <li>
            <a href={explainPath(reader)}>{frame.links.explain}</a>
          </li>
          <li>
            <a href={docsPath(reader)}>{frame.links.api}</a>
          </li>
          <li>
            <a href={feedPath(reader)}>{frame.links.feed}</a>
          </li>
          {LANGUAGES.filter((language) => language !== reader.language).map((language) => (
            <li>
              <OtherLanguage language={language} />
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function OtherLanguage({ language }: { language: Language }) {
  const { tag, name } = LANGUAGE_NAMES[language];
  return (
    <a href={inLanguage(language)} hreflang={tag} lang={tag}>
      {name}
    </a>
  );
}

/** The page that is open. */
function inLanguage(language: Language): string {
  return `?lang=${language}`;
}
