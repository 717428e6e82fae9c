/** Marks of gateways: a provider's refusal that they pass on, its name, request ids in text. Pure data and its readers. */
import type { Signals } from "./error-facts.ts";
import { valueAt } from "./json.ts";

/** A provider refused the key, quota or balance that the gateway has there. */
export interface Relay {
  /** In lower case; null: the answer does not say which. */
  readonly provider: string | null;
}

export interface RelayEvidence {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly signals: Signals;
}

export function readRelay(evidence: RelayEvidence): Relay | null {
  const { payload, headers, signals } = evidence;
  // The provider refused this text. It would refuse it with any key.
  if (OF_THE_CONTENT.test(signals.words)) return null;
  const named = [
    ...IN_WORDS.map((pattern) => nameIn(pattern.exec(signals.words))),
    ...AT.map((pointer) => nameIn(valueAt(payload, pointer))),
    ...IN_HEADERS.map((name) => nameIn(headers[name])),
    nameIn(repeatedName(signals.words, payload)),
  ].filter((name) => name !== null);
  const site = siteIn(signals.words);
  if (named.length > 0) return { provider: named.find((name) => name !== "") ?? site };
  const names = [...signals.codes, ...signals.types, ...signals.namesAsWords];
  if (names.some((name) => OF_OTHERS.test(name)) || isPassedOn(signals)) return { provider: site };
  const isMarked = Object.entries(headers).some(([name, value]) => MARKS.test(`${name}: ${value}`));
  return isMarked && site !== null ? { provider: site } : null;
}

/**
 * Words of gateways around those of the provider. The first group, if there is one, is its name.
 * - LiteLLM, "Diagnosing Errors - Provider vs Gateway" (docs.litellm.ai): `litellm.RateLimitError: OpenAIException - …`
 * - MartialBE/one-hub, common/requester/http_requester.go: `Provider API error: …`
 * - QuantumNous/new-api, types/error.go, appends OpenRouter's metadata: `… ({"provider_name":"Anthropic"})`
 * - OpenCode Zen, in reports of its users: `Error from provider (Console): …`
 * - Others, in public reports: `Upstream provider KIMI returned HTTP 429.`, `Upstream authentication failed`, `上游账户余额不足`
 */
const IN_WORDS: readonly RegExp[] = [
  /\b(?:\w{1,40}Error: ){1,3}(\w{2,40}?)Exception(?: \w+)?\s*-\s/,
  /^Provider API error: /m,
  /\bError from (?:upstream )?provider(?: ?\(([^()\n]{2,40})\)|:? "?([\w-]{2,40})"?(?=:))?/i,
  /\b(?:upstream )?provider (?:(?!api\b|error\b)([\w-]{2,40}) )?(?:returned|rejected|refused|responded|reported|answered)\b/i,
  /"provider_name": ?"([^"\n]{2,40})"/,
  /\bupstream(?: \w+){0,2} (?:authentication|authorization|unauthorized|forbidden|api[ _-]?key|key|credentials?|account|balance|quota|credits?|returned 40\d)\b|上游[^。\n]{0,12}(?:密钥|余额|额度|欠费|账[号户]|令牌|认证|鉴权|返回 ?40\d)/i,
];

/** Portkey-AI/gateway, src/providers/utils.ts: `provider` repeats what the words begin with, `openai error: …`. */
function repeatedName(words: string, payload: unknown): string | undefined {
  const name = /^([\w-]{2,40}) error: /m.exec(words)?.[1];
  const isRepeated = ["/provider", "/details/provider"].some((at) => valueAt(payload, at) === name);
  return isRepeated ? name : undefined;
}

/**
 * Where answers name the provider.
 * - OpenRouter, openrouter.ai/docs/errors: `error.metadata.provider_name`
 * - Vercel AI Gateway lists the providers that it tried (vercel-labs/ai-python#154). `finalProvider` is only in good answers
 * - lobehub/lobe-chat, src/utils/errorResponse.ts: `{ body, errorType }`; the body names the provider
 */
const AT: readonly string[] = [
  "/error/metadata/provider_name",
  "/providerMetadata/gateway/routing/modelAttempts/0/providerAttempts/0/provider",
  "/body/provider",
];

/**
 * Headers that only an answer of the provider gets.
 * - Kong/kong, CHANGELOG.md, 3.8.0, AI Proxy: `openai/gpt-4o`
 * - Cloudflare AI Gateway, developers.cloudflare.com/ai-gateway
 * - Helicone/helicone, worker/src/lib; Helicone/ai-gateway
 */
const IN_HEADERS: readonly string[] = ["x-kong-llm-model", "cf-aig-provider", "helicone-provider"];

/**
 * Codes and types by which gateways name another's failure.
 * - songquanpeng/one-api, relay/controller/error.go: `upstream_error`; QuantumNous/new-api, types/error.go: `channel:invalid_key`
 * - tbphp/gpt-load, internal/proxy/server.go: `UPSTREAM_ERROR`
 * - envoyproxy/ai-gateway, internal/translator/translator.go: `OpenAIBackendError`
 * - lobehub/lobe-chat, packages/model-runtime/src/types/error.ts: `InvalidProviderAPIKey`
 */
const OF_OTHERS = /^(?:upstream|provider|channel)[_:.-]|^\w+BackendError$|^InvalidProvider/i;

/**
 * Gateways that pass an answer on as it is; beside their mark it names the provider's own site.
 * - apache/apisix, apisix/plugins/ai-proxy/base.lua, passes on only type and body
 * - Higress (`req-cost-time`, higress.io/docs) and Envoy AI Gateway answer as Envoy. So does Cohere itself.
 * - LiteLLM, docs.litellm.ai/docs/proxy/response_headers; Portkey; Helicone; Cloudflare AI Gateway; one-api and new-api
 */
const MARKS =
  /^(?:x-litellm-|llm_provider-|x-portkey-|helicone-|cf-aig-|x-oneapi-|x-new-api-|x-kong-llm-|req-cost-time:)|^server: (?:APISIX|istio-envoy|envoy)\b/i;

/** Where a provider sends those who need a key or credits. Alibaba Cloud's own answers look like those of Higress. */
const SITE =
  /\b(?:openai|anthropic|claude|deepseek|groq|x|moonshot|mistral|siliconflow|bigmodel|openrouter|perplexity|google|googleapis)\.(?:com|ai|dev|cn)\b/i;

function siteIn(words: string): string | null {
  const name = SITE.exec(words)?.[0].split(".", 1)[0]?.toLowerCase() ?? null;
  return name === "x" ? "xai" : name;
}

/** one-api puts `(request id: …)` behind every message. One with a type that is not its own, or with two ids, comes from behind. */
function isPassedOn({ words, types }: Signals): boolean {
  const ids = words.match(ONE_API_ID) ?? [];
  return ids.length > 1 || (ids.length === 1 && types.length > 0 && !types.some((type) => OWN.test(type)));
}

const ONE_API_ID = /\((?:request id|tid): ?20\w+\)/g;
const OWN = /_(?:api|hub)_(?:error|panic)$|^requests$/i;

const OF_THE_CONTENT = /moderation|flagged|content[ _](?:policy|filter)|safety/i;

/** "": the mark is there, but the name in it cannot be read. */
function nameIn(found: unknown): string | null {
  if (found === null || found === undefined) return null;
  const name = Array.isArray(found) ? (found.slice(1).find((group) => group !== undefined) ?? "") : found;
  if (typeof name !== "string") return null;
  const plain = (name.split("/", 1)[0] ?? "").trim().toLowerCase();
  return /^[\w -]{2,40}$/.test(plain) ? plain : "";
}

/** The wrapper that restates the status in the name of a class is no word of the provider's. In lower case. */
export function withoutWrapper(words: string): string {
  return words.replace(/\b(?:litellm\.)?(?:\w{1,40}error: ){1,3}\w{2,40}?exception(?: \w+)?\s*-\s/g, " ");
}

/**
 * Ids of requests in messages and pages, the first that is there. One-api, new-api and one-hub: `(request id: 2026…)`; AIHubMix:
 * `(tid: 2026…)`; OpenAI, Azure and AWS: `Request ID: …`, `request ID req_…`, `RequestId: …`; Zhipu and others: `trace_id=…`;
 * Cloudflare's pages: `Ray ID: …`; S3 and its kind: `<RequestId>…`.
 */
const REQUEST_ID =
  /\b(?:request[ _-]?id|trace[ _-]?id|log[ _-]?id|ray id|tid)\b["'”’]?\s{0,3}[:=：>]?\s{0,3}(?:<[^<>]{1,60}>\s{0,3}){0,2}["'“‘]?((?=[\w-]{0,60}\d)[A-Za-z\d][\w-]{5,99})/i;

export function requestIdInText(text: string): string | null {
  return REQUEST_ID.exec(text)?.[1] ?? null;
}
