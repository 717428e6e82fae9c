/** What a CDN's edge and other proxies answer in the gateway's place: pages, text and problem JSON. Pure data. */
import type { Cause } from "../../protocol/diagnosis.ts";
import { type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";
import { type Reply, anonymous, html, json, text } from "../wire.ts";

const RAY = "9f00000000000000-SIM";
const EDGE = { server: "cloudflare", "cf-ray": RAY };

const FORMS = ["html", "text", "json"] as const;
type Form = (typeof FORMS)[number];

/** `code` is the edge's own error number, often the status again. */
function edgePage(status: number, code: number, words: string, form: Form): Reply {
  switch (form) {
    case "html":
      return anonymous(
        html(status, `gateway.example | ${code}: ${words} | Error code ${code} | Ray ID: ${RAY}`, EDGE),
      );
    case "text":
      return anonymous(text(status, `error code: ${code}`, EDGE));
    case "json":
      return anonymous(edgeProblem(status, code, words));
  }
}

function edgeProblem(status: number, code: number, words: string): Reply {
  const problem = {
    type: `https://edge.example/errors/${code}`,
    title: `Error ${code}: ${words}`,
    status,
    detail: words,
    instance: RAY,
    cloudflare_error: true,
    error_code: code,
    error_category: code >= 1000 && code !== 1016 ? "access_denied" : "origin",
    zone: "gateway.example",
    retry_after: 120,
  };
  return json(status, problem, { ...EDGE, "content-type": "application/problem+json" });
}

const ORIGIN_FAILURES: readonly (readonly [number, number, string, Cause])[] = [
  [520, 520, "The origin's answer was not understood", "connection_failed"],
  [521, 521, "The origin refused the connection", "connection_failed"],
  [522, 522, "The connection to the origin timed out", "timeout"],
  [523, 523, "The origin cannot be reached", "connection_failed"],
  [524, 524, "The origin took too long to answer", "timeout"],
  [525, 525, "The TLS handshake with the origin failed", "tls_failure"],
  [526, 526, "The origin's certificate is not valid", "tls_failure"],
  [530, 1016, "The origin's name does not resolve", "dns_failure"],
];

const ORIGINS: readonly Scenario[] = ORIGIN_FAILURES.flatMap(([status, code, words, cause]) => {
  const name = code === status ? `edge_${status}` : `edge_${status}_${code}`;
  const rows = FORMS.map((form): Row => [`${name}_${form}`, edgePage(status, code, words, form)]);
  return scenarios(expects(cause, status), rows);
});

const REFUSALS: readonly Scenario[] = [
  ...scenarios(expects("edge_blocked", 403), [
    ["challenge_403", anonymous(html(403, "Just a moment...", { ...EDGE, "cf-mitigated": "challenge" }))],
    ...FORMS.map((form): Row => [`edge_1020_${form}`, edgePage(403, 1020, "Access denied", form)]),
  ]),
];

const WRONG_ADDRESSES: readonly Scenario[] = [
  scenario(expects("wrong_url", 403), [
    "edge_1003",
    edgePage(403, 1003, "Direct IP access not allowed", "text"),
  ]),
];

/** The other host must never see the key. */
const REDIRECTS: readonly Scenario[] = [
  ...[301, 302, 303, 307, 308].flatMap((status) =>
    scenarios(expects("wrong_url", status), [
      [
        `redirect_${status}`,
        (call, world) => html(status, "Moved", { location: `${world.elsewhere}${call.path}` }),
      ],
    ]),
  ),
  ...scenarios(expects("wrong_url", 302), [
    ["redirect_loop", ({ path }) => html(302, "Moved", { location: path.slice(path.lastIndexOf("/") + 1) })],
  ]),
];

export const EDGE_PAGES: readonly Scenario[] = [...ORIGINS, ...REFUSALS, ...WRONG_ADDRESSES, ...REDIRECTS];
