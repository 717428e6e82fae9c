/** The frame of every page, of published pages, and of failures. Complete without scripts. */
import { LANGUAGES, type Language } from "../../config/config.ts";
import type { PartName } from "../../config/site-schema.ts";
import { FEED_FILES, FEED_TYPES } from "../../formats/feeds.ts";
import { type MonitorDocument, compareInstants } from "../../history/documents.ts";
import { PROJECT } from "../../protocol/causes.ts";
import { type Child, htmlOf } from "../jsx/jsx-runtime.ts";
import type { Problem } from "../problem.ts";
import { ageWords, sentences } from "./format.ts";
import { knownSentence, say } from "../../domain/language/words.ts";
import { LANGUAGE_NAMES, type Messages } from "./i18n/messages.ts";
import { Answer, Said } from "./marks.tsx";
import {
  type Headline,
  type Reader,
  type View,
  feedPath,
  headlineOf,
  iconOf,
  pathTo,
  toneShown,
} from "./view.ts";

/** Browsers keep these for ever, so they contain hashes of the files in `../assets`; after a change a test shows the new ones. */
export const STYLESHEET_PATH = "/assets/33aee0f5ca0b2723.css";
export const SCRIPT_PATH = "/assets/7e461402daafab4b.js";
/** Of all pictures in `../assets/cards`. */
const CARDS = "c37a247a";

export function cardPath(tone: Headline["tone"], language: Language): string {
  return `/assets/${toneShown(tone)}-${language}.png?${CARDS}`;
}

interface Frame {
  readonly reader: Reader;
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly site: string;
  readonly notice: string | null;
  /** Of instants on the page; null: it shows none. */
  readonly timeZone: string | null;
  readonly icon: Headline["tone"];
  /** The gateway that the page is about; null: none. Its feeds are its own. */
  readonly gatewayId: string | null;
  readonly footer: Child;
  readonly children: Child;
}

function renderPage(frame: Frame): string {
  return `<!doctype html>${htmlOf(<Layout {...frame} />)}`;
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
              <strong>{words.frame.note}</strong>{" "}
              {knownSentence(notice, words.stored) ?? <Said text={notice} words={words} />}
            </p>
          )}
          {children}
        </main>
        <footer>{footer}</footer>
      </body>
    </html>
  );
}

function Head({ reader, title, description, site, timeZone, icon, gatewayId }: Frame) {
  const { theme, url } = reader.config;
  const { accent } = theme;
  const whole = title === site ? site : `${title} · ${site}`;
  // Other sites show it where the page is linked. A picture needs a whole address, and a page that says how it is now.
  const picture = timeZone !== null && url && url + cardPath(icon, reader.language);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{whole}</title>
      <meta name="description" property="og:description" content={description} />
      <meta property="og:title" content={whole} />
      <meta name="twitter:card" content={picture ? "summary_large_image" : "summary"} />
      {picture && <meta property="og:image" content={picture} />}
      <link rel="stylesheet" href={STYLESHEET_PATH + (accent === null ? "" : `?${accent}`)} />
      <link rel="icon" href={iconOf(icon)} />
      {timeZone !== null && <script src={SCRIPT_PATH} defer={true} />}
      {reader.config.push !== null && <script src="/push.js" defer={true} />}
      {LANGUAGES.map((language) => (
        <link rel="alternate" hreflang={LANGUAGE_NAMES[language].tag} href={`?lang=${language}`} />
      ))}
      {reader.config.parts.includes("feeds") &&
        FEED_FILES.map((file) => (
          <link
            rel="alternate"
            type={FEED_TYPES[file]}
            title={reader.words.overview.incidents}
            href={feedPath(reader, file, gatewayId)}
          />
        ))}
    </head>
  );
}

function Header({ reader, site }: Frame) {
  const { words, config } = reader;
  const { frame } = words;
  const { theme } = config;
  const { name, logo } = theme;
  const ifHas = (part: PartName, url: string, label: string) =>
    config.parts.includes(part) ? [{ url, name: label }] : [];
  const links = [
    ...ifHas("explainPage", pathTo(reader, "explain"), frame.links.explain),
    ...ifHas("pages", pathTo(reader, "docs"), frame.links.api),
    ...ifHas("feeds", feedPath(reader, "feed.atom", null), frame.links.feed),
    ...ifHas("calendar", feedPath(reader, "calendar.ics", null), frame.links.calendar),
    ...theme.links,
  ];
  return (
    <header>
      <p class="site">
        <a href={pathTo(reader)}>
          {logo !== null && <img src={logo} alt="" />}
          <Said text={name ?? site} words={words} />
        </a>
      </p>
      <nav aria-label={frame.nav}>
        <ul role="list">
          {links.map((link) => (
            <li>
              <a href={link.url}>{link.name}</a>
            </li>
          ))}
          <PushButton reader={reader} />
          {LANGUAGES.filter((language) => language !== reader.language).map((language) => (
            <li>
              <a
                href={`?lang=${language}`}
                hreflang={LANGUAGE_NAMES[language].tag}
                lang={LANGUAGE_NAMES[language].tag}
              >
                {LANGUAGE_NAMES[language].name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** Its script shows it where the browser has notifications. */
function PushButton({ reader: { config, words } }: { reader: Reader }) {
  if (config.push === null) return null;
  const { push } = words.frame;
  return (
    <li hidden={true}>
      <button
        id="push"
        type="button"
        class="quiet"
        aria-pressed="false"
        data-key={config.push.publicKey}
        data-on={push.on}
        data-off={push.off}
        data-blocked={push.blocked}
        data-failed={push.failed}
      >
        {push.name}
      </button>
      <span role="status" />
    </li>
  );
}

type Content = Pick<Frame, "title" | "description" | "children"> & Partial<Pick<Frame, "icon" | "gatewayId">>;

export function renderStatusPage(view: View, page: Content): string {
  const { title, notice, timeZone } = view.status;
  return renderPage({
    reader: view,
    site: title,
    notice,
    timeZone,
    gatewayId: null,
    ...page,
    icon: page.icon ?? headlineOf(view).tone,
    footer: <Footer view={view} />,
  });
}

function Footer({ view }: { view: View }) {
  const { status, words } = view;
  const { footer } = words;
  const { timeZone } = status;
  const parts = [
    <span data-local={say(words.day.localTimes, timeZone)}>{say(footer.zone, timeZone)}</span>,
    footer.uptime,
    <CausesPointer reader={view} />,
    <MadeBy words={words} />,
    <label class="exact">
      <input type="checkbox" /> {footer.exact}
    </label>,
  ];
  return <p>{sentences(parts, words)}</p>;
}

export function CausesPointer({ reader }: { reader: Reader }) {
  const { pointer, link } = reader.words.causesLinks;
  return <>{say(pointer, <a href={pathTo(reader, "causes")}>{link}</a>)}</>;
}

function MadeBy({ words: { frame } }: { words: Messages }) {
  const documents = <a href={`${PROJECT}/tree/main/docs`}>{frame.documents}</a>;
  return <>{say(frame.madeBy, <a href={PROJECT}>Gatepulse</a>, documents)}</>;
}

/** If only some checks have stopped, another sentence says so. @param monitors those that the page is about; none: all. */
export function freshWords(view: View, monitors: readonly MonitorDocument[] = []): Child {
  const { status, clock, nowMs, minuteMs, staleAfterMs, words } = view;
  const isPart = status.gateways.some(({ stale }) => stale === false);
  const since = isPart ? status.generatedAt : status.lastTickAt;
  if (since === null || (!isPart && (status.stale || nowMs - Date.parse(since) > staleAfterMs))) return null;
  const probes = monitors.flatMap(({ lastProbe }) => lastProbe?.at ?? []);
  const at = probes.sort(compareInstants).at(-1) ?? since;
  const ago = (
    <time datetime={at} title={clock.show(at)} data-ago={at}>
      {say(words.ago, ageWords(Math.min(Date.parse(at), minuteMs), minuteMs, words))}
    </time>
  );
  return [
    !isPart && <p class="fresh">{say(words.day.fresh, ago)}</p>,
    // The script shows it when nothing new comes any more.
    <p
      id="lost"
      role="alert"
      hidden={true}
      data-since={since}
      data-limit={staleAfterMs}
      data-title={words.day.lostTitle}
      data-icon={iconOf("unknown")}
    >
      {words.day.lost}
    </p>,
  ];
}

export function renderPlainPage(reader: Reader, content: Content): string {
  return renderPage({
    icon: "unknown",
    gatewayId: null,
    ...content,
    reader,
    site: reader.config.title,
    notice: reader.config.notice,
    timeZone: null,
    footer: (
      <p>
        <MadeBy words={reader.words} />
      </p>
    ),
  });
}

/** In English, if pages have no words for it. */
export function renderFailure(reader: Reader, problem: Problem): string {
  const { words, language } = reader;
  const { title, detail } = problem.name === undefined ? problem : words.problems[problem.name];
  const lang = problem.name === undefined && language !== "en" ? "en" : undefined;
  return renderPlainPage(reader, {
    title,
    description: detail,
    children: (
      <>
        <Answer tone="unknown" heading={<span lang={lang}>{title}</span>}>
          <p lang={lang}>{detail}</p>
        </Answer>
        <p>
          <a href={pathTo(reader)}>{words.failure.home}</a>
        </p>
      </>
    ),
  });
}
