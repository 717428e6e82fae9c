/** What a secret looks like, unlike a word, an id, a model name or a version. Prefixes are as issuers document them, or seen in public. */
import { type Range, runEnd } from "./ranges.ts";

/** What follows a prefix: anything that is no word, or at least `min` characters of one kind. */
interface KeyShape {
  readonly prefix: string;
  readonly min: number;
  /** Default: letters, digits, `_` and `-`, and not made of words. */
  readonly only?: RegExp;
}

const ANY = /^[\w-]+$/;
const HEX = /^[0-9a-f]+(?:-\d)?$/i;
const SEVENS = /^(?:eu-)?[a-z0-9]{7}(?:-[a-z0-9]{7}){3}$/;
/** After a prefix that nothing else has: everything but words in lower case. */
const OWN = /^(?=[^A-Z\d]*[A-Z\d])[\w-]+$/;
/** Both cases and digits, in whatever parts: one key in a thousand falls into parts that look like words. */
const ALL_KINDS = /^(?=[^\d]*\d)(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w-]+$/;
/** Letters of both cases, but not as in names: after prefixes that ids and names have too. */
const MIXED =
  /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?!(?!.*[b-df-hj-np-tv-xz]{5})[A-Za-z][a-z]{1,14}(?:[A-Z](?:[a-z]{2,14}|[dfnopsy]))*\d*$)[A-Za-z0-9]+$/;
const UPPER = /^[A-Z0-9]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const shapeRows = (): readonly KeyShape[] => [
  // OpenAI, Anthropic, OpenRouter, DeepSeek, DashScope, Moonshot, SiliconFlow, LiteLLM, new-api and their like.
  ...shapes(20, "sk-", ALL_KINDS),
  ...shapes(31, "sk-helicone- pk-helicone-", SEVENS),
  ...shapes(36, "sk-lf- pk-lf-", UUID),
  ...shapes(12, "sk- pk-lf- sk_ rk_live_ rk_test_ stkpk_"),
  ...shapes(
    20,
    "sess- ek_ gsk_ hf_ api_org_ xai- r8_ pplx- nvapi- csk- tgp_v1_ jina_ rqsty- crsr_ luma- llx-",
  ),
  ...shapes(16, "fw_ tvly- lsv2_pt_ lsv2_sk_ ls__ pcsk_ flp_ rpa_ vck_ cpk_ e2b_ wandb_v1_ bedrock-api-key-"),
  ...shapes(20, "vcp_ vci_ vca_ vcr_ fastgpt- ragflow- apify_api_"),
  ...shapes(22, "ak- as- app- dataset-", MIXED),
  ...shapes(40, "pat_ sat_", MIXED),
  ...shapes(64, "key_ rc_", HEX),
  ...shapes(
    16,
    "cfut_ cfat_ cfk_ phx_ lin_api_ ntn_ whsec_ figd_ dckr_pat_ dop_v1_ doo_v1_ dor_v1_ sbp_ sb_secret_",
  ),
  ...shapes(16, "rdme_ glsa_ glc_ sntrys_ sntryu_ pul- PMAK- ATATT3 ATCTT3 xkeysib- GOCSPX-"),
  ...shapes(20, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ npm_ pypi-"),
  ...shapes(
    16,
    "glpat- gldt- glrt- glptt- glcbt- glft- glffct- glsoat- gloas- glimt- glagent- GR1348941",
    OWN,
  ),
  ...shapes(10, "xoxb- xoxp- xoxa- xoxc- xoxd- xoxr- xoxs- xoxe- xoxo- xapp-", OWN),
  ...shapes(
    20,
    "rubygems_ dckr_oat_ HRKU- fo1_ fm1r_ fm2_ pscale_tkn_ pscale_pw_ pscale_oauth_ tskey- NRAK- NRAL- ATBB",
  ),
  ...shapes(
    20,
    "sq0atp- sq0csp- sgp_ tfp_ pnu_ figp_ ops_eyJ duffel_live_ duffel_test_ xsmtpsib- nfp_ squ_ sqp_",
  ),
  ...shapes(30, "AIza secret_ AGE-SECRET-KEY- AKCp"),
  ...shapes(40, "pa- EAAC EAAM EAAB EAAG ABSK IQoJb3Jp FwoGZXIvYXdz FQoGZXIvYXdz gAAAAA"),
  // The beginnings of a JSON Web Token's header: {"alg, {"typ, {"kid, {"cty, {"enc, {"x5; and of other tokens in JSON.
  ...shapes(7, "eyJhbGci eyJ0eXAi eyJraWQi eyJjdHki eyJlbmMi eyJ4NX"),
  ...shapes(40, "eyJrIjoi eyJ1Ijoi"),
  ...shapes(36, "ms- ark- pat-na1- pat-eu1-", UUID),
  ...shapes(32, "fc- key- dapi shpat_ shpss_ shpca_ shppa_", HEX),
  ...shapes(12, "AKIA ASIA ABIA ACCA", UPPER),
  ...shapes(12, "LTAI ALTAK AKLT AKTP AKID", ANY),
];

function shapes(min: number, prefixes: string, only?: RegExp): readonly KeyShape[] {
  return prefixes.split(" ").map((prefix) => (only === undefined ? { prefix, min } : { prefix, min, only }));
}

/** Ids and names that look random and are no secret, wherever they stand. */
const ID_PREFIX =
  /^(?:req|request|chatcmpl|cmpl|resp|msg|run|thread|asst|task|cgt|org|proj|gen|call|toolu|file|batch|trace|span|evt|wf|ep|ft|as|fp|rs|ray|log|sess(?:ion)?[-_]id)[-_]/i;
const CF_RAY = /^[0-9a-f]{16}-[A-Z]{3}$/;
/** An instant as in signatures, or only its day. */
const TIME = /^\d{4}-?\d\d-?\d\d(?:T[\d:.]*Z?)?$/;
/** Hidden characters in the middle or at the start of a key that a service shows in part. */
const MASK = /\*{2,}|\.{3,}|[…•●]+|x{4,}|X{4,}/;

/** The table by its first two characters; it is built when the first word is looked at. */
let rowsByStart: ReadonlyMap<string, readonly KeyShape[]> | null = null;

function rowsOf(word: string): readonly KeyShape[] {
  rowsByStart ??= shapesByStart();
  return rowsByStart.get(word.slice(0, 2)) ?? [];
}

function shapesByStart(): ReadonlyMap<string, readonly KeyShape[]> {
  // Node 20, where the library runs too, has no Map.groupBy.
  const known = new Map<string, KeyShape[]>();
  for (const row of shapeRows()) {
    const start = row.prefix.slice(0, 2);
    known.set(start, [...(known.get(start) ?? []), row]);
  }
  return known;
}

export function mayBeKey(word: string): boolean {
  return rowsOf(word).length > 0;
}

export function isKey(word: string): boolean {
  return rowsOf(word).some(({ prefix, min, only }) => {
    if (word.length < prefix.length + min || !word.startsWith(prefix)) return false;
    const rest = word.slice(prefix.length);
    return only === undefined ? !isWordy(rest) : only.test(rest);
  });
}

const MARKED = /^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$/;
const OF_DATA_CENTRE = /^[0-9a-f]{32}-us\d{1,2}$/;

/** Keys that are known by a mark in their middle or at their end: of Azure, 84 characters, and of Mailchimp. */
export function isMarkedKey(word: string): boolean {
  return (word.length === 84 && MARKED.test(word)) || OF_DATA_CENTRE.test(word);
}

/** Whether a word begins as a key does, however short it is: `sk-...fAkE` and `sk-test` beside a key word. */
export function hasKeyPrefix(word: string): boolean {
  return rowsOf(word).some(
    ({ prefix, only }) => (only === undefined || only === OWN) && word.startsWith(prefix),
  );
}

/** Whether what stands beside a key word is a secret rather than prose, an id, a model or a number. */
export function looksSecret(value: string): boolean {
  const masked = isMasked(value);
  if (!masked && (value.length < 16 || /\s/.test(value))) return false;
  if (isId(value)) return false;
  if (masked) return /[\w*•●]/.test(value);
  return /^\d+$/.test(value) ? value.length >= 20 : !isWordy(value);
}

export function isId(value: string): boolean {
  return ID_PREFIX.test(value) || CF_RAY.test(value) || TIME.test(value);
}

export function isMasked(value: string): boolean {
  return MASK.test(value);
}

/** Whether a string is made of words, numbers, dates and versions only, as model ids, codes and sentences are. */
export function isWordy(value: string): boolean {
  return value.split(/[-_.,/:+\s()'"]+/).every((part) => isWordPart(part));
}

function isWordPart(part: string): boolean {
  if (part.length <= 4 || /^\d{1,14}$/.test(part)) return true;
  if (!/^[A-Za-z]+$/.test(part))
    return /^(?:(?:[A-Z]?[a-z]{1,8}|[A-Z]{1,8})\d{1,4}|\d{1,8}(?:[A-Z]?[a-z]{1,8}|[A-Z]{1,8}))$/.test(part);
  if (/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(part)) return part.length <= 20;
  return /^[a-z]*(?:[A-Z][a-z]{2,}|[A-Z]{2,4}$)+$/.test(part) && !NO_WORD.test(part);
}

/** Five consonants in a row, or a part of a name without a vowel. */
const NO_WORD = /[b-df-hj-np-tv-xz]{5}|(?!Http|Html|Grpc)[B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]{3,}(?![a-z])/;

/** A word in one of the usual ways to write it, with a short number behind it at most; or a number. */
const PLAIN_PART = /^(?:[a-z]+\d{0,2}|[A-Z]+\d{0,2}|[A-Z][a-z]*\d{0,2}|[a-z]*(?:[A-Z][a-z]{2,})+|\d+)$/;

/** Whether a part of a secret is only words or a number, which other texts hold too; `secret` may be all digits. */
export function isPlainRun(run: string, secret: string): boolean {
  if (/^\d+$/.test(secret)) return false;
  return run.split(/[^A-Za-z0-9]+/).every((part) => part === "" || PLAIN_PART.test(part));
}

// Keys of several parts that do not say what they are: an id and its secret joined by a dot or a colon, tokens of three parts.

interface JoinedShape {
  readonly word: RegExp;
  readonly rest: RegExp;
}

const BY_JOINT: Readonly<Record<string, readonly JoinedShape[]>> = {
  ".": [
    // Google; SendGrid; Vault.
    { word: /^(?:AQ|SG|ya29)$/, rest: /^[\w-]{20}/ },
    { word: /^hv[sbr]$/, rest: /^[\w-]{24}/ },
    // Zhipu: not another hexadecimal part, and no word.
    { word: /^[0-9a-f]{32}$/, rest: /^(?=[a-f\d]*[g-zA-Z])(?![a-z]+(?![\w-]))[A-Za-z0-9]{16}(?![\w-])/ },
    { word: /^dp$/, rest: /^(?:ct|pt|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[A-Za-z0-9]{40}/ },
    { word: /^dt0[a-z]\d\d$/, rest: /^[A-Z0-9]{24}\.[A-Z0-9]{64}/ },
    { word: /^pat[A-Za-z0-9]{14}$/, rest: /^[0-9a-f]{64}/ },
    { word: /^[A-Za-z0-9]{14}$/, rest: /^atlasv1\.[\w-]{60}/ },
    { word: /^[MNO][\w-]{23,27}$/, rest: /^[\w-]{6}\.[\w-]{27}/ },
    { word: /^v1$/, rest: /^0-[0-9a-f]{24}-[0-9a-f]{146}/ },
    // A JSON Web Token whatever its header begins with, also with spaces or line ends in it.
    { word: /^(?:eyJ|eyA|ewo)[\w-]{9,}$/, rest: /^(?:eyJ|eyA|ewo)[\w-]{9}/ },
  ],
  ":": [
    // Telegram; fal.
    { word: /^(?:bot)?\d{8,12}$/, rest: /^[\w-]{35}(?![\w-])/ },
    { word: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, rest: /^[0-9a-f]{32}(?![\w-])/ },
  ],
  "~": [
    // A client secret of Azure; OpenShift.
    { word: /^[\w-]{0,3}\dQ$/, rest: /^[\w~.-]{31,34}(?![\w~-])/ },
    { word: /^sha256$/, rest: /^[\w-]{43}(?![\w-])/ },
  ],
};
const MAX_REST = 200;

export function joinedKeyEnd(text: string, word: string, end: number): number | null {
  const joint = text.charAt(end);
  if (joint !== "." && joint !== ":" && joint !== "~") return null;
  for (const shape of BY_JOINT[joint] ?? []) {
    if (!shape.word.test(word)) continue;
    const rest = shape.rest.exec(text.slice(end + 1, end + 1 + MAX_REST))?.[0];
    if (rest !== undefined) return keyEnd(text, end + 1 + rest.length);
  }
  return null;
}

/** Where a key begins whose last part a word is: `1//0…` and `4/0…` are what Google exchanges for a token. */
export function exchangeStart(text: string, start: number, word: string): number | null {
  if (word.length < 40 || !word.startsWith("0") || isWordy(word)) return null;
  const before = /(?<![\w/])(?:1\/\/|4\/)$/.exec(text.slice(Math.max(0, start - 4), start))?.[0];
  return before === undefined ? null : start - before.length;
}

/** Where a key ends that goes on behind dots, masks or characters of base64. */
export function keyEnd(text: string, from: number): number {
  let at = runEnd(text, from, WORD);
  for (;;) {
    const joint = /^(?:[.:/+~](?=[\w-])|\*+|\.{3,}|[…•●]+|=+)/.exec(text.slice(at, at + 64))?.[0];
    if (joint === undefined) return at;
    const next = runEnd(text, at + joint.length, WORD);
    // A full stop, a port or a path behind the key is none of it.
    const part = text.slice(at + 1, Math.min(next, at + 65));
    if (/^[.:/]$/.test(joint) && isWordy(part) && !isMiddle(text, part, next)) return at;
    at = next;
  }
}

const WORD = /[\w-]*/y;

/** With another part behind it that is none: `glpat-….01.2c1lm594d`, and the third of five of an encrypted token. */
function isMiddle(text: string, part: string, end: number): boolean {
  const behind = text.slice(end, end + 21);
  return /^\.[\w-]{20}/.test(behind) || (part.length === 2 && /^\.[0-9a-z]{9}(?![\w-])/.test(behind));
}

// Long base64 (RFC 4648, with lines as RFC 2045 folds them): pictures, encrypted thoughts, tokens without a name. It is longer
// than any id that gateways are known to give, and no path, digest or sentence. A run is measured once.

/** Ids have up to 110 characters; digests in hexadecimal are recognized by their letters. */
const MIN_LENGTH = 128;
const MIN_LINE = 60;
/** Keys of 64 bytes with the mark of the Azure service that issued them. */
const OF_AZURE = /(?:\+ASt|\+AMC|\+ABa|\+AEh|\+ARm|ACDb|AIoT|APIM|AzSe)[A-Za-z0-9+/]{5}[AQgw]$/;
const MIN_OF_AZURE = 86;
const JUDGED = 1024;
/** Base64 has a `/`, a `+` or their like in 32 characters, a path in 8. */
const MIN_STRETCH = 12;

export interface Base64Run extends Range {
  readonly isSecret: boolean;
}

/** The run of characters of base64 around a word; it begins at `floor` or behind. */
export function base64RunAt(text: string, wordStart: number, floor: number): Base64Run {
  let start = wordStart;
  while (start > floor && /[\w+/-]/.test(text.charAt(start - 1))) start -= 1;
  let end = runEnd(text, wordStart, BASE64);
  let folded = end;
  for (let line = end - start; line >= MIN_LINE && folded < text.length;) {
    const next = behindFold(text, folded);
    if (next === folded) break;
    const stop = runEnd(text, next, BASE64);
    line = stop - next;
    folded = stop;
    if (line >= MIN_LINE || text.charAt(stop) === "=") end = stop;
  }
  const isSecret = end - start >= MIN_OF_AZURE && isSecretRun(text.slice(start, end));
  return { start, end: isSecret ? runEnd(text, end, /=*/y) : end, isSecret };
}

const BASE64 = /[\w+/-]*/y;

function behindFold(text: string, end: number): number {
  const next = text.startsWith("\r\n", end) ? end + 2 : text.charAt(end) === "\n" ? end + 1 : end;
  return runEnd(text, next, BASE64) > next ? next : end;
}

function isSecretRun(run: string): boolean {
  return run.length >= MIN_LENGTH ? isRandom(run) : run.length === MIN_OF_AZURE && OF_AZURE.test(run);
}

function isRandom(run: string): boolean {
  if (isId(run)) return false;
  const sample = run.slice(0, JUDGED);
  const least = sample.length / 32;
  return (
    countOf(sample, /[A-Z]/g) >= least &&
    countOf(sample, /[a-z]/g) >= least &&
    countOf(sample, /\d/g) >= least &&
    countOf(sample, /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) >= sample.length / 4 &&
    countOf(sample, /[+/_-]+/g) <= sample.length / MIN_STRETCH
  );
}

function countOf(text: string, wanted: RegExp): number {
  return text.match(wanted)?.length ?? 0;
}
