/**
 * The forms of the secrets that administration and alerts need, and what is wrong with values before anything is sent.
 * Pure. A fault names the secret and never its value.
 */
import type { ChannelConfig } from "./channels.ts";
import type { Config } from "./config.ts";
import { readSecretAddress } from "./secret-address.ts";

export interface SecretForm {
  readonly pattern: RegExp;
  /** After "is not ". */
  readonly form: string;
}

export const BOT_TOKEN: SecretForm = {
  pattern: /^\d+:[\w-]+$/,
  form: "a bot's token like 123456:ABC-DEF",
};
export const ROUTING_KEY: SecretForm = {
  pattern: /^[A-Za-z0-9]{32}$/,
  form: "an integration key of 32 letters and digits",
};
export const BEARER_TOKEN: SecretForm = {
  pattern: /^[\u0021-\u007e]+$/,
  form: "a token of visible ASCII",
};
/** Padded base64 of 24 bytes has 32 digits, of 64 bytes 86. */
export const SIGNING_SECRET: SecretForm = {
  pattern: /^whsec_(?=(?:.{4})+$)[A-Za-z0-9+/]{32,86}={0,2}$/,
  form: "a signing secret: whsec_ and the base64 of 24 to 64 bytes",
};

/** Of `ADMIN_TOKEN` and `VIEW_TOKEN`: a shorter one can be guessed, and opens nothing. */
export const SHORTEST_TOKEN = 16;

/** Why a `VIEW_TOKEN` that is set can open nothing; null: it can. White space around it is not part of it. */
export function viewTokenProblem(value: string): string | null {
  const token = value.trim();
  if (token.length < SHORTEST_TOKEN) return `VIEW_TOKEN is shorter than ${SHORTEST_TOKEN} characters`;
  return BEARER_TOKEN.pattern.test(token) ? null : formProblem("VIEW_TOKEN", BEARER_TOKEN);
}

/** The address of a topic: what stands before it, and the topic. */
export const TOPIC_PATH = /^(.*\/)([-\w]{1,64})\/?$/;

export function noTopic(name: string): string {
  return `the secret ${name} is no address of a topic like https://ntfy.sh/my-topic`;
}

export function formProblem(name: string, { form }: SecretForm): string {
  return `the secret ${name} is not ${form}`;
}

type ValueOf = (name: string) => string | null;

/** Sentences on the secrets that are set and cannot be what they should be, each once. */
export function secretProblems({ alerts, heartbeat }: Config, valueOf: ValueOf): readonly string[] {
  const problems = [
    ...alerts.flatMap((channel) => problemsOf(channel, valueOf)),
    ...(heartbeat === null ? [] : [addressProblem(heartbeat, valueOf)]),
  ];
  return [...new Set(problems.filter((problem) => problem !== null))];
}

function problemsOf(channel: ChannelConfig, valueOf: ValueOf): readonly (string | null)[] {
  const like = (name: string, form: SecretForm): string | null => {
    const value = valueOf(name)?.trim() ?? "";
    return value === "" || form.pattern.test(value) ? null : formProblem(name, form);
  };
  switch (channel.kind) {
    case "webhook":
      return [
        addressProblem(channel.urlSecret, valueOf),
        ...channel.signingSecrets.map((name) => like(name, SIGNING_SECRET)),
      ];
    case "slack":
    case "discord":
    case "teams":
      return [addressProblem(channel.urlSecret, valueOf)];
    case "pagerduty":
      return [like(channel.routingKeySecret, ROUTING_KEY)];
    case "telegram":
      return [like(channel.tokenSecret, BOT_TOKEN)];
    case "alertmanager":
    case "ntfy":
      return [
        addressProblem(channel.urlSecret, valueOf, channel.kind === "ntfy" ? TOPIC_PATH : /^/),
        channel.tokenSecret === null ? null : like(channel.tokenSecret, BEARER_TOKEN),
      ];
    case "email":
      return [];
  }
}

/** @param path what its path must be. */
function addressProblem(name: string, valueOf: ValueOf, path = /^/): string | null {
  const value = valueOf(name)?.trim() ?? "";
  if (value === "") return null;
  const read = readSecretAddress(name, value);
  if (!read.ok) return read.problem;
  return path.test(read.url.pathname) ? null : noTopic(name);
}
