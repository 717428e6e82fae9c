/** An answer outside 2xx (spec 7.1): codes of key, balance and quota win, others refine 4xx and 500, words 4xx. Pure. */
import { causeOfStatus, isRefinedByCodes, type EdgePage } from "./edge-page.ts";
import type { ErrorFacts, Signals } from "./error-facts.ts";
import {
  PLAIN_IN_WORDS,
  isFinerThan,
  limitWindow,
  meaningOfNames,
  meaningOfWords,
  namesLongWindow,
  namesMoney,
  namesRate,
  plainWords,
  speaksOfOthers,
  type LimitWindow,
  type SynonymCause,
} from "./synonyms.ts";
import { OF_THE_KEY, verdict, type Cause, type Verdict } from "./diagnosis.ts";
import type { Kind } from "./observation.ts";

export interface HttpEvidence {
  readonly kind: Kind;
  readonly status: number;
  readonly facts: ErrorFacts;
  readonly signals: Signals;
  readonly redirect: string | null;
  readonly edge: EdgePage | null;
  readonly bodyIsJson: boolean;
}

export function judgeHttp(evidence: HttpEvidence): Verdict {
  const { status, facts, edge } = evidence;
  if (status >= 300 && status < 400) return { ...verdict("wrong_url", "http"), message: evidence.redirect };
  if (edge !== null) return { ...verdict(edge.cause, "http"), message: edge.words };
  if (isUnfinishedTask(evidence)) return verdict("task_pending", "task", [causeOfStatus(status)]);
  const base = status === 404 && !evidence.bodyIsJson ? "wrong_url" : causeOfStatus(status);
  if (status < 400 || status === 405) return verdict(base, "http");
  const byName = refineByCode(evidence) ?? refineByType(evidence);
  if (byName !== null && byName.cause !== base) return bySpecificWords(byName, evidence);
  if (byName !== null && facts.errorCode !== null && meaningOfNames([facts.errorCode]) === base) {
    return verdict(base, "http", [byName.named]);
  }
  const named = byName === null ? [] : [byName.named];
  const byWords = refineByWords(evidence);
  if (byWords !== null && byWords !== base) return verdict(byWords, "http", [base, ...named]);
  return verdict(base, "http", [...othersOf(status, base, evidence), ...named]);
}

/** What a code or a type means here, and what it says by itself: where words made the difference, both are kept. */
interface Meant {
  readonly cause: Cause;
  readonly named: Cause;
}

/** The outermost code: the caller's own matters win over any status. */
function refineByCode({ status, facts, signals }: HttpEvidence): Meant | null {
  const code = facts.errorCode;
  const named = code === null ? null : meaningUnder(status, code);
  if (named === null) return null;
  if (status !== 429 || isNamedByTheService(code)) return { cause: named, named };
  const window = windowOf(signals);
  if (named === "quota_exceeded" && window === "short") return { cause: "rate_limited", named };
  return { cause: named === "rate_limited" && window === "long" ? "quota_exceeded" : named, named };
}

/** The service's own code for a key's quota is never anything else (spec 7.3, rule 1). */
function isNamedByTheService(code: string | null): boolean {
  return /^quota_?exceeded$/i.test(code ?? "");
}

/** Codes further in, then types; they never reach the 5xx beyond 500, but for the caller's balance and quota. */
function refineByType(evidence: HttpEvidence): Meant | null {
  const { status, facts, signals } = evidence;
  const types = facts.errorType === null ? signals.types : [facts.errorType, ...signals.types];
  for (const name of [...signals.codes, ...types, ...signals.namesAsWords]) {
    const cause = meaningUnder(status, name);
    if (cause === null) continue;
    if (isRefinedByCodes(status)) return { cause: bySpecificWindow(cause, evidence), named: cause };
    if (cause === "insufficient_balance") return { cause, named: cause };
  }
  return null;
}

function meaningUnder(status: number, name: string): Cause | null {
  // It only says what 401 says, and stands under 403 and 500 too.
  if (/^un[\s_-]?authorized$/i.test(name)) return null;
  const cause = meaningOfNames([name]);
  if (cause === null || OF_THE_KEY.has(cause)) return cause;
  return isRefinedByCodes(status) && isFinerThan(status, cause) ? cause : null;
}

/** Types mix up rate, quota and billing; where the words tell the window of the limit, they are believed. */
function bySpecificWindow(cause: Cause, { status, facts, signals }: HttpEvidence): Cause {
  const window = windowOf(signals);
  if (cause === "rate_limited" && window === "long" && meaningOfNames([facts.errorCode ?? ""]) === null) {
    return status === 429 ? "quota_exceeded" : (meaningOfWords(signals.words, ["quota_exceeded"]) ?? cause);
  }
  if (status !== 429 || window !== "short") return cause;
  if (cause === "quota_exceeded") return "rate_limited";
  const isOfBalance = meaningOfWords(signals.words, ["insufficient_balance"]) !== null;
  return cause === "insufficient_balance" && !isOfBalance ? "rate_limited" : cause;
}

function windowOf(signals: Signals): LimitWindow {
  return limitWindow(plainWords(signals.words));
}

/** Many vendors call an empty account a quota, or forbidden; where the words name the balance, it is the balance. */
function bySpecificWords({ cause, named }: Meant, { status, facts, signals }: HttpEvidence): Verdict {
  const isPlainQuota = cause === "quota_exceeded" && !isNamedByTheService(facts.errorCode);
  const isRefusal = cause === "permission_denied" && status < 500;
  return (isPlainQuota || isRefusal) && meaningOfWords(signals.words, ["insufficient_balance"]) !== null
    ? verdict("insufficient_balance", "http", [cause, named])
    : verdict(cause, "http", [named]);
}

/** Under these a request is refused for what it is, unless the words are plain. */
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 406, 409, 411, 412, 414, 415, 416, 422, 424]);

function refineByWords({ status, signals }: HttpEvidence): Cause | null {
  const accepted = wordsBelieved(status);
  const cause = accepted.length === 0 ? null : meaningOfWords(signals.words, accepted);
  if (status === 429 && cause === null && windowOf(signals) === "long") return "quota_exceeded";
  if (status >= 500 && (speaksOfOthers(signals.words) || !namesMoney(signals.words))) return null;
  if (status === 402 && cause === "quota_exceeded" && !namesLongWindow(plainWords(signals.words)))
    return null;
  if (cause === "rate_limited" && ABOUT_THE_REQUEST.has(status) && !namesRate(signals.words)) return null;
  return cause;
}

function wordsBelieved(status: number): readonly SynonymCause[] {
  if (status >= 500) return ["insufficient_balance"];
  switch (status) {
    case 401:
    case 402:
    case 413:
      return ["insufficient_balance", "quota_exceeded"];
    case 404:
      return ["insufficient_balance"];
    case 429:
      return ["insufficient_balance", "quota_exceeded", "rate_limited"];
    default:
      return PLAIN_IN_WORDS;
  }
}

/** A record that is asked for too early is no failure of the service. */
function isUnfinishedTask({ kind, status, signals }: HttpEvidence): boolean {
  if (kind !== "task" || ![400, 404, 409, 422, 425, 500].includes(status)) return false;
  return /still (?:in progress|processing|running|pending|queued)|not (?:yet )?(?:completed|finished|ready)|in progress|任务(?:正在)?(?:处理|进行|运行|生成|排队)中/i.test(
    signals.words,
  );
}

function isOfKey(code: string | null): boolean {
  return code !== null && meaningOfNames([code]) === "authentication";
}

/** What this status cannot tell apart without more words. */
function othersOf(status: number, base: Cause, evidence: HttpEvidence): readonly Cause[] {
  if (status === 403 && !evidence.bodyIsJson) return ["edge_blocked", "wrong_url"];
  if (base === "not_found" && evidence.facts.businessCode === 4004) return ["permission_denied"];
  if (base === "not_found" && evidence.facts.errorCode === null) return ["wrong_url"];
  // Gateways answer alike for a wrong, an expired, a disabled and an exhausted key.
  if (status === 401 && !isOfKey(evidence.facts.errorCode)) return ["quota_exceeded"];
  if (status === 400 && meaningOfWords(evidence.signals.words, ["not_found"]) !== null) return ["not_found"];
  return [];
}
