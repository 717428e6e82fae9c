/** A banner for other sites: a page for a frame, complete without scripts, and a script that shows what that page says. */
import { type AppContext, type Part, readStaticFile } from "../deps.ts";
import { htmlOf } from "../jsx/jsx-runtime.ts";
import { viewFor } from "../page-routes.ts";
import { Said, Shape } from "../pages/marks.tsx";
import { gatewayShown, headlineOf, pathTo, type Reader, SHAPES, toneShown } from "../pages/view.ts";
import { HttpProblem, orThrow, problemOf, readerOf, varying } from "../problem.ts";
import { absentFrom, kept, readPublished } from "../published.ts";
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
  const type = "text/javascript; charset=utf-8";
  const headers = sharedFor(3600);
  return respond(req.raw, { type, caching: "shared", headers }, await readStaticFile(env, "embed.js"));
}

/** What the script shows. It must not parse the page: the policy of the site around it may refuse that. */
async function data(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const { caching, reader, said } = await readBanner(context);
  const { tag, colon, shown } = reader.words;
  const style = await readStaticFile(env, "embed.css");
  const lost = { shape: SHAPES.unknown, text: shown.unknown };
  const body = { ...said, tag, colon, shape: SHAPES[said.tone], style, lost };
  return respond(req.raw, { type: JSON_TYPE, caching, headers: varying(reader) }, JSON.stringify(body));
}

/** Unlike other pages it may be framed, also where it says that it knows nothing. */
async function framedPage(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const reader = await readerOf(req.raw, env);
  const style = await readStaticFile(env, "embed.css");
  const show = (said: Saying, how: Pick<Answer, "status" | "caching" | "headers">) => {
    const all = { type: HTML_TYPE, ...how, headers: { ...varying(reader), ...FRAMED, ...how.headers } };
    return respond(req.raw, all, bannerPage(reader, said, style, req.query("gateway")));
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

type Saying = Awaited<ReturnType<typeof readBanner>>["said"];

async function readBanner(context: AppContext) {
  const published = orThrow(await readPublished(context.env));
  const view = await viewFor(context, published);
  const id = context.req.query("gateway") || null;
  const caching = cachingOf(published.gaps);
  if (id === null) {
    const { tone, text } = headlineOf(view);
    const said = { tone: toneShown(tone), name: view.status.title, text, href: pathTo(view) };
    return { caching, reader: view, said };
  }
  const gateway = view.gateways.get(id);
  if (gateway === undefined) throw absentFrom(published, problemOf("gateway", 404));
  const tone = gatewayShown(gateway, view);
  const href = pathTo(view, "gateways", id);
  return { caching, reader: view, said: { tone, name: gateway.name, text: view.words.shown[tone], href } };
}

function bannerPage({ words }: Reader, said: Saying, style: string, gateway?: string): string {
  const { tone, name, text, href } = said;
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
    "default-src 'none'; style-src 'sha256-xTnjdBenD/AXPDhaJUuAZ99eu+5axrrsdCI/bGubhlw='; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors *",
  "cross-origin-resource-policy": "cross-origin",
};
