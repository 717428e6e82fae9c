/** The words of gateways in the wild for the causes of this product, matched by code, then type, then message. Pure. */
import type { Cause, KeptDiagnosis } from "./diagnosis.ts";
import { withoutWrapper } from "./gateway-marks.ts";
import { firstOf } from "./json.ts";

export type LimitWindow = "short" | "long" | "unknown";

/** `short`: renewed within the hour, so waiting cures it. `long`: renewed a day or more later, or never. */
export function limitWindow(text: string): LimitWindow {
  if (NEVER_SOON.test(text)) return "long";
  const waitSeconds = waitInWords(text);
  if (waitSeconds !== null) return waitSeconds >= LONG_WAIT_SECONDS ? "long" : "short";
  if (LONG.test(text)) return "long";
  return SHORT.test(text) ? "short" : "unknown";
}

export function namesLongWindow(text: string): boolean {
  return NEVER_SOON.test(text) || LONG.test(text);
}

const LONG_WAIT_SECONDS = 3600;

/** Quotas by the day come with a wait of seconds that does not renew them; a limit on money or an unpaid option is no rate. */
const NEVER_SOON =
  /per(?:day|week|month)|limit: 0\b|(?:cost|spend|spending)[ _-](?:limit|cap)\b|(?:费用|消费|花费|金额)[^。，,]{0,4}(?:限制|限额|上限)|(?:extra|additional|paid|overage|pro|premium) (?:usage|plan|tier|subscription|credits?)\b[^.\n]{0,20}(?:required|needed|enabled)|(?:requires?|only (?:available|supported|offered|included) (?:for|on|with|in)|not (?:available|supported|included) (?:for|on|with|in)) (?:an? |the |your )?(?:paid|pro|premium|higher|free|current)(?: \w+){0,2} (?:plan|tier|subscription|account)/;
const LONG =
  /(?:per|every) (?:3[6-9]\d\d|[4-9]\d{3}|\d{5,6}) ?s|(?:per|\/|an?|this|current)[ _-]?(?:day|week|month|billing)\b|daily|weekly|monthly|\b[rt]pd\b|\b24[ -]?h(?:ours?|rs?)?\b|tomorrow|midnight|next (?:day|week|month)\b|每[日天周月]|明[日天]|次日|当[日天]|今[日天]|本[周月]/;
const SHORT =
  /(?:per|\/)[ _-]?(?:min|sec)|(?:this|current) min(?:ute)?\b|\b[rt]p[ms]\b|\bqp[sm]\b|rate[ -]?limit|concurren|token-limit|allocated quota exceeded|too many requests|[每本]分钟|每秒|分钟内|并发|频率|频繁|速率|限流|限频/;

/** "reset after 161h39m41s", "try again in 7m12s", "retry in 35.2s", or "35s" on a line of its own, in seconds. */
function waitInWords(text: string): number | null {
  const phrase = WAIT.exec(text);
  const [days, hours, minutes, seconds] = (phrase ?? []).slice(1).map((part) => Number(part ?? 0));
  const waited = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  if (waited > 0) return waited;
  const delay = /^(\d{1,9})(?:\.\d+)?s$/m.exec(text);
  return delay === null ? null : Number(delay[1]);
}

const WAIT =
  /(?:(?:try again|retry|retrying|resets?|wait|available)[^.\n]{0,20}? (?:in|after|for|about)|wait(?= \d)) (?:about )?(?:(\d{1,6}) ?d(?:ays?)?[ ,]*)?(?:(\d{1,6}) ?h(?:ours?|rs?)?[ ,]*)?(?:(\d{1,6}) ?m(?:in(?:ute)?s?)?(?!s)[ ,]*)?(?:(\d{1,9})(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?/;

export function plainWords(words: string): string {
  return withoutWrapper(words.toLowerCase())
    .replace(/\(e\.g\.[^()]*\)/g, " ")
    .replace(/https?:\/\/[^\s#"'<>]+/g, " ")
    .replace(/[\u4e00-\u9fff]/g, simplified);
}

/** Traditional and simplified in turn, of the characters that errors are written with. */
const PAIRS =
  "餘余額额儲储帳帐戶户頻频並并發发無无過过請请權权錯错誤误鑰钥憑凭證证達达數数調调訪访問问務务處处進进運运驗验簽签還还沒没費费滿满" +
  "時时單单個个點点帶带參参載载試试後后應应該该號号碼码組组級级當当許许讀读";

function simplified(character: string): string {
  const place = PAIRS.indexOf(character);
  return place % 2 === 0 ? PAIRS.charAt(place + 1) : character;
}

export type SynonymCause = Extract<
  Cause,
  | "insufficient_balance"
  | "quota_exceeded"
  | "rate_limited"
  | "authentication"
  | "permission_denied"
  | "not_found"
  | "malformed_request"
  | "service_misconfigured"
  | "upstream_unavailable"
>;

export const PLAIN_IN_WORDS = [
  "insufficient_balance",
  "quota_exceeded",
  "rate_limited",
  "authentication",
] as const;

export interface Synonym {
  readonly cause: SynonymCause;
  readonly names: readonly RegExp[];
  readonly words: readonly RegExp[];
}

const SYNONYMS: readonly Synonym[] = [
  {
    cause: "insufficient_balance",
    names: [
      /(?:insufficient|notenough|outof|lackof|exhausted|low|zero|negative).{0,12}(?:balance|credit|fund|points?$)/,
      /(?:balance|credits?|funds?|wallet|points).{0,10}(?:insufficient|exhausted|notenough|depleted|toolow|empty|exceeded|limit$)/,
      /^no(?:credits?|balance|funds)$|^credits?error$|^insufficientuserquota$|^(?:userquota(?:notenough|insufficient)|quotanotenough)$/,
      /overdue|arrear|paymentrequired|^payment(?:error|failed|needed)$|^billing(?:error|notactive|inactive)$/,
    ],
    words: [
      /insufficient[\s_](?:\w+ ){0,3}(?:balances?|funds?|credits?|points)\b/,
      /\b(?:balances?|credits?|funds|points) (?:\w+ ){0,3}(?:not enough|insufficient|not sufficient|too low|exhausted|depleted|used up|negative|empty)/,
      /(?:not enough|not have enough|out of|no (?:more|remaining|available|usable|sufficient)|lack of|have no|low on|run out of) (?:\w+ ){0,3}(?:credits?|balance|funds)\b/,
      /(?:exhausted|depleted|used up|used all|consumed|exceed(?:ed|s)?) (?:\S+ ){0,5}(?:credits?|balance|funds|points)\b/,
      /(?:(?<!or )buy|needs?|requires?) (?:\w+ )?more credits|(?<!or )purchase (?:more |additional )?credits|negative balance|zero balance|\bno credits (?:available|left|remaining)/,
      /no resource package|\boverdue\b|in arrears|payment (?:is )?required|unpaid|outstanding (?:invoice|bill)|account is in good standing/,
      /(?:please|to) (?:recharge|top[ -]up)|recharge your account|no payment method|payment method (?:is )?required|(?:add|enter) a payment method/,
      /billing (?:is )?(?:not active|inactive|disabled)|billing (?:has )?not (?:been )?(?:enabled|set up)|please check your billing details on/,
      /余额.{0,8}(?:不足|不够|为零|用尽|用完|耗尽)|欠费|(?:请|需要?|及时|前往)[^。]{0,6}(?:充值|储值)|预扣费.{0,4}失败|用户.{0,4}额度(?:不足|不够)/,
      /(?:积分|点数|算力|费用|账户|帐户|账号|资金|代币).{0,4}(?:不足|不够|已?用完|耗尽)|(?:无可用|没有)资源包|资源包.{0,8}(?:不足|用尽|耗尽|用完)/,
    ],
  },
  {
    cause: "rate_limited",
    names: [
      /throttl|ratelimit|ratequota|concurren|requestlimit|slowdown|limitburst|limitrequests|requestburst|[rt]pmlimit|qpslimit/,
      /toomany(?:concurrent|pending|simultaneous)?(?:requests|tasks|connections|calls)|toofrequent|frequency(?:limit|exceed)/,
      /(?:per|a)(?:minute|second)|inflight|modelcapacityexhausted|serveroverloaded/,
    ],
    words: [
      /rate[ -]?limit|rate exceeded|frequency limit|too many (?:concurrent |pending |simultaneous )?(?:requests|tasks|connections)|rate increased too quickly|throttl|slow down/,
      /requests? too (?:frequent|fast|many)|(?:requests?|calls) (?:are )?too frequent/,
      /concurrent? (?:\w+ )?(?:limit|requests)|concurrency (?:\w+ )?(?:limit|exceeded|reached)|(?:limit|reached|exceeded) \w* ?concurren|parallel task/,
      /(?:requests?|tokens?|images?|limit|queries)[ _-](?:per|a|\/)[ _-]?(?:minute|min|second|sec)\b|\b(?:rpm|tpm|qps|qpm)\b|per-minute/,
      /try again in \d+|queue is full|#token-limit|allocated quota exceeded|at (?:maximum )?capacity|no capacity available|cooling down/,
      /速率|限流|限频|频率|请求过(?:多|快|于频繁)|(?:请求|访问|操作|调用)[^。]{0,6}频繁|(?:每|本|1|一)(?:分钟|秒)|分钟内|请求数限制|访问量过大/,
      /并发|负载已饱和/,
    ],
  },
  {
    cause: "quota_exceeded",
    names: [
      /(?:quota|budget|allowance|usage|spend\w{0,4}|usagelimit|hardlimit|softlimit|setlimit|planlimit|keylimit).{0,8}(?:exceed|exhaust|reached|usedup|insufficient|depleted|notenough|failed)/,
      /(?:exceeded|insufficient|exhausted|outof|over|no).{0,14}(?:quota|budget|usagelimit|allowance)/,
      /(?:daily|weekly|monthly|spend|spending|billing).{0,10}(?:limit|quota|count|cap$)|freetieronly|perday|^limitexceeded(?:exception)?$/,
      /(?:free|trial)\w{0,12}(?:exhausted|usedup)|tokens?(?:exhausted|usedup)$/,
    ],
    words: [
      /(?:exceed(?:ed|s)?|reached|exhausted|used up|used all|over|hit|out of|no) (?:\S+ ){0,6}(?:quotas?|usage limits?|budget|allowance|allocation|free \w+)\b/,
      /(?:exceed(?:ed|s)?|reached|exhausted|hit|over) (?:\S+ ){0,6}(?:monthly|weekly|daily|plan|hard|billing|session|hourly|\d+[ -]hour|subscription|spend(?:ing)?) (?:\w+ ){0,2}(?:limits?|cap)/,
      /(?:quota|usage limits?|budget|spend(?:ing)? (?:limit|cap)|allowance|free (?:trial|tier|quota)) (?:\S+ ){0,8}(?:exceeded|reached|exhausted|used up|hit|insufficient|depleted|not enough|has ended|expired)/,
      /(?:daily|weekly|monthly|session|plan|key|billing|total|per[ -]day|\d+[ -]hour) (?:\w+ ){0,3}(?:limits?|allocation|count|usage) (?:\S+ ){0,4}(?:exceeded|reached|exhausted|used up|hit)/,
      /insufficient[ _](?:\w+ ){0,2}quota|(?:token|key|user) quota is not enough|quota will be replenished|quota will reset|limit: 0\b|regain access/,
      /(?:limit(?:ed)?|max\w*|up to|exceed\w*|too many) [^.\n]{0,60}(?:per|\/|an?)[ _-]?(?:day|week|month)\b/,
      /(?:exceed\w*|reached|exhausted|used up|hit)\b[^.\n]{0,60} (?:for |in )?th(?:is|e current) (?:day|week|month|billing \w+)\b/,
      /(?:limit|quota|usage|exceed\w*|reached)\b[^\n]{0,160}upgrade (?:your|to a) (?:higher |paid )?plan|subscription (?:has )?(?:expired|ended)/,
      /(?:额度|配额|限额|流量|次数|用量|试用|使用量)[^。，,]{0,8}(?:用尽|用完|耗尽|不足|超出|超过|超限|已满|达到?上限)/,
      /(?:点|包|券|卡|tokens?) ?已(?:经)?(?:用完|用尽|耗尽)/,
      /(?:超出|超过|达到|用完|用尽)[^。]{0,12}(?:额度|配额|限额|用量上限|次数上限)|使用上限/,
      /(?:每日|每天|当日|今日|当天|每周|本周|每月|本月|日|月)\S{0,8}(?:上限|限额|限制|用完|用尽)|套餐[^。]{0,8}(?:到期|过期|用尽|用完|失效)|订阅[^。]{0,6}(?:过期|到期)/,
    ],
  },
  {
    cause: "authentication",
    names: [
      /(?:invalid|incorrect|missing|wrong|expired|revoked|disabled|unknown|bad|inactive|malformed|deactivated|^no).{0,14}(?:apikey|token|accesskey|accesskeyid|credentials?|authorization|authentication|authheader|secretkey|jwt|appkey|appcode|virtualkey|subscriptionkey|bearer|(?<!idempotency)key)$/,
      /(?:apikey|token|accesskey|credentials?|virtualkey|authorization|jwt).{0,8}(?:invalid|missing|expired|revoked|disabled|required|incorrect|notvalid|leaked|inactive|unauthorized|notprovided|mismatch|deleted|blocked|notfoundindb)/,
      /unauthenticated|notauthenticated|authentication(?:error|failed|failure|required|fails)|authfail|^(?:un|not)authoriz?ed(?:error|exception)?$|invalidauthentication|authorizederror/,
      /unrecognizedclient|invalidsignatureexception|signaturedoesnotmatch|incompletesignature|loginrequired|notlogin|invalidcredential|apikeynotfound|^key(?:invalid|expired|revoked|disabled)$/,
    ],
    words: [
      /(?:invalid|incorrect|wrong|missing|no|expired|revoked|disabled|deactivated|unknown|unrecognized|malformed|inactive|bad|unable to find|could not (?:find|verify|validate|parse)) (?:\S+ ){0,4}?(?:(?:x-)?api[ _-]?keys?|access[ _-](?:key|token)|auth\w* (?:token|header|key)|api token|credentials?|bearer|authorization|authentication|secret key|jwt|login token|proxy server token)\b/,
      /(?:api[ _-]?key|access[ _-](?:key|token)|auth(?:entication|orization)?[ _-](?:token|header|key)|credentials?|bearer token|authorization(?: header)?|jwt|security token)\b[^.\n]{0,60}?(?:invalid|incorrect|not valid|not found|expired|revoked|disabled|missing|required|not provided|malformed|rejected|leaked|deactivated|deleted|wrong|not recognized|does not exist|doesn't exist|inactive|suspended)/,
      /auth\w* (?:is|was) (?:invalid|incorrect|wrong|missing)|unauthenticated|not authenticated|authentication (?:failed|failure|fails|error|required|credentials)/,
      /(?:didn't|did not|must|please|need to) (?:provide|pass|carry|supply|use|set) [^.\n]{0,30}(?:api[ _-]?(?:secret[ _-])?key|credentials|authorization)/,
      /\b(?:invalid|expired|incorrect|wrong) (?:\w+ )?token\b(?! ?['\x22<{[\x60]| (?:at|in|near|count|limit|length|number|budget|usage|type|ids?)\b)|\btoken (?:is |has |was |has been )?(?:invalid|expired|incorrect|not valid|revoked)\b/,
      /login fail|not logged in|(?:please|must|need to) (?:log|sign) ?in\b|unregistered callers|wrong access code|signature (?:does not match|mismatch|expired|verification failed)/,
      /(?:令牌|密钥|秘钥|api[ _-]?key|token(?!s|数| ?(?:count|limit))|凭证|签名|密码|访问码|身份验证|身份)\S{0,4} ?\S{0,6}(?:无效|错误|不正确|过期|失效|失败|不存在|已?禁用|不可用|不合法|未通过|不匹配|异常|为空)/,
      /(?:无效|错误|非法|过期)的?\s?(?:令牌|密钥|秘钥|凭证|api[ _-]?key|token(?!s|数)|签名)|(?:未|没有|缺少)(?:提供|携带|传入?|收到)?\S{0,3}(?:令牌|密钥|秘钥|api[ _-]?key|token|凭证|认证信息|authorization|authentication)/,
      /未登录|登录(?:已)?(?:过期|失效)|请先?(?:重新)?登录|鉴权失败|认证失败|未授权|无法进行(?:身份验证|鉴权|认证)/,
      /check (?:the|your) api[ -]?key(?:[.!]?$| (?:you|and|is|provided)\b)/m,
    ],
  },
  {
    cause: "permission_denied",
    names: [
      /modelnotallowed|modelgrouprestricted|accessdenied|permissiondenied|forbidden|insufficientpermission|permissionerror|nopermission/,
      /notallowed|unsupportedcountry|accessrestricted|insufficientscope|unpurchased|noaccess|account(?:is|has|been)*(?:banned|suspended|deactivated|disabled|locked|frozen)/,
    ],
    words: [
      /permission denied|access denied|(?:not|do not|don't|does not) have (?:access|permission)|not authorized to|not allowed to (?:access|use)|forbidden/,
      /无权|没有权限|权限不足|不允许|封禁|封号|(?:账号|账户|帐号|用户)[^。，,]{0,4}(?:冻结|停用)|\b(?:account|user) (?:\w+ ){0,3}(?:banned|suspended)\b/,
    ],
  },
  {
    cause: "not_found",
    names: [
      /(?:model|task|job|resource|deployment|endpoint|function|file|generation|video|batch|record|user|group)(?:is)?(?:not|non|doesnot)(?:found|exists?|existent)/,
      /^notfound|nosuch(?:model|task)|unknownmodel|^entitynotfound/,
    ],
    words: [
      /(?:model|task|resource|deployment|endpoint|job)\b[^.\n]{0,80}(?:not found|does not exist|doesn't exist|not exist)/,
      /(?:模型|任务|资源)[^。\n]{0,20}(?:不存在|未找到|找不到)/,
    ],
  },
  {
    cause: "malformed_request",
    names: [
      /invalid(?:param|arg|request|input|value|json|body|image|model|type|prompt)|missing(?:param|required|model|field)|badrequest/,
      /context\w{0,4}(?:size|length|window)|parametererror|paramerror|validation|unprocessable|notsupported|unsupported|illegalparam/,
      /contentfilter|contentpolicy|moderation|sensitive|datainspection|stringabovemax|toolong$|toolarge$/,
    ],
    words: [
      /invalid (?:\w+ ){0,2}(?:param(?:eter)?s?|arguments?|request|input|json)\b|missing (?:\w+ ){0,2}(?:param(?:eter)?|field)|(?:context|prompt) (?:\w+ ){0,2}(?:length|too long)/,
      /参数\S{0,6}(?:错误|无效|缺失|不合法)|缺少(?:必填)?参数|请求(?:格式|体)\S{0,4}错误/,
    ],
  },
  {
    cause: "upstream_unavailable",
    names: [
      /overload|serviceunavailable|serverbusy|busy$|badgateway|gatewaytimeout|noavailable|unavailable$|maxretries/,
      /dorequestfailed|badresponse|readresponse|getchannelfailed|upstream(?:error|timeout|failed|failure|unavailable)/,
      /modelnotready|modeltimeout|connectionerror|providererror|timeouterror$|requesttimeout/,
    ],
    words: [
      /no (?:available|healthy|usable) (?:\w+ ){0,2}(?:channels?|providers?|upstreams?|accounts?|deployments?)\b|(?:channels?|providers?|upstreams?) (?:\w+ ){0,3}(?:unavailable|not available|overloaded|timed? ?out|failed)|\boverloaded\b|bad gateway|service (?:is )?(?:temporarily )?unavailable|gateway time-?out|upstream (?:\w+ )?(?:error|timeout|failure)/,
      /(?:无|没有)可用的?(?:渠道|通道|账号|资源|节点)|上游[^。\n]{0,8}(?:错误|失败|超时|繁忙|不可用|异常)|渠道[^。\n]{0,6}(?:不可用|异常|失败)|服务(?:暂时)?(?:不可用|繁忙|过载)/,
    ],
  },
  {
    cause: "service_misconfigured",
    names: [/config(?:uration)?error|misconfigur/],
    words: [],
  },
];

/** The meaning of the first name that has one; names are error codes or types as found. */
export function meaningOfNames(names: readonly string[]): SynonymCause | null {
  return firstOf(names, meaningOfName);
}

/** Causes that gateways name alike. Other causes have no names that could contradict them. */
const FAMILIES = [/balance|quota|rate/, /auth|permission/, /malformed|found/, /misconfigured|upstream/];

function familyOf(cause: Cause): number {
  return FAMILIES.findIndex((family) => family.test(cause));
}

type Named = Pick<
  KeptDiagnosis,
  "cause" | "ambiguous" | "httpStatus" | "errorType" | "errorCode" | "businessCode"
>;

/** The names of an answer as people are shown them: without what repeats its status, or contradicts its cause. */
export function shownNames(of: Named): Pick<Named, "errorType" | "errorCode" | "businessCode"> {
  const family = familyOf(of.cause);
  const fitting = <Name extends string | number>(name: Name | null): Name | null => {
    if (name === null || (of.httpStatus !== null && /^[1-5]\d\d$/.test(`${name}`))) return null;
    const meaning = /^invalid_?request/i.test(`${name}`) ? "malformed_request" : meaningOfName(`${name}`);
    const contradicts = family >= 0 && meaning !== null && familyOf(meaning) !== family;
    return contradicts && !of.ambiguous.includes(meaning) ? null : name;
  };
  const { errorType, errorCode, businessCode } = of;
  return {
    errorType: fitting(errorType),
    errorCode: fitting(errorCode),
    businessCode: fitting(businessCode),
  };
}

/** Under which statuses a name counts; elsewhere the status says as much. A cause that is not here counts under all. */
const ONLY_UNDER: ReadonlyMap<Cause, readonly number[]> = new Map([
  ["malformed_request", [500]],
  ["service_misconfigured", [500]],
  ["upstream_unavailable", [500]],
  ["not_found", [400, 409, 410, 422, 500]],
]);
const NEVER_UNDER: ReadonlyMap<Cause, readonly number[]> = new Map([
  ["permission_denied", [401, 402, 404, 429]],
  ["rate_limited", [401, 402, 404, 413]],
]);

export function isFinerThan(status: number, cause: Cause): boolean {
  const only = ONLY_UNDER.get(cause);
  if (only !== undefined) return only.includes(status);
  return !(NEVER_UNDER.get(cause) ?? []).includes(status);
}

const MAX_NAME_LENGTH = 300;

function meaningOfName(name: string): SynonymCause | null {
  if (name.length > MAX_NAME_LENGTH || OF_A_DATABASE.test(name)) return null;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (plain.length > 100 || SAYS_NOTHING.test(plain)) return null;
  const isOfOthers = NOT_THE_CALLER.test(plain);
  const fits = SYNONYMS.find(
    (row) =>
      (!isOfOthers || row.cause === "upstream_unavailable") &&
      row.names.some((pattern) => pattern.test(plain)),
  );
  return fits?.cause ?? null;
}

/** What the words mean; `causes` are the meanings that the caller of this function accepts here. */
export function meaningOfWords(words: string, causes: readonly SynonymCause[]): SynonymCause | null {
  const text = plainWords(words);
  const meaning = SYNONYMS.find(
    (row) => causes.includes(row.cause) && row.words.some((pattern) => pattern.test(text)),
  )?.cause;
  if (meaning !== "rate_limited" && meaning !== "quota_exceeded") return meaning ?? null;
  if (!causes.includes("rate_limited") || !causes.includes("quota_exceeded")) return meaning;
  const window = limitWindow(text);
  if (window === "long") return "quota_exceeded";
  return window === "short" ? "rate_limited" : meaning;
}

/** Whether the words name a rate outright, and not only something that a rate may be about. */
export function namesRate(words: string): boolean {
  return /rate[ -]?limit|rate exceeded|frequency limit|too many (?:\w+ )?requests|concurrent requests|throttl|速率|限流|限频|频率|频繁|并发/.test(
    plainWords(words),
  );
}

/** Whether the words are about keys and accounts behind the gateway, which the caller does not own. */
export function speaksOfOthers(words: string): boolean {
  return /upstream|channel|provider|administrator|上游|渠道|管理员/i.test(words);
}

/** Whether the words are about an account's money, and not about something else that is overdue or used up. */
export function namesMoney(words: string): boolean {
  return /(?<!load[ -])balance|credits?\b|points|funds|recharge|top[ -]?up|billing|payment|余额|欠费|充值|储值|额度|费用|资金|资源包|积分|点数|算力|账户|帐户|代币/.test(
    plainWords(words),
  );
}

/** Names that gateways give to anything, or that only echo a status. */
const SAYS_NOTHING =
  /^(?:error|invalidrequesterror|invalidrequest|apierror|unknownerror|unknown|upstreamerror|newapierror|oneapierror|onehuberror|autherror|none|null|servererror|requesterror|failed|fail|clienterror|\d{3})$/;

/** MySQL's own: whom it refuses is the service, and not the caller. */
const OF_A_DATABASE = /^ER_[A-Z_]{4,}$/;

/** Keys, channels and accounts behind the gateway are not the caller's. */
const NOT_THE_CALLER = /^(?:channel|upstream|provider)/;
