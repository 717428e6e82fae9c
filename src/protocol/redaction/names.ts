/**
 * The names that secrets go by in headers, JSON, forms, query strings and prose. Pure.
 */

/**
 * `strong`: the value is a secret whatever it looks like. `weak`: only if it looks like one, or in a query string.
 * `authorization`: a scheme, then a secret. `cookie`: a whole line of them.
 */
export type NameStrength = "strong" | "weak" | "authorization" | "cookie";

const STRONG = new RegExp(
  "(?:api|access|refresh|id|auth|bearer|session|security|login|csrf|xsrf|user|bot|oauth)token(?:value|secret)?$|" +
    "(?:api|app|client|webhook|consumer|shared|signing|token|jwt)secret$|^secret$|secretvalue$|" +
    "(?:api|secret|access|private|signing|encryption|master|admin|subscription|account|shared|auth|license|service)key(?:value)?$|" +
    "accesskey(?:id|secret)$|^secretid$|(?:key|token|password)hash$|hashed(?:key|token|password)$|" +
    "passw(?:or)?d$|passphrase$|passcode$|^pwd$|dbpwd$|signature$|connectionstring$|webhookurl$|" +
    "^(?:phpsessid|jsessionid|aspnetsessionid|csrftoken|cfbm|cfuvid|cfclearance|acwtc|connectsid)$|^amz[a-z]*signature$",
);
const WEAK = /(?:key|token|secret|sig|credentials?|auth|jwt|pass)$/;
/** Names that end like a secret's and belong to ids, sorting and texts. */
const HARMLESS =
  /(?:idempotency|cache|primary|foreign|partition|sort|public|object|group|index|lookup|dedup|routing|row|map|hot|error|message|i18n|unknown|missing|invalid|bad|no|next|page|nextpage|continuation|stop|eos|bos|pad|unk|per|max|min|by)(?:key|token)$|(?:missing|invalid|bad|no|unknown|expired|revoked)(?:api|access|auth)(?:key|token)$/;

/** How much a name says of its value; null for any other word. */
export function nameStrength(word: string): NameStrength | null {
  if (word.length > 64) return null;
  const name = word.toLowerCase().replaceAll(/[_-]/g, "");
  if (/[^a-z0-9]/.test(name)) return "weak";
  if (name.endsWith("authorization")) return "authorization";
  if (name === "cookie" || name === "setcookie") return "cookie";
  if (HARMLESS.test(name)) return null;
  if (STRONG.test(name)) return "strong";
  return WEAK.test(name) ? "weak" : null;
}

/** Words between a key word and the key itself: "API key provided: …", "Key Hash (Token) =…". */
export const CONNECTORS: ReadonlySet<string> = new Set(
  (
    "provided received given supplied specified sent got used found passed entered submitted is was be are the your my this " +
    "hash token key value header string of with starting ending beginning begins starts ends prefix suffix prefixed id " +
    "appears seems to or may might have has been not valid does exist could found and api secret invalid incorrect wrong bad unknown expired revoked disabled masked partial current new old full 为 是"
  ).split(" "),
);

/** What a service says of a key in its place: no values. */
export const STATE_WORDS: ReadonlySet<string> = new Set(
  (
    "null none nil undefined true false missing required invalid incorrect wrong empty blank expired revoked disabled " +
    "not must should is was are has cannot can't unknown error failed denied unauthorized forbidden header headers bearer " +
    "basic token key string value field redacted hidden unset set absent optional yes no the this a an or and too"
  ).split(" "),
);
