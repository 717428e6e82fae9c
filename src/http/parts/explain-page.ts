/** The page `/explain`. */
import { withoutColours } from "../../explain/pasted.ts";
import { redact } from "../../protocol/redaction/redact.ts";
import { type AppContext, type AppDeps, type Part, readStaticFile } from "../deps.ts";
import { explainPaste, readPaste } from "../explain.ts";
import { asPage, referencePage, varying } from "../page-routes.ts";
import { referenceIn } from "../pages/i18n/messages.ts";
import { type Example, type Outcome, renderExplain } from "../pages/explain.tsx";
import { HttpProblem, readerOf, wantsPage } from "../problem.ts";
import { HTML_TYPE, respond } from "../respond.ts";

export const explainPage: Part = {
  routes: () => [{ path: "/explain", get: asPage(emptyPage), post: explainedPage }],
};

const emptyPage = referencePage(async (site, words, env) =>
  renderExplain(site, words, await examplesOf(env), { type: "none" }),
);

async function examplesOf(env: AppDeps): Promise<readonly Example[]> {
  return JSON.parse(await readStaticFile(env, "examples.json")) as Example[];
}

async function explainedPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  try {
    const { text, asked } = await readPaste(context);
    const explanation = explainPaste(text, asked, context.env.now());
    // Readers may save, print or share the page, so it shows the paste without secrets.
    const shown = text.length > LONGEST_SHOWN ? null : redact(withoutColours(text));
    return await show(context, { type: "explained", text: shown, ...asked, explanation }, 200);
  } catch (error) {
    if (!(error instanceof HttpProblem) || !wantsPage(request)) throw error;
    const { name, status } = error.problem;
    if (name === undefined) throw error;
    return show(context, { type: "refused", name }, status);
  }
}

/** In characters. Redacting more would take too much CPU; cutting before redacting could leave half a secret unrecognized. */
const LONGEST_SHOWN = 16_384;

async function show(context: AppContext, outcome: Outcome, status: number): Promise<Response> {
  const reader = await readerOf(context.req.raw, context.env);
  const headers = varying(reader);
  const how = { status, type: HTML_TYPE, caching: "none", etag: null, headers } as const;
  return respond(
    context.req.raw,
    how,
    renderExplain(
      { reader },
      await referenceIn(reader.language, context.env),
      await examplesOf(context.env),
      outcome,
    ),
  );
}
