/** What came of a deploy: the address that wrangler reported, what to do about a failure, and the first verdicts on the page. */
import { t } from "../../config/spoken.ts";
import type { WranglerEntry } from "../../local/wrangler.ts";
import { statusSchema } from "../../history/documents.ts";
import type { Clock } from "../../probe/clock.ts";

/**
 * The configured address if it is served, a domain of your own, or the one of the platform; null: wrangler names none.
 * @param configured the address of the configuration; null: it has none.
 */
export function addressIn(entries: readonly WranglerEntry[], configured: string | null): string | null {
  const targets = entries.flatMap((entry) => entry.targets ?? []);
  const host = configured === null ? null : new URL(configured).host;
  if (host !== null && targets.some((target) => target.includes(host))) return configured;
  const domain = targets.find((target) => target.includes("(custom domain"))?.split(" ")[0];
  if (domain !== undefined) return `https://${domain.replace(/^https?:\/\//, "")}`;
  return targets.find((target) => target.startsWith("https://"))?.replace(/\/+$/, "") ?? configured;
}

/** By exact words and codes alone; wrangler's own message stands above, and a wrong advice is worse than none. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /Not logged in|CLOUDFLARE_API_TOKEN environment variable|code: (?:10000|9106|9109|9103)\b/,
    t`log in with npx wrangler login. In CI, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID`,
  ],
  [
    /\bfetch failed\b|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b/,
    t`Cloudflare was not reached. Check the network and proxy, and run it again`,
  ],
];

export function adviceOn(entries: readonly WranglerEntry[]): string {
  const message = entries.map(({ message: words = "", code = "" }) => `${words} code: ${code}`).join("\n");
  const found = ADVICE.find(([words]) => words.test(message));
  return found?.[1] ?? t`fix what wrangler says above, and run npx gatepulse deploy again`;
}

export interface Verdict {
  readonly gateway: string;
  /** Of each monitor that was checked: `up`, or `blocked: authentication`. */
  readonly monitors: readonly string[];
}

export interface Page {
  /** Without a trailing slash. */
  readonly url: string;
  /** Null: it is not known here. */
  readonly viewToken: string | null;
  readonly gateways: readonly string[];
}

export type Waited =
  | { readonly type: "shown"; readonly verdicts: readonly Verdict[] }
  /** Only who has VIEW_TOKEN sees the page. */
  | { readonly type: "private" }
  /** `why`: what was missing at the end. */
  | { readonly type: "late"; readonly why: string };

const PAUSE_MS = 3_000;
const LONGEST_MS = 3 * 60_000;
const ANSWER_MS = 15_000;

/** @param say what is waited for, each time it is another. */
export async function waitForVerdicts(
  page: Page,
  clock: Clock,
  say: (words: string) => void,
): Promise<Waited> {
  const beganMs = clock.now();
  let said = "";
  for (;;) {
    const seen = await look(page, beganMs);
    if (typeof seen !== "string") return seen;
    if (clock.now() - beganMs >= LONGEST_MS) return { type: "late", why: seen };
    if (seen !== said) say(t`Waiting: ${seen} …`);
    said = seen;
    await clock.sleep(PAUSE_MS);
  }
}

/** A text: what is missing. */
async function look({ url, viewToken, gateways }: Page, beganMs: number): Promise<Waited | string> {
  const answer = await fetch(`${url}/api/v1/status`, {
    headers: viewToken === null ? {} : { authorization: `Bearer ${viewToken.trim()}` },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (answer === null) return t`the address does not answer yet`;
  // With the token, the page is still that of the version before.
  if (answer.status === 401) return viewToken === null ? { type: "private" } : NOT_YET;
  const { data: status } = statusSchema().safeParse(await answer.json().catch(() => null));
  if (answer.status !== 200 || status === undefined) return t`the first check has not ended`;
  // Until its next tick, the page is that of the version before.
  if (Date.parse(status.generatedAt) < beganMs) return NOT_YET;
  const verdicts = status.gateways.map(({ id, monitors }) => ({
    gateway: id,
    monitors: monitors
      .filter(({ lastProbe }) => lastProbe !== null)
      .map((monitor) =>
        monitor.status === "up" || monitor.diagnosis === null
          ? monitor.status
          : `${monitor.status}: ${monitor.diagnosis.cause}`,
      ),
  }));
  const judged = new Set(
    verdicts.flatMap(({ gateway, monitors }) => (monitors.length === 0 ? [] : [gateway])),
  );
  const missing = gateways.filter((id) => !judged.has(id));
  if (missing.length > 0)
    return t`no verdict yet on ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? t` and others` : ""}`;
  return { type: "shown", verdicts };
}

const NOT_YET = t`the page does not show this version yet`;
