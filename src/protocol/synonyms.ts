/**
 * The one table of what gateways in the wild call the causes. Pure data.
 *
 * `names` are matched against error codes and types with everything but letters and digits removed, in lower case;
 * `words` against the messages, in lower case and simplified characters. The first row that fits wins, so what the
 * caller must pay for stands before what waiting cures.
 */
import type { Cause } from "./diagnosis.ts";

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

export interface Synonym {
  readonly cause: SynonymCause;
  readonly names: readonly RegExp[];
  readonly words: readonly RegExp[];
}

export const SYNONYMS: readonly Synonym[] = [
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
    words: [],
  },
  {
    cause: "upstream_unavailable",
    names: [
      /overload|serviceunavailable|serverbusy|busy$|badgateway|gatewaytimeout|noavailable|unavailable$|maxretries/,
      /dorequestfailed|badresponse|readresponse|getchannelfailed|upstream(?:error|timeout|failed|failure|unavailable)/,
      /modelnotready|modeltimeout|connectionerror|providererror|timeouterror$|requesttimeout/,
    ],
    words: [],
  },
  {
    cause: "service_misconfigured",
    names: [/config(?:uration)?error|misconfigur/],
    words: [],
  },
];
