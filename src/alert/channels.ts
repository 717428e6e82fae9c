/** The table of channel kinds. */
import type { ChannelConfig } from "../config/channels.ts";
import { alertmanager } from "./alertmanager.ts";
import type { ChannelKind } from "./channel.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { ntfy } from "./ntfy.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

type Kind = ChannelConfig["kind"];
type ConfigOf<Of extends Kind> = ChannelConfig & { readonly kind: Of };

const KINDS: { readonly [Of in Kind]: ChannelKind<ConfigOf<Of>> } = {
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
export function channelKind<Of extends Kind>({ kind }: ConfigOf<Of>): ChannelKind<ConfigOf<Of>> {
  return KINDS[kind];
}
