/**
 * `/explain`: a form, and below it what the pasted answer means. It reads the snapshot for the site's name and language alone,
 * and works without.
 */
import { withoutColours } from "../explain/body/plain-text.ts";
import { redact } from "../protocol/redaction/redact.ts";
import type { AppContext } from "./deps.ts";
import { explainPaste, readForm } from "./explain-request.ts";
import { wantsPage } from "./negotiate.ts";
import { page, readSite, varying } from "./page-routes.ts";
import { type Outcome, renderExplain } from "./pages/explain.tsx";
import { type Problem, respondWithProblem } from "./problem.ts";
import { HTML_TYPE, respond } from "./respond.ts";

export async function explainPage(context: AppContext): Promise<Response> {
  const site = await readSite(context);
  return page(context.req.raw, site.reader, renderExplain(site, { type: "none" }));
}

export async function explainedPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const read = await readForm(request);
  if (!read.ok) return refused(context, read.problem);
  const explained = explainPaste(read.value, context.env.now());
  if (!explained.ok) return refused(context, explained.problem);
  const { text, kind } = read.value;
  // The page may be kept, printed or shown to others: it has no more of the paste than may be told to them.
  const shown = text.length > LONGEST_SHOWN ? null : redact(withoutColours(text));
  return show(context, { type: "explained", text: shown, kind, explanation: explained.value }, 200);
}

/** Characters. To redact more would cost more CPU than all else; and cut off before, half a secret would not look like one. */
const LONGEST_SHOWN = 16_384;

async function refused(context: AppContext, problem: Problem): Promise<Response> {
  const request = context.req.raw;
  const { name, status } = problem;
  if (name === undefined || !wantsPage(request)) return respondWithProblem(request, problem);
  return show(context, { type: "refused", name }, status);
}

async function show(context: AppContext, outcome: Outcome, status: number): Promise<Response> {
  const site = await readSite(context);
  const headers = varying(site.reader);
  return respond(context.req.raw, { status, type: HTML_TYPE, caching: "none", etag: null, headers }, () =>
    renderExplain(site, outcome),
  );
}
