/** A banner for other sites: a page for a frame, complete without scripts, and a script that shows what that page says. */
import { type AppContext, type Part, readStaticFile } from "../deps.ts";
import { htmlOf } from "../jsx/jsx-runtime.ts";
import { varying, viewFor } from "../page-routes.ts";
import { Said, Shape } from "../pages/marks.tsx";
import {
  gatewayShown,
  headlineOf,
  pathTo,
  type Reader,
  SHAPES,
  toneShown,
  type View,
} from "../pages/view.ts";
import type { Shown } from "../pages/i18n/messages.ts";
import { HttpProblem, orThrow, problemOf, readerOf } from "../problem.ts";
import { absentFrom, kept, type Published, readPublished } from "../published.ts";
import { type Answer, cachingOf, HTML_TYPE, JSON_TYPE, respond, sharedFor } from "../respond.ts";

export const embed: Part = {
  routes: () => [
    { path: "/embed", get: kept(framedPage) },
    { path: "/embed.json", get: kept(data) },
    { path: "/embed.js", get: script },
  ],
};

/** The address is the same for ever, so browsers ask again. */
async function script({ req, env }: AppContext): Promise<Response> {
  const how = {
    type: "text/javascript; charset=utf-8",
    caching: "shared",
    headers: sharedFor(3600),
  } as const;
  return respond(req.raw, how, await readStaticFile(env, "embed.js"));
}

/** What the script shows. It must not parse the page: the policy of the site around it may refuse that. */
async function data(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const { caching, reader, said } = await readBanner(context);
  const { tag, colon, shown } = reader.words;
  const shape = SHAPES[said.tone];
  const lost = { shape: SHAPES.unknown, text: shown.unknown };
  const style = await readStaticFile(env, "embed.css");
  const body = JSON.stringify({ ...said, tag, colon, shape, style, lost });
  return respond(req.raw, { type: JSON_TYPE, caching, headers: varying(reader) }, body);
}

/** Unlike other pages it may be framed, also where it says that it knows nothing. */
async function framedPage(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const reader = await readerOf(req.raw, env);
  const style = await readStaticFile(env, "embed.css");
  const show = (said: Saying, how: Pick<Answer, "status" | "caching" | "headers">) => {
    const headers = { ...varying(reader), ...FRAMED, ...how.headers };
    const html = bannerPage(reader, said, style, req.query("gateway"));
    return respond(req.raw, { type: HTML_TYPE, ...how, headers }, html);
  };
  try {
    const { caching, said } = await readBanner(context);
    return await show(said, { caching });
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const { status, name, title, headers = {} } = error.problem;
    const text = name === undefined ? title : reader.words.problems[name].title;
    const said = { tone: "unknown", name: env.config.title, text, href: pathTo(reader) } as const;
    return show(said, { status, caching: "none", headers });
  }
}

interface Saying {
  readonly tone: Shown;
  readonly name: string;
  readonly text: string;
  readonly href: string;
}

/** @throws HttpProblem */
async function readBanner(context: AppContext) {
  const published = orThrow(await readPublished(context.env));
  const view = await viewFor(context, published);
  const said = saidOf(published, view, context.req.query("gateway"));
  return { caching: cachingOf(published.gaps), reader: view, said };
}

function saidOf(published: Published, view: View, id = ""): Saying {
  if (id === "") {
    const { tone, text } = headlineOf(view);
    return { tone: toneShown(tone), name: view.status.title, text, href: pathTo(view) };
  }
  const gateway = view.gateways.get(id);
  if (gateway === undefined) throw absentFrom(published, problemOf("gateway", 404));
  const tone = gatewayShown(gateway, view);
  return { tone, name: gateway.name, text: view.words.shown[tone], href: pathTo(view, "gateways", id) };
}

function bannerPage(
  { words }: Reader,
  { tone, name, text, href }: Saying,
  style: string,
  gateway?: string,
): string {
  return `<!doctype html>${htmlOf(
    <html lang={words.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{name + words.colon + text}</title>
        <base target="_top" />
        <style>{style}</style>
      </head>
      <body>
        <main>
          <a class={tone} href={href}>
            <Shape path={SHAPES[tone]} />
            <Said text={name} words={words} />
            {words.colon + text}
          </a>
        </main>
        <script src="/embed.js" async={true} data-target="main" data-gateway={gateway} />
      </body>
    </html>,
  )}`;
}

/** The hash is that of `embed.css`: a test shows the new one. */
const FRAMED = {
  "content-security-policy":
    "default-src 'none'; style-src 'sha256-5nK7A20b5LydhV91N1sliV8cmrMqLVcaDffug1wvxiw='; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors *",
  "cross-origin-resource-policy": "cross-origin",
};
