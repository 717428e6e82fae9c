/** The page `/` while the configuration has no gateway: what to do next. Pure. */
import { PROJECT } from "../../protocol/causes.ts";
import { inline } from "../jsx/markdown.tsx";
import { type Reference, say } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";
import { Answer } from "./marks.tsx";

export function renderBegin(site: PlainSite, { begin }: Reference): string {
  const { words } = site.reader;
  const title = words.headline.nothing;
  return renderPlainPage(site, {
    title,
    description: begin.about,
    children: (
      <>
        <Answer tone="unknown" heading={title}>
          <p>{begin.about}</p>
        </Answer>
        {begin.steps.map(([name, text], index) => (
          <section class="box">
            <h2>{`${index + 1}. ${name}`}</h2>
            <p>{inline(text ?? "")}</p>
          </section>
        ))}
        <p>{say(begin.more, <a href={`${PROJECT}/tree/main/docs`}>{words.frame.documents}</a>)}</p>
      </>
    ),
  });
}
