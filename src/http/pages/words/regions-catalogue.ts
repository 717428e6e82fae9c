/**
 * The words of what is seen from several regions. Part of the catalogue.
 */
import type { Region } from "../../../config/config.ts";
import type { Sentence } from "./incident-catalogue.ts";

export interface RegionWords {
  /** Cloudflare's location hints. */
  readonly names: Readonly<Record<Region, string>>;
  readonly heading: string;
  readonly columns: Readonly<Record<"region" | "uptime", string>>;
  /** Where the others decide that it works. */
  readonly minority: Sentence;
  /** Where it fails. */
  readonly failing: Sentence;
  /** After `failing`, where some see it work. */
  readonly working: Sentence;
}
