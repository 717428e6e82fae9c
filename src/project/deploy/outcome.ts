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

/** By wrangler's words; its own message stands above. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /CLOUDFLARE_API_TOKEN|not (?:logged|authenticated)|log ?in|authenticat|code: (?:10000|9106|9109|9103)/i,
    "log in with npx wrangler login. In CI, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
  ],
  [
    /fetch failed|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|network|timed out/i,
    "Cloudflare was not reached. Check the network and proxy, and run it again",
  ],
  [
    /account/i,
    "name the account: set CLOUDFLARE_ACCOUNT_ID, or account_id in wrangler.toml. Without an account, sign up at https://dash.cloudflare.com",
  ],
  [
    /workers\.dev/i,
    "open Workers & Pages at https://dash.cloudflare.com once: that gives your account its workers.dev address",
  ],
  [
    /already (?:exists|taken|in use)|migration|code: 100(?:13|64|74)/i,
    "another Worker may have this name. Choose another name in wrangler.toml",
  ],
];

export function adviceOn(entries: readonly WranglerEntry[]): string {
  const message = entries
    // The path of a call names the account, whatever is wrong.
    .map(({ message: words = "", code = "" }) => `${words.replaceAll(/\(\/[^)]*\)/g, "")} code: ${code}`)
    .join("\n");
  const found = ADVICE.find(([words]) => words.test(message));
  return found?.[1] ?? "fix what wrangler says above, and run npx gatepulse deploy again";
}
