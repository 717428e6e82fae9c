/** The table of channel kinds. A deployment has only those that it uses (`src/local/build.ts`). */
import type { ChannelConfig, ChannelOf } from "../config/config.ts";
import { alertmanager } from "./channels/alertmanager.ts";
import type { ChannelKind } from "./channel.ts";
import { discord } from "./channels/discord.ts";
import { email } from "./channels/email.ts";
import { ntfy } from "./channels/ntfy.ts";
import { pagerduty } from "./channels/pagerduty.ts";
import { slack } from "./channels/slack.ts";
import { teams } from "./channels/teams.ts";
import { telegram } from "./channels/telegram.ts";
import { webhook } from "./channels/webhook.ts";

type Kind = ChannelConfig["kind"];

const KINDS: { readonly [Of in Kind]: ChannelKind<ChannelOf<Of>> } = {
  webhook,
  slack,
  discord,
  teams,
  pagerduty,
  alertmanager,
  telegram,
  ntfy,
  email,
};

/** The kind that takes this very configuration. */
export function channelKind<Of extends Kind>({ kind }: ChannelOf<Of>): ChannelKind<ChannelOf<Of>> {
  return KINDS[kind];
}
