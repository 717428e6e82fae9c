/**
 * A page for what cannot be shown: said in words, never as a green page.
 */
import { renderPage } from "./layout.tsx";

export function renderFailure({ title, detail }: { title: string; detail: string }): string {
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
        <p>
          <a href="/">To the status page</a>
        </p>
      </>
    ),
  });
}
