/** What decides each cause, a sentence or two each, for the page and the document of the causes. Pure data. */
import type { Cause } from "./diagnosis.ts";

/** Code stands between backticks. */
export const CAUSE_EVIDENCE = {
  ok: "A 2xx answer of the shape that was asked for, without an error and without a failing `code` in it.",
  slow: "A good answer that took longer than the configured `slowerThan`.",
  model_missing: "A good list in which a model of the configured `expect` does not stand.",
  dns_failure:
    "The host name was not found; or an edge says the same of the server behind it (530 with `error code: 1016`).",
  connection_failed:
    "The connection was refused or reset, before or after the headers, or the server could not be reached; or an edge answers 520, 521, 523 or 530.",
  tls_failure: "The TLS handshake failed, or the certificate is not valid; or an edge answers 525 or 526.",
  timeout: "No complete answer within the time limit of the request; or an edge answers 522 or 524.",
  network_error: "The network failed, and nothing tells at which stage.",
  edge_blocked:
    "A firewall, a bot check or a challenge page answered in the gateway’s place (`cf-mitigated`, `error code: 1020` and the like).",
  wrong_url:
    "A redirect, 405, a 404 without JSON, or a 2xx with a web page; or a page, under any status, that names a wrong host or port.",
  malformed_request:
    "400, and what else refuses the request as it is: 406, 409, 411 to 417, 421, 422, 424, 426, 428, 431; or business code 2001.",
  authentication:
    "401, or under any status a code that names the key (`invalid_api_key`); also where no key is set, so that nothing was sent.",
  insufficient_balance: "402, or under any status a code or plain words that name the balance.",
  quota_exceeded:
    "The code `quota_exceeded`, or the used-up quota of a key or plan that waiting does not renew soon; 429 is its usual status.",
  permission_denied: "403 (`model_not_allowed` and the like), where no edge answered in the gateway’s place.",
  not_found: "404 with a JSON error, a code that names a missing thing, or business code 2002 or 4004.",
  rate_limited:
    "429, or under another status words or a code that say the same; and nothing tells of a used-up quota or balance.",
  service_misconfigured: "500, where nothing in it names another cause.",
  upstream_unavailable:
    "502, 503, 504 or 529, whatever page comes with it; or 500 with a code that says the same.",
  http_error:
    "Any other status outside 2xx, such as 408, 410, 425 or 501. Under a 4xx it is the caller’s turn.",
  business_error:
    "2xx with a `code` other than 0 that says nothing more specific, or with `success: false`. Of code 5002 it is the caller’s turn.",
  api_error: "2xx with an `error` that is not empty and names nothing more specific.",
  unexpected_response:
    "2xx whose body is empty, cut off, too large, no JSON object, or without what was asked for.",
  task_pending: "A task was accepted, and its state is pending, queued, running or one that nobody knows.",
  task_failed: "The record of a task says that it ended without success.",
  task_stalled: "A canary’s task had no final state by its `deadline`.",
  stream_error: "An event of the stream carries an error, after the stream had begun with 2xx.",
  stream_dropped: "The stream ended, or fell silent, without its end mark.",
  balance_low: "A good answer of a `console` canary that tells a balance below the configured `warnBelow`.",
} as const satisfies Readonly<Record<Cause, string>>;
