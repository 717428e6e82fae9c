/** A page that shows nothing of what is watched: it needs the site's name and notice alone, and stands without them. */
import type { StatusDocument } from "../../../history/documents.ts";
import { type Frame, renderPage } from "./layout.tsx";
import type { Reader } from "../parts/view.ts";

/** Whose page it is, and who reads it. */
export interface PlainSite {
  readonly reader: Reader;
  /** Null: nothing can be read that was published. */
  readonly status: StatusDocument | null;
}

type Content = Pick<Frame, "title" | "description" | "children"> & Partial<Pick<Frame, "icon">>;

export function renderPlainPage({ reader, status }: PlainSite, content: Content): string {
  const { frame } = reader.words;
  return renderPage({
    icon: "unknown",
    ...content,
    reader,
    site: status?.title ?? frame.status,
    notice: status?.notice ?? null,
    timeZone: null,
    footer: <p>{frame.madeBy}</p>,
  });
}
