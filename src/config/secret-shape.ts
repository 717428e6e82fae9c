/**
 * Recognizes secrets that were pasted where their name, or no secret at all, belongs. Pure. It sees shapes only: the
 * prefixes that vendors give their keys, tokens in hook addresses, and long runs without meaning. It is stricter than
 * redaction, which may not take an ordinary word out of a message.
 */
import { t } from "./spoken.ts";
import type { Path, PathFault } from "./faults.ts";

/** Vendors' prefixes, signed tokens, authorization headers: a secret wherever they stand. */
const MARKED = [
  /\b(?:sk|rk|pk|fk|ak|gsk|hf|xai|pplx|nvapi|glpat|github_pat|gh[pousr]|xox[abeprs]|whsec|shpat|sess|dop_v1|npm)[-_](?=[\w-]*[A-Za-z0-9]{6})[\w-]{8,}/,
  /\bAIza[\w-]{30,}/,
  /\b(?:AKIA|ASIA|AKLT|LTAI)[A-Za-z0-9]{12,}/,
  /\beyJ[\w-]{6,}\.[\w-]{4,}/,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/i,
  /\bwhsec_[\w+/=-]{16,}/,
  // The tokens of ntfy and of Telegram's bots.
  /\btk_[A-Za-z0-9]{29}\b/,
  /(?<!\d)\d{6,12}:AA[\w-]{30,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

/** Addresses whose path or query is the credential. */
const HOOKS = [
  /\bhooks\.slack\.com\/\S*\w/i,
  /\bdiscord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\w/i,
  /\bwebhook\.office\.com\/\w/i,
  /\blogic\.azure\.com\S*[?&]sig=/i,
  /\bapi\.telegram\.org\/bot\w/i,
  /\bpagerduty\.com\/integration\/\w/i,
  /\b(?:ntfy\.sh|hc-ping\.com)\/\w/i,
  /\bopen\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/\S*hook\/\w/i,
  /\boapi\.dingtalk\.com\/robot\/send\S*access_token=/i,
  /\bqyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\S*key=/i,
  /[?&](?:access_token|api_?key|token|secret|sig|signature|password)=[^&\s]{6,}/i,
];

/** A run that no person would write: 32 hexadecimal digits, 32 letters and digits, or 32 characters of three kinds. */
const HEX_RUN = /(?<![A-Za-z0-9])[0-9a-f]{32,}(?![A-Za-z0-9])/i;
const NUMBERED_RUN = /(?<![A-Za-z0-9])(?=(?:[A-Za-z]*\d){3})[A-Za-z0-9]{32,}(?![A-Za-z0-9])/;
const MIXED_RUN = /[A-Za-z0-9+/]{32,}/;

/** Is this text, or a part of it, a secret by its look? */
export function looksLikeSecret(text: string): boolean {
  if (hasSecretMark(text) || HEX_RUN.test(text) || NUMBERED_RUN.test(text)) return true;
  return isMixed(MIXED_RUN.exec(text)?.[0] ?? "");
}

/** The same without the look at long runs, for addresses: a path may rightly hold an account's number. */
function hasSecretMark(text: string): boolean {
  return [...MARKED, ...HOOKS].some((pattern) => pattern.test(text));
}

/** A secret's name, as `wrangler secret put` takes it, and not a key that happens to fit that alphabet. */
export function isSecretName(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,63}$/.test(text) && !looksLikeSecret(text) && !isRandomRun(text);
}

function isRandomRun(text: string): boolean {
  return /^[A-Z0-9]{20,}$/.test(text) && (text.match(/[0-9]/g)?.length ?? 0) >= 4;
}

function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run) && !run.includes("//");
}

const SET_IT = t`with \`wrangler secret put NAME\` (for npm start in .dev.vars); write only NAME here`;

const PASTED_SECRET = {
  problem: t`looks like a secret itself`,
  fix: t`remove it and create a new one: it may be in this file's history. Set the new one ${SET_IT}`,
};

/** Where alerts and heartbeats are sent is known to nobody else: unlike other addresses, it is a secret. */
export const PASTED_ADDRESS = [
  t`is an address, but must be the name of a secret`,
  t`remove it. If anyone else has seen this file, create a new address, because anyone who knows it can send there. Set it ${SET_IT}`,
] as const;

/**
 * Wherever they stand in a configuration, in names of settings too.
 * @param seen what was looked into already: an object may hold itself, or stand in several places.
 */
export function secretFaults(
  value: unknown,
  path: Path = [],
  seen = new Set<unknown>(),
): readonly PathFault[] {
  if (typeof value === "string") {
    const isSecret = isLongByNature(value, path) ? hasSecretMark(value) : looksLikeSecret(value);
    return isSecret ? [{ path, ...PASTED_SECRET }] : [];
  }
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerPath = path.concat(Array.isArray(value) ? Number(key) : key);
    const own: readonly PathFault[] = looksLikeSecret(key) ? [{ path: innerPath, ...PASTED_SECRET }] : [];
    return own.concat(secretFaults(inner, innerPath, seen));
  });
}

/** Addresses, a public key, and paths and pictures in a request may rightly have long runs without meaning. */
function isLongByNature(value: string, path: Path): boolean {
  const key = path.at(-1);
  if (key === "baseUrl" || key === "endpoint" || key === "publicKey") return true;
  if (key === "status" && path[2] === "upstream") return true;
  // What a channel calls url is the name of a secret.
  if (key === "url" && (path.length === 1 || path[0] === "theme")) return true;
  const isPicture = /^data:[a-z]+\/[a-z0-9.+-]+;base64,/.test(value);
  if (key === "logo" && path[0] === "theme") return isPicture;
  if (path[0] !== "gateways" || path[2] !== "monitors") return false;
  const isPath = path.length === 5 && (key === "path" || key === "taskPath");
  return isPath || (path[4] === "body" && isPicture);
}
