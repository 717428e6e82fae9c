/**
 * A page for what cannot be shown: said in words, never as a green page.
 */
import { renderPage } from "./layout.tsx";

interface Failure {
  readonly title: string;
  readonly detail: string;
  /** The page's own address, where it may have been asked for before what it shows was published; else null. */
  readonly soonAt: string | null;
}

export function renderFailure({ title, detail, soonAt }: Failure): string {
  return renderPage({
    title,
    description: detail,
    site: "Status",
    notice: null,
    footer: <p>Made by Gatepulse.</p>,
    children: (
      <>
        <h1>{title}</h1>
        <div class="banner unknown" role="status">
          <p class="headline">{detail}</p>
        </div>
        {soonAt !== null && (
          <p>
            What an alert tells of is published here some seconds later, or some minutes on a day with very
            much news: <a href={soonAt}>load this page again</a>.
          </p>
        )}
        <p>
          <a href="/">To the status page</a>
        </p>
      </>
    ),
  });
}
