/**
 * A page for what cannot be shown: said in words, never as a green page.
 */
import { homePath } from "../parts/addresses.ts";
import { renderPage } from "./layout.tsx";
import type { Reader } from "../parts/view.ts";
import type { ProblemName } from "../i18n/messages.ts";

interface Failure {
  readonly reader: Reader;
  /** Its title; null: not known. */
  readonly site: string | null;
  /** Null: in the words that it brings, which are English. */
  readonly name: ProblemName | null;
  readonly title: string;
  readonly detail: string;
  /** The page's own address, where it may have been asked for before what it shows was published; else null. */
  readonly soonAt: string | null;
}

export function renderFailure({ reader, site, name, soonAt, ...english }: Failure): string {
  const { words } = reader;
  const { title, detail } = name === null ? english : words.problems[name];
  const lang = name === null && reader.language !== "en" ? "en" : undefined;
  return renderPage({
    reader,
    title,
    description: detail,
    site: site ?? words.frame.status,
    notice: null,
    timeZone: null,
    icon: "unknown",
    footer: <p>{words.frame.madeBy}</p>,
    children: (
      <>
        <h1 lang={lang}>{title}</h1>
        <div class="banner unknown" role="status">
          <p class="headline" lang={lang}>
            {detail}
          </p>
        </div>
        {soonAt !== null && <p>{words.failure.soon(<a href={soonAt}>{words.failure.again}</a>)}</p>}
        <p>
          <a href={homePath(reader)}>{words.failure.home}</a>
        </p>
      </>
    ),
  });
}
