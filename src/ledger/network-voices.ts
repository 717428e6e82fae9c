/**
 * Which shard tells that the monitoring's own networks are out. Their invocations share them as a rule, and one incident is what
 * people want of it: a Ledger that is about to tell it asks the others first, and leaves it to one that tells it or is nearer to it.
 */
import { mayOpenNetwork, type NetworkName, type NetworkVoice, voiceOf } from "../domain/own-network.ts";
import type { Journal } from "./state.ts";

export type NetworkVoices = Readonly<Record<NetworkName, NetworkVoice>>;

/** What a Ledger says of its own. */
export function voicesOf({ ownNetwork, vantageNetwork }: Journal): NetworkVoices {
  return { monitoring: voiceOf(ownNetwork), "vantage-points": voiceOf(vantageNetwork) };
}

export interface VoicesWorld {
  readonly shard: number;
  readonly shards: number;
  readonly journal: Journal;
  /** Null: it does not answer. */
  readonly ask: (shard: number) => Promise<NetworkVoices | null>;
}

/** What is left to others, where a network failed. First shard 0 is asked, which in most cases is the one. */
export async function toldElsewhere({
  shard,
  shards,
  journal,
  ask,
}: VoicesWorld): Promise<ReadonlySet<NetworkName>> {
  const told = new Set<NetworkName>();
  const { ownNetwork, vantageNetwork } = journal;
  const networks = { monitoring: ownNetwork, "vantage-points": vantageNetwork } as const;
  const names = NETWORKS.filter((name) => mayOpenNetwork(networks[name], shard));
  const hear = async (other: number): Promise<void> => {
    const voices = await ask(other);
    for (const name of names) if (voices !== null && goesBefore(voices[name], other < shard)) told.add(name);
  };
  if (names.length > 0 && shard > 0) await hear(0);
  if (told.size === names.length) return told;
  const others = Array.from({ length: shards }, (_, other) => other);
  await Promise.all(others.filter((other) => other !== shard && other !== 0).map(hear));
  return told;
}

const NETWORKS = ["monitoring", "vantage-points"] as const;

/** Of two that see it at once the lower one tells. */
function goesBefore(voice: NetworkVoice, isLower: boolean): boolean {
  return voice === "told" || (isLower && voice === "out");
}
