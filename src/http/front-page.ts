/**
 * The overview, which the Ledger renders for each publish. In a new isolate, rendering it would take more than the 10 ms of CPU
 * that the free plan allows.
 */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { StatusDocument } from "../history/documents.ts";
import { pageIn, type DryTail, type RenderedPage } from "../history/snapshot.ts";
import { isStale, type Ticks } from "../history/standing.ts";
import type { AppContext, PageDeps } from "./deps.ts";
import { SCRIPT_PATH, STYLESHEET_PATH } from "./pages/layout.tsx";
import { filterIn, renderOverview, type Recent } from "./pages/overview.tsx";
import { viewOf } from "./pages/view.ts";
import { readerIn, wantedLanguage } from "./problem.ts";
import { isOnly } from "./published.ts";
import { courseOf, visibleIncidents } from "./visible.ts";

const ASSETS = `${STYLESHEET_PATH} ${SCRIPT_PATH}`;

/** The next publish comes within two minutes, and KV shows it within a minute more. On an older page, ages would be wrong. */
const LONGEST_SHOWN_MS = 4 * MINUTE_MS;

/** In the configured language. Only an installation with a single shard publishes it. */
export async function renderFrontPage(
  published: { readonly status: StatusDocument; readonly tail: DryTail; readonly facts: Ticks },
  nowMs: number,
  deps: PageDeps,
): Promise<RenderedPage> {
  const { tail } = published;
  const reader = await readerIn(null, false, deps);
  const recent: Recent = {
    incidents: visibleIncidents(tail),
    courseOf: (monitorId) => courseOf(monitorId, tail),
  };
  const html = renderOverview(viewOf(published, nowMs, reader), recent, new URLSearchParams());
  return { html, language: reader.language, assets: ASSETS };
}

/** Null: it has to be rendered for this request. */
export async function readFrontPage({ req, env }: AppContext): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await env.memory.read(env);
  if (!stored.ok || !isOnly(stored.value)) return null;
  const [part] = stored.value.parts;
  const page = part?.snapshot.metadata.page ?? null;
  if (part === undefined || page === null || page.assets !== ASSETS) return null;
  const { metadata } = part.snapshot;
  const nowMs = env.now();
  const isOld = Math.abs(nowMs - metadata.generatedMs) > LONGEST_SHOWN_MS || isStale(metadata, nowMs);
  const { language, isAsked } = wantedLanguage(req.raw);
  const isOther =
    isAsked ||
    (language ?? page.language) !== page.language ||
    filterIn(new URL(req.url).searchParams) !== null;
  return isOld || isOther ? null : pageIn(part.snapshot);
}
