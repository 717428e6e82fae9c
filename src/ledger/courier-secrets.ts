/** The secrets of a channel: what stands for them in storage, and what must not be told of its answers. */
import type { Answer, SecretOf } from "../alert/channel.ts";
import type { ChannelConfig } from "../config/channels.ts";
import { channelSecrets } from "../config/secret-names.ts";
import { sha256Hex } from "../history/digest.ts";
import { createRedactor } from "../protocol/redaction/redact.ts";

/**
 * By channel: a digest of its configuration and the values of its secrets, under a salt of this Ledger. Its filter says
 * nothing of where messages go, and is left out: it changes with the gateways of the configuration.
 */
export async function identifyChannels(
  channels: readonly ChannelConfig[],
  salt: string,
  secretOf: SecretOf,
): Promise<Readonly<Record<string, string>>> {
  const entries = channels.map(async (channel) => {
    const values = channelSecrets(channel).map((name) => secretOf(name));
    return [
      channel.id,
      await sha256Hex(`${salt} channel ${JSON.stringify([{ ...channel, only: null }, values])}`, 8),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Characters of an answer that a person is shown. */
const LONGEST_EXCERPT = 200;

/** The beginning of an answer's body in one line, without the channel's secrets and the address that was asked. */
export function excerptOf(
  { body }: Answer,
  { channel, secretOf, url }: { channel: ChannelConfig; secretOf: SecretOf; url: string },
): string {
  const line = body.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  if (line === "") return "";
  const secrets = channelSecrets(channel).flatMap((name) => secretOf(name) ?? []);
  const parts = secrets.flatMap((secret) => secretEndOf(secret, channel.kind === "ntfy"));
  const shown = createRedactor([...secrets, ...parts, url])(line).slice(0, LONGEST_EXCERPT);
  // A surrogate pair that the limit cuts leaves its first half behind.
  return shown.replace(/[\ud800-\udbff]$/u, "");
}

/**
 * What an address ends with may be the whole secret, and shorter than what is found of a long one. Of a topic any word
 * is; elsewhere `webhook` and its like are what they are called. The redactor leaves what has less than 6 characters.
 */
function secretEndOf(secret: string, isTopic: boolean): readonly string[] {
  const end = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)\/*(?:[?#]|$)/iu.exec(secret.trim())?.[1];
  return end === undefined || (!isTopic && /^[a-z]*$/iu.test(end)) ? [] : [end];
}
