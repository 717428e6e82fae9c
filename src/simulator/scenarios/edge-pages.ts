/** What a CDN's edge and other proxies answer in the gateway's place: pages, text and problem JSON. Pure data. */
import type { Cause } from "../../protocol/diagnosis.ts";
import { type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";
import { type Reply, anonymous, html, json, reply, text } from "../wire.ts";

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
  const rows = FORMS.map((form) => {
    const says = `${status} from the edge, as ${form}. ${words}.`;
    return [`${name}_${form}`, says, edgePage(status, code, words, form)] as const;
  });
  return scenarios(expects(cause, status), rows);
});

const REFUSALS: readonly Scenario[] = [
  ...scenarios(expects("edge_blocked", 403), [
    [
      "challenge_403",
      "403 with a challenge page and cf-mitigated: challenge.",
      anonymous(html(403, "Just a moment...", { ...EDGE, "cf-mitigated": "challenge" })),
    ],
    ...FORMS.map((form): Row => {
      const says = `403 from the edge's firewall, error 1020, as ${form}.`;
      return [`edge_1020_${form}`, says, edgePage(403, 1020, "Access denied", form)];
    }),
  ]),
  scenario(expects("rate_limited", 429, { attempts: 4 }), [
    "edge_1015",
    "429 from the edge, error 1015, as text.",
    edgePage(429, 1015, "You are being rate limited", "text"),
  ]),
  scenario(expects("upstream_unavailable", 502, { attempts: 4, owner: "operator" }), [
    "edge_502_text",
    "502 from the edge, as text.",
    edgePage(502, 502, "Bad gateway", "text"),
  ]),
];

const SPOKEN_TO_IN_PLAIN =
  "<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>\r\n<body>400 Bad Request</body>\r\n</html>\r\n";

const WRONG_ADDRESSES: readonly Scenario[] = [
  scenario(expects("wrong_url", 403), [
    "edge_1003",
    "403 from the edge, error 1003: an IP address is no host name.",
    edgePage(403, 1003, "Direct IP access not allowed", "text"),
  ]),
  scenario(expects("wrong_url", 404), [
    "edge_1042",
    "404 from the edge, error 1042: a Worker of the same account.",
    edgePage(404, 1042, "Not found", "text"),
  ]),
  scenario(expects("wrong_url", 400), [
    "http_to_https",
    "400 from a TLS port that was spoken to in plain HTTP.",
    anonymous(reply(400, SPOKEN_TO_IN_PLAIN, { "content-type": "text/html", server: "nginx" })),
  ]),
];

const REDIRECTS: readonly Scenario[] = [
  ...[301, 302, 303, 307, 308].flatMap((status) =>
    scenarios(expects("wrong_url", status), [
      [
        `redirect_${status}`,
        `${status} to another host, which must never see the key.`,
        (call, world) => html(status, "Moved", { location: `${world.elsewhere}${call.path}` }),
      ],
    ]),
  ),
  ...scenarios(expects("wrong_url", 302), [
    ["redirect_same_host", "302 to a path of the same host.", html(302, "Sign in", { location: "/login" })],
    [
      "redirect_loop",
      "302 to the path that was asked for, for ever.",
      ({ path }) => html(302, "Moved", { location: path.slice(path.lastIndexOf("/") + 1) }),
    ],
    ["redirect_nowhere", "302 without a Location.", html(302, "Moved")],
  ]),
];

export const EDGE_PAGES: readonly Scenario[] = [...ORIGINS, ...REFUSALS, ...WRONG_ADDRESSES, ...REDIRECTS];
