/** What wrangler reported of a deploy: the address of the page, or what to do about a failure. Pure. */
import type { WranglerEntry } from "../../local/wrangler.ts";

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
    "log in with npx wrangler login. In CI, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
  ],
  [
    /\bfetch failed\b|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b/,
    "Cloudflare was not reached. Check the network and proxy, and run it again",
  ],
];

export function adviceOn(entries: readonly WranglerEntry[]): string {
  const message = entries.map(({ message: words = "", code = "" }) => `${words} code: ${code}`).join("\n");
  const found = ADVICE.find(([words]) => words.test(message));
  return found?.[1] ?? "fix what wrangler says above, and run npx gatepulse deploy again";
}
