/** Every page that is looked at: a new one is one line. Pure. */
import { fileURLToPath } from "node:url";
import type { StateName } from "./support/states.ts";

/** Of the clocks of all sites, so that a page looks the same on every run. */
export const NOW_MS = Date.parse("2030-11-20T12:00:00Z");

/** Every page as it was seen in this run, for people to look at. */
export const PICTURES = fileURLToPath(new URL("../../test-results/screenshots/", import.meta.url));

/** What a test process knows of a site; it can be sent there. */
export interface Site {
  readonly origin: string;
  /** Its clock stands. */
  readonly nowMs: number;
  /** Each gateway's newest incident. */
  readonly incidents: Readonly<Record<string, { readonly id: string; readonly report: string | null }>>;
}

export interface PageUnderTest {
  /** Names its pictures too. */
  readonly name: string;
  readonly state: StateName;
  /** `{incident:g}` and `{report:g}` stand for the ids of the gateway's newest. */
  readonly path: string;
  /** Default 200. */
  readonly status?: number;
  /** It answers this form; absent: it is read. */
  readonly form?: Readonly<Record<string, string>>;
}

const LIMITED = `HTTP/2 429
content-type: application/json
retry-after: 31
x-request-id: req_8f2c

{"error":{"message":"Too many requests: sk-proj-Zk3vT9qLw8XbN2mR7cYd5HfJ1gPs6AeU","code":"rate_limit_exceeded"}}`;

/** Higher than its field. */
const LONG = `HTTP/1.1 503 Service Unavailable\n${"x-hop: a\n".repeat(60)}\nupstream connect error`;

const WORDS = "<script>alert(1)</script>".repeat(4) + "z".repeat(300) + "\u202e";
const HOSTILE = JSON.stringify({
  status: 500,
  headers: { "x-request-id": "z".repeat(120) },
  body: JSON.stringify({ error: { message: WORDS, type: "t".repeat(120), code: WORDS.slice(0, 100) } }),
});

export const PAGES: readonly PageUnderTest[] = [
  { name: "overview", state: "good", path: "/" },
  { name: "overview-troubled", state: "troubled", path: "/" },
  { name: "overview-groups", state: "regions", path: "/" },
  { name: "overview-filtered", state: "troubled", path: "/?name=r&state=down" },
  { name: "overview-stale", state: "stale", path: "/" },
  { name: "overview-hostile", state: "hostile", path: "/" },
  { name: "gateway", state: "good", path: "/gateways/acme" },
  { name: "gateway-down", state: "troubled", path: "/gateways/brook" },
  { name: "gateway-flapping", state: "troubled", path: "/gateways/delta" },
  { name: "gateway-maintenance", state: "troubled", path: "/gateways/elm" },
  { name: "gateway-paused", state: "troubled", path: "/gateways/fir" },
  { name: "gateway-stale", state: "stale", path: "/gateways/brook" },
  { name: "gateway-hostile", state: "hostile", path: "/gateways/markup" },
  { name: "incident-notes", state: "troubled", path: "/incidents/{incident:brook}" },
  { name: "incident-ended", state: "good", path: "/incidents/{incident:cedar}" },
  { name: "incident-hostile", state: "hostile", path: "/incidents/{incident:markup}" },
  { name: "report", state: "troubled", path: "/reports/{report:brook}" },
  { name: "gateway-regions", state: "regions", path: "/gateways/brook" },
  { name: "docs", state: "good", path: "/docs" },
  { name: "causes", state: "good", path: "/causes" },
  { name: "explain", state: "good", path: "/explain" },
  { name: "explained", state: "good", path: "/explain", form: { text: LIMITED, kind: "chat" } },
  { name: "explained-long", state: "good", path: "/explain", form: { text: LONG, kind: "models" } },
  { name: "explained-hostile", state: "hostile", path: "/explain", form: { text: HOSTILE } },
  { name: "explain-refused", state: "good", path: "/explain", status: 400, form: { text: " " } },
  { name: "overview-chinese", state: "troubled", path: "/?lang=zh" },
  { name: "begin", state: "empty", path: "/" },
  { name: "begin-chinese", state: "empty", path: "/?lang=zh" },
  { name: "failure-nothing-here", state: "good", path: "/nothing-here", status: 404 },
  { name: "failure-not-yet", state: "good", path: "/incidents/acme-models-20301120t115900z", status: 404 },
];

/** @throws where the gateway has no such incident or report. */
export function addressOf({ path }: PageUnderTest, { origin, incidents }: Site): string {
  const filled = path.replace(
    /\{(incident|report):([^}]+)\}/,
    (placeholder, what: string, gateway: string) => {
      const found = incidents[gateway];
      const id = what === "incident" ? found?.id : found?.report;
      if (typeof id !== "string") throw new Error(`there is no ${placeholder}`);
      return id;
    },
  );
  return origin + filled;
}
