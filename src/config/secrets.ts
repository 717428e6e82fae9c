/** Secrets of a configuration: by which names they are set, what shape they have, and what is sent to whom. Pure. */
import { t } from "./spoken.ts";
import { isPrivateHost, parseUrl } from "./base-url.ts";
import type { ChannelConfig, Config, GatewayConfig } from "./config.ts";

export type SecretAddress =
  | { readonly ok: true; readonly url: URL }
  /** `problem` names the secret, never its value. */
  | { readonly ok: false; readonly problem: string };

/**
 * https:, or http: to this machine or a private network; without user info, which fetch refuses. White space that a
 * shell or an editor left around it does not count.
 * @param value null: the secret is not set.
 */
export function readSecretAddress(name: string, value: string | null): SecretAddress {
  const text = value?.trim() ?? "";
  const refused = (problem: string): SecretAddress => ({
    ok: false,
    problem: t`the secret ${name} is ${problem}`,
  });
  if (text === "") return refused(t`not set`);
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refused(t`not an address that begins with https://`);
  }
  if (url.username !== "" || url.password !== "") {
    return refused(t`an address with user info, which requests cannot send`);
  }
  if (url.protocol === "http:" && !isPrivateHost(url.hostname)) {
    return refused(t`an http: address of a public host; use https:`);
  }
  return { ok: true, url };
}

/** Each once: of the gateways and their canaries, of the alerts, of the heartbeat. */
export function secretNames({ gateways, alerts, heartbeat }: Config): readonly string[] {
  const names = [
    ...gatewaySecrets(gateways),
    ...alerts.flatMap(channelSecrets),
    ...(heartbeat === null ? [] : [heartbeat]),
  ];
  return [...new Set(names)];
}

/** The keys that gateways are sent, those of their canaries too, each once. */
function gatewaySecrets(gateways: readonly GatewayConfig[]): readonly string[] {
  const names = gateways.flatMap(({ apiKey, monitors }) => [
    apiKey,
    ...monitors.flatMap(({ canary }) => canary?.apiKey ?? []),
  ]);
  return [...new Set(names)];
}

export function channelSecrets(channel: ChannelConfig): readonly string[] {
  return judgedSecrets(channel).map(([name]) => name);
}

/** What is wrong with its value; null: nothing. */
type ProblemOf = (name: string, value: string) => string | null;

/** @param form follows "is not ". */
function like(pattern: RegExp, form: string): ProblemOf {
  return (name, value) => (pattern.test(value) ? null : t`the secret ${name} is not ${form}`);
}

const botToken = like(/^\d+:[\w-]+$/, t`a bot's token like 123456:ABC-DEF`);
const routingKey = like(/^[A-Za-z0-9]{32}$/, t`an integration key of 32 letters and digits`);
const bearerToken = like(/^[\u0021-\u007e]+$/, t`a token of visible ASCII`);
/** Padded base64 of 24 bytes has 32 digits, of 64 bytes 86. */
const signingSecret = like(
  /^whsec_(?=(?:.{4})+$)[A-Za-z0-9+/]{32,86}={0,2}$/,
  t`a signing secret: whsec_ and the base64 of 24 to 64 bytes`,
);

const headerPairs = like(
  /^[\w-]+=[\u0021-\u002b\u002d-\u007e]+(?:,\s*[\w-]+=[\u0021-\u002b\u002d-\u007e]+)*$/,
  t`a list of headers like api-key=abc,tenant=def`,
);

/** What is percent-encoded must be a header's value, too. */
const headerList: ProblemOf = (name, value) => headerPairs(name, isDecodable(value) ? value : "");

function isDecodable(value: string): boolean {
  try {
    return isSendable(decodeURIComponent(value));
  } catch {
    return false;
  }
}

const pushKey = like(/^[\w-]{43}$/, t`a VAPID private key of 43 characters`);

/** Of `ADMIN_TOKEN` and `VIEW_TOKEN`: a shorter one can be guessed, and opens nothing. */
const SHORTEST_TOKEN = 16;

/** The token, without the white space that a shell left around it; null: nobody administers. */
export function fitToken(adminToken: string | null): string | null {
  const token = adminToken?.trim() ?? "";
  return token.length >= SHORTEST_TOKEN ? token : null;
}

/** Why a `VIEW_TOKEN` that is set can open nothing; null: it can. White space around it is not part of it. */
export function viewTokenProblem(value: string): string | null {
  const token = value.trim();
  if (token.length < SHORTEST_TOKEN) return t`VIEW_TOKEN is shorter than ${SHORTEST_TOKEN} characters`;
  return bearerToken("VIEW_TOKEN", token);
}

/** The address of a topic: the part before it, and the topic. */
export const TOPIC_PATH = /^(.*\/)([-\w]{1,64})\/?$/;

/** The value of a secret by its name; null: it is not set. */
export type ValueOf = (name: string) => string | null;

/** Without the white space that a shell or an editor left around it; empty: it is not set. */
export function secretValue(name: string, valueOf: ValueOf): string {
  return valueOf(name)?.trim() ?? "";
}

/** Why nothing can be sent to a channel: a secret that is not set, or not what it should be; null: all are. */
export function channelProblem(channel: ChannelConfig, valueOf: ValueOf): string | null {
  for (const [name, problemOf] of judgedSecrets(channel)) {
    const value = secretValue(name, valueOf);
    const problem = value === "" ? t`the secret ${name} is not set` : problemOf(name, value);
    if (problem !== null) return problem;
  }
  return null;
}

export interface SecretFault {
  readonly name: string;
  readonly problem: string;
}

/** The secrets that are set and cannot be right, each problem once; also the tokens of administrators and readers. */
export function secretFaults(
  { gateways, alerts, heartbeat }: Config,
  valueOf: ValueOf,
): readonly SecretFault[] {
  const ofLists = new Set(gateways.map(({ apiKey }) => apiKey));
  const secrets = [
    ...gatewaySecrets(gateways).map(
      (name) => [name, () => keyProblem(name, valueOf(name) ?? "", ofLists.has(name))] as const,
    ),
    ...alerts.flatMap(judgedSecrets),
    ...(heartbeat === null ? [] : [[heartbeat, addressProblem] as const]),
    ["ADMIN_TOKEN", adminTokenProblem] as const,
  ];
  const problems = secrets.flatMap(([name, problemOf]) => {
    const value = secretValue(name, valueOf);
    const problem = value === "" ? null : problemOf(name, value);
    return problem === null ? [] : [[problem, { name, problem }] as const];
  });
  // Set to nothing, it closes the page.
  const view = valueOf("VIEW_TOKEN");
  const viewProblem = view === null ? null : viewTokenProblem(view);
  if (viewProblem !== null) {
    const problem = t`${viewProblem}: no page is shown to anyone`;
    problems.push([problem, { name: "VIEW_TOKEN", problem }]);
  }
  return [...new Map(problems).values()];
}

function adminTokenProblem(name: string, token: string): string | null {
  return token.length < SHORTEST_TOKEN
    ? t`${name} is shorter than ${SHORTEST_TOKEN} characters: administration is off`
    : null;
}

/** Headers cannot contain line breaks or control characters, and runtimes send different bytes for characters beyond ASCII. */
export function isSendable(key: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what a header's value cannot hold
  return /^[\u0020-\u007e]+$/.test(key);
}

/**
 * @param key as it is set: it is sent as it is.
 * @param isBearer `Bearer` is sent before it; a canary's own headers may have it in the secret.
 */
export function keyProblem(name: string, key: string, isBearer: boolean): string | null {
  if (!isSendable(key))
    return t`the secret ${name} has a line break or a character beyond ASCII, which no header can carry`;
  if (/^\s*https?:\/\//i.test(key)) return t`the secret ${name} is an address, not a key`;
  if (isBearer && /^\s*Bearer\s/i.test(key))
    return t`the secret ${name} begins with Bearer, which Gatepulse adds itself`;
  if (/^(["']).*\1$/.test(key)) return t`the secret ${name} is in quotes, which are no part of a key`;
  return null;
}

/** A setting with the name of a secret, or several names. */
type SecretField = "url" | "token" | "user" | "routingKey" | "secret";

const FORMS: Readonly<Record<SecretField, ProblemOf>> = {
  url: addressProblem,
  token: bearerToken,
  user: bearerToken,
  routingKey,
  secret: signingSecret,
};

/** Whether this setting of a channel names what a gateway's key must not be. */
export function namesSecret(setting: string): boolean {
  return setting in FORMS || setting === "binding";
}

/** For kinds whose secrets have another form. */
const OWN_FORMS: { readonly [Kind in ChannelConfig["kind"]]?: Partial<typeof FORMS> } = {
  telegram: { token: botToken },
  ntfy: { url: topicProblem },
  feishu: { secret: bearerToken },
  dingtalk: { secret: bearerToken },
  custom: { secret: bearerToken },
  otlp: { secret: headerList },
  push: { secret: pushKey },
};

function judgedSecrets(channel: ChannelConfig): (readonly [name: string, ProblemOf])[] {
  const named: { readonly [Field in SecretField | "kind"]?: string | readonly string[] | undefined } =
    channel;
  const forms = Object.entries({ ...FORMS, ...OWN_FORMS[channel.kind] });
  return forms.flatMap(([field, problemOf]) =>
    [named[field as SecretField] ?? []].flat().map((name) => [name, problemOf] as const),
  );
}

function addressProblem(name: string, value: string): string | null {
  const address = readSecretAddress(name, value);
  return address.ok ? null : address.problem;
}

function topicProblem(name: string, value: string): string | null {
  const address = readSecretAddress(name, value);
  if (!address.ok) return address.problem;
  return TOPIC_PATH.test(address.url.pathname)
    ? null
    : t`the secret ${name} is not a topic's address like https://ntfy.sh/my-topic`;
}

/** By gateway. One service may be several gateways: what one was sent the answer to another may repeat. */
export function keyNames(
  { gateways }: Pick<Config, "gateways">,
  hostOf: (gatewayId: string) => string,
): (gateway: GatewayConfig) => readonly string[] {
  const byHost = Map.groupBy(gateways, ({ id }) => hostOf(id));
  const ofHosts = new Map(Array.from(byHost, ([host, its]) => [host, gatewaySecrets(its)]));
  return (gateway) => {
    const ofHost = ofHosts.get(hostOf(gateway.id)) ?? [];
    return ofHost.length <= MOST_KEYS_OF_HOST ? ofHost : gatewaySecrets([gateway]);
  };
}

/** A redactor for this many keys takes a millisecond to build; one for hundreds takes more than an invocation has. */
const MOST_KEYS_OF_HOST = 20;
