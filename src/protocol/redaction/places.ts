/** Secrets by where they stand: user info, e-mail addresses, webhook paths, PEM blocks, cookies. Pure, linear: no search goes back. */
import type { Range } from "./ranges.ts";
import { isMasked, looksSecret } from "./shapes.ts";

interface Place {
  /** A text without it has no such place. */
  readonly mark: RegExp | string;
  /** Ends with the secret: its first group, or all of it where it has no group. */
  readonly pattern: RegExp;
}

const PLACES: readonly Place[] = [
  {
    mark: "@",
    // `user:password@` and `token@` between `//` and the host (RFC 3986 section 3.2.1). A password that was not escaped may hold a
    // slash; a port, and an `@` in the path behind it, look alike but for the digits. Otherwise e-mail addresses; what stands
    // joined to one by a colon goes too.
    pattern:
      /(?<=\/\/)(?:[^\s/\\?#"'`<>@:]{0,256}:(?!\d{1,5}(?:[/?#]|$))[^\s"'`<>@]{1,128}(?:@[^\s/\\?#"'`<>]*)?|[^\s/\\?#"'`<>]+)(?=@)|(?:[\w.%+~-]{1,64}:)?[\w.%+~-]{1,64}(?:@(?:[A-Za-z\d-]{1,255}\.){1,127}[A-Za-z]{2,24})+(?![A-Za-z\d]|[.-]+[A-Za-z\d])/g,
  },
  {
    mark: "@",
    // `user:password@` before any host without a scheme, as drivers of databases write it.
    pattern: /(?<![^\s"'`<>=,;([{])[\w.%+~-]{0,64}:[^\s"'`<>@/:]{1,128}(?=@(?!sha256:)[\w[])/g,
  },
  {
    mark: "-----BEGIN",
    // Key material between its lines; one that is cut off goes as far as it looks like base64. RFC 7468. In a form a space is a plus.
    pattern: /-----BEGIN(?=[ +])[\w+/=\s\\:,-]*?(?:-----END[\w +]*-*|(?![\w+/=\s\\:,-]))/g,
  },
  // What a data URL holds (RFC 2397). What is shorter is an example.
  { mark: ";base64,", pattern: /;base64,([\w+/=-]{64,})/g },
  {
    mark: /-[uU]\s|-user[ =]/,
    // `curl -u user:password`.
    pattern: /(?<!\S)(?:-[uU]|--(?:proxy-)?user)[ \t=]{1,4}["']?[\w.@%+~-]{1,64}:((?!\$)[^\s"'`<>]{1,128})/g,
  },
  {
    mark: "hook",
    // Incoming webhooks whose path is the secret: Slack, Discord, Feishu and Lark, Teams.
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|\/open-apis\/bot\/v2\/hook|webhook\.office\.com\/webhookb2)\/([\w/@.-]*)/g,
  },
];

export function findPlaces(text: string): readonly Range[] {
  const places = PLACES.filter(({ mark }) =>
    typeof mark === "string" ? text.includes(mark) : mark.test(text),
  );
  const found: readonly Range[] = places.flatMap(({ pattern }) =>
    Array.from(text.matchAll(pattern), secretIn),
  );
  return [...found, ...findEchoes(text), ...findCookies(text)];
}

function secretIn({ index, 0: match, 1: secret = match }: RegExpExecArray): Range {
  const end = index + match.length;
  return { start: end - secret.length, end };
}

/** So far before an echo it says what is echoed. */
const ECHO_CONTEXT = 120;

/** A refused key that is repeated in a sentence of its own: "Virtual Key expected. Received=…", "Passed in: …". */
function findEchoes(text: string): readonly Range[] {
  if (!/received|passed in|header value/i.test(text)) return [];
  const echoes =
    /\b(?:received|passed in|illegal header value|invalid header value)[ \t]?(?:[:=][ \t]?)?(?:b?["'`])?([^\s"'`<>,;()[\]{}\\]{8,512})/gi;
  const isOfKey = ({ index, 0: echo }: RegExpExecArray): boolean =>
    /\b(?:key|token|secret|credentials?)\b/i.test(text.slice(Math.max(0, index - ECHO_CONTEXT), index)) ||
    /header value/i.test(echo);
  return [...text.matchAll(echoes)]
    .filter((echo) => isOfKey(echo) && (isMasked(echo[1] ?? "") || looksSecret(echo[1] ?? "")))
    .map(secretIn);
}

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority|version|comment)$/i;

const COOKIE = /;\s?(?:path=|httponly|secure(?:;|$)|samesite=|max-age=|expires=)/i;

/** A line or a string that is the value of Set-Cookie (RFC 6265 section 4.1), recognized by its attributes. */
function findCookies(text: string): readonly Range[] {
  if (text.length > 8192 || !text.includes(";") || !COOKIE.test(text)) return [];
  const found: Range[] = [];
  for (const { index, 0: line } of text.matchAll(/[^"\r\n]+/g)) {
    if (!COOKIE.test(line)) continue;
    for (const match of line.matchAll(/(?:^|[;,]\s?)([\w.!#$%&*+^|~-]{1,128})=([^;,\s\\]+)/g)) {
      const [whole, name = "", value = ""] = match;
      const end = index + match.index + whole.length;
      if (!ATTRIBUTE.test(name)) found.push({ start: end - value.length, end });
    }
  }
  return found;
}
