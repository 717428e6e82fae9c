/**
 * What a secret looks like by itself: the prefixes of keys of providers and tools, and how a key is told from a word,
 * an id, a model name or a version. Pure. Prefixes are as the issuers document them or as their keys are seen in public.
 */

/** What follows a prefix: anything that is no word, or so many characters of one kind. */
interface KeyShape {
  readonly prefix: string;
  readonly min: number;
  /** Default: letters, digits, `_` and `-`, and not made of words. */
  readonly only?: RegExp;
}

const ANY = /^[\w-]+$/;
const HEX = /^[0-9a-f]+(?:-\d)?$/i;
const SEVENS = /^(?:eu-)?[a-z0-9]{7}(?:-[a-z0-9]{7}){3}$/;
/** Behind a prefix that nothing else bears: all but words in small letters. */
const OWN = /^(?=[^A-Z\d]*[A-Z\d])[\w-]+$/;
/** Both cases and digits, in whatever parts: one key in a thousand falls into parts that look like words. */
const ALL_KINDS = /^(?=[^\d]*\d)(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[\w-]+$/;
/** Letters of both cases, and not as names write them: behind prefixes that ids and names bear too. */
const MIXED = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?![A-Za-z][a-z]+(?:[A-Z][a-z]+)*\d*$)[A-Za-z0-9]+$/;
const UPPER = /^[A-Z0-9]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const shapeRows = (): readonly KeyShape[] => [
  // OpenAI, Anthropic, OpenRouter, DeepSeek, DashScope, Moonshot, SiliconFlow, LiteLLM, new-api and their like.
  ...shapes(20, "sk-", ALL_KINDS),
  ...shapes(31, "sk-helicone- pk-helicone-", SEVENS),
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
  ...shapes(10, "xoxb- xoxp- xoxa- xoxc- xoxd- xoxr- xoxs- xoxe- xoxo- xapp-"),
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
/** An instant as signatures bear it, whole or its day alone. */
const TIME = /^\d{4}-?\d\d-?\d\d(?:T[\d:.]*Z?)?$/;
/** Hidden characters in the middle or at the start of a key that a service shows in part. */
const MASK = /\*{2,}|\.{3,}|[…•●]+|x{4,}|X{4,}/;

/** The table by its first two characters, for a look at every word of a text. */
export type KeyShapes = ReadonlyMap<string, readonly KeyShape[]>;

export function keyShapes(): KeyShapes {
  // Node 20, where the library runs too, has no Map.groupBy.
  const known = new Map<string, KeyShape[]>();
  for (const row of shapeRows()) {
    const start = row.prefix.slice(0, 2);
    known.set(start, [...(known.get(start) ?? []), row]);
  }
  return known;
}

/** Whether a word (letters, digits, `_`, `-`) is a key by its prefix and the rest. */
export function isKey(word: string, known: KeyShapes): boolean {
  const rows = known.get(word.slice(0, 2));
  return (
    rows?.some(({ prefix, min, only }) => {
      if (word.length < prefix.length + min || !word.startsWith(prefix)) return false;
      const rest = word.slice(prefix.length);
      return only === undefined ? !isWordy(rest) : only.test(rest);
    }) ?? false
  );
}

const MARKED = /^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$/;
const OF_DATA_CENTRE = /^[0-9a-f]{32}-us\d{1,2}$/;

/** Keys that are known by a mark in their middle or at their end: of Azure, 84 characters, and of Mailchimp. */
export function isMarkedKey(word: string): boolean {
  return (word.length === 84 && MARKED.test(word)) || OF_DATA_CENTRE.test(word);
}

/** Whether a word begins as a key does, however short it is: `sk-...fAkE` and `sk-test` beside a key word. */
export function hasKeyPrefix(word: string, known: KeyShapes): boolean {
  const rows = known.get(word.slice(0, 2));
  return (
    rows?.some(({ prefix, only }) => (only === undefined || only === OWN) && word.startsWith(prefix)) ?? false
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

/** Whether a value is an id by its beginning or its form, or a time. */
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
  return /^[a-z]*(?:[A-Z][a-z]{2,}|[A-Z]{2,4}$)+$/.test(part);
}

/** A word in one of the usual ways to write it, with a short number behind it at most; or a number. */
const PLAIN_PART = /^(?:[a-z]+\d{0,2}|[A-Z]+\d{0,2}|[A-Z][a-z]*\d{0,2}|[a-z]*(?:[A-Z][a-z]{2,})+|\d+)$/;

/** Whether a part of a secret is only words or a number, which other texts hold too; `secret` may be all digits. */
export function isPlainRun(run: string, secret: string): boolean {
  if (/^\d+$/.test(secret)) return false;
  return run.split(/[^A-Za-z0-9]+/).every((part) => part === "" || PLAIN_PART.test(part));
}
