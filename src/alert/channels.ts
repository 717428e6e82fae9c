/** The kinds of channels. A deployment has only those that it uses (`src/local/build.ts`). */
import type { ChannelConfig, ChannelOf } from "../config/config.ts";
import type { ChannelKind } from "./channel.ts";
import * as kinds from "./channels/index.ts";

type Kind = ChannelConfig["kind"];

const KINDS: { readonly [Of in Kind]: ChannelKind<ChannelOf<Of>> } = kinds;

/** The kind that takes this very configuration. */
export function channelKind<Of extends Kind>({ kind }: ChannelOf<Of>): ChannelKind<ChannelOf<Of>> {
  return KINDS[kind];
}
