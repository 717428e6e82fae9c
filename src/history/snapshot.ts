/**
 * The snapshot: one KV value, replaced with each publish. First comes the status document, byte for byte as `GET /api/v1/status`
 * answers, and the overview as HTML: the most common requests parse neither. Then comes, packed, all else that readers need.
 * The metadata have what the answer's headers need. Layout: `docs/storage.md`.
 */
import * as z from "zod/mini";
import type { Announcement } from "../domain/announcement.ts";
import type { ModelNote } from "../domain/model-watch.ts";
import { once } from "../domain/schema.ts";
import type { Stored } from "../domain/stored.ts";
import type { ShardTick } from "../domain/tick.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";
import type { CourseColumns } from "./course.ts";
import type { PublishedIncident, StatusDocument, WindowDocument } from "./documents.ts";
import { LEDGER_VERSION, STORAGE_VERSION, type SegmentKind } from "./keys.ts";
import { compress, decompress, joined, pack, sha256Hex, unpack } from "./packing.ts";

/** Short names: KV allows 1,024 bytes. */
export const snapshotMetadataSchema = once(() => {
  const text = z.string();
  const whole = z.int();
  const positive = whole.check(z.positive());
  const milliseconds = z.number();
  return z.object({
    v: z.literal(STORAGE_VERSION),
    bytes: positive,
    digest: text,
    /** Of the overview, which follows it; null: none was rendered. */
    page: z._default(z.nullable(z.object({ bytes: positive, language: text, assets: text })), null),
    /** The digest of everything after the status document. */
    tailDigest: text,
    /** Bytes of the packed tail, which its live part follows. 0: an older version packed both together. */
    tail: z._default(whole, 0),
    lastTickMs: z.nullable(milliseconds),
    tickMs: milliseconds.check(z.positive()),
    generatedMs: milliseconds,
    sequence: whole,
    /** The version of the data of the Ledger that published it; version 1 did not name it. */
    ledger: z._default(whole, 1),
    /** How many shards readers must read: more than are configured, if there were more before. Shard 0's number is correct. */
    shards: z._default(positive, 1),
    /** How many stored records could not be read and are in the Ledger's quarantine. */
    quarantined: z._default(whole, 0),
  });
});
export type SnapshotMetadata = Stored<typeof snapshotMetadataSchema>;

type ByMonitor<Value> = Readonly<Record<string, Value>>;

export interface SnapshotTail {
  /** What no named segment holds yet: samples and roll-ups by monitor, packed as in `segment.ts`. */
  readonly live: Readonly<Record<"samples" | "hours" | "days", ByMonitor<Uint8Array<ArrayBuffer>>>>;
  /** Every readable segment, by period, oldest first. */
  readonly segments: Readonly<Record<SegmentKind, readonly string[]>>;
  /** The open ones, the newest, and those that no named segment has yet; newest first. */
  readonly incidents: readonly PublishedIncident[];
  /** Gateways whose causes are published, and their former ids. Of all others, only the health is public. */
  readonly withCauses: readonly string[];
  readonly timeZone: string;
  /** The configured public address, without a trailing slash; null: none is configured. */
  readonly url: string | null;
  /** As configured. It may be one that this version does not have. */
  readonly language: string;
  /** Of the last 24 hours; `fromMs`: when their first step begins. */
  readonly halfHours: { readonly fromMs: number; readonly byMonitor: ByMonitor<CourseColumns> };
  /** What changed in the list of models, newest last; monitors without a published change are left out. */
  readonly modelNotes: ByMonitor<readonly ModelNote[]>;
  /** The windows of the status, and the latest that have ended. `keyedWindows` depends on the order. */
  readonly maintenance: readonly WindowDocument[];
  /** The open ones, and those that ended recently, newest first. */
  readonly announcements: readonly Announcement[];
  /** Ticks of all shards that failed within a day, newest first. Only shard 0's snapshot has them. */
  readonly lost: readonly ShardTick[];
  /** The former ids of a monitor: older segments have it under them. */
  readonly formerly: ByMonitor<readonly string[]>;
  /** The place of each gateway in the whole configuration. The rest of the snapshot has only the shard's own. */
  readonly places: Readonly<Record<string, number>>;
}

/** Without its live part, which only history needs. */
export type DryTail = Omit<SnapshotTail, "live">;

/** `shards`: default 1. `quarantined`: default 0. */
export type SnapshotFacts = Pick<SnapshotMetadata, "lastTickMs" | "tickMs" | "generatedMs" | "sequence"> &
  Partial<Pick<SnapshotMetadata, "shards" | "quarantined">>;

export interface RenderedPage {
  readonly html: string;
  readonly language: string;
  /** Names the stylesheet and script that it needs. Other versions of the program have others. */
  readonly assets: string;
}

export interface SnapshotValue {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: SnapshotMetadata;
}

export async function packSnapshot(
  status: StatusDocument,
  tail: SnapshotTail,
  facts: SnapshotFacts,
  page: RenderedPage | null = null,
): Promise<SnapshotValue> {
  const encoder = new TextEncoder();
  const head = encoder.encode(JSON.stringify(status));
  const html = encoder.encode(page?.html);
  // JSON: the runtime writes and reads it faster than anything else.
  const { live, ...rest } = tail;
  const dry = await compress(JSON.stringify(rest));
  const behind = joined(html, dry, await compress(pack(live)));
  const [digest, tailDigest] = [await digestOf(head), await digestOf(behind)];
  const sizes = {
    bytes: head.length,
    page: page && { bytes: html.length, language: page.language, assets: page.assets },
    tail: dry.length,
  };
  const versions = { v: STORAGE_VERSION, ledger: LEDGER_VERSION } as const;
  return {
    bytes: joined(head, behind),
    metadata: { ...versions, ...sizes, digest, tailDigest, shards: 1, quarantined: 0, ...facts },
  };
}

/** The status document as `GET /api/v1/status` answers it. */
export function headOf({ bytes, metadata }: SnapshotValue): Uint8Array<ArrayBuffer> {
  return bytes.subarray(0, metadata.bytes);
}

export function pageIn({ bytes, metadata }: SnapshotValue): Uint8Array<ArrayBuffer> {
  return bytes.subarray(metadata.bytes, packedFrom(metadata));
}

export function packedFrom({ bytes, page }: Pick<SnapshotMetadata, "bytes" | "page">): number {
  return bytes + (page?.bytes ?? 0);
}

/** @throws when it is no JSON. */
export function unpackStatus(snapshot: SnapshotValue): StatusDocument {
  return parsed(new TextDecoder().decode(headOf(snapshot)), snapshot) as StatusDocument;
}

/** @param from where the given bytes begin, if the ones before are missing. @throws when it is cut off: gzip has a checksum. */
export async function unpackTail(
  { bytes, metadata }: SnapshotValue,
  from: number = packedFrom(metadata),
): Promise<DryTail> {
  const end = from + metadata.tail;
  const json =
    metadata.tail === 0
      ? (await unpackOlder(bytes.subarray(from))).rest
      : new TextDecoder().decode(await decompress(bytes.subarray(from, end)));
  return { ...ADDED_LATER, ...(parsed(json, { metadata }) as DryTail) };
}

export async function unpackLive({ bytes, metadata }: SnapshotValue, from: number = packedFrom(metadata)) {
  const part = bytes.subarray(from + metadata.tail);
  if (metadata.tail === 0) return (await unpackOlder(part)).live;
  return unpack(await decompress(part)) as SnapshotTail["live"];
}

async function unpackOlder(bytes: Uint8Array<ArrayBuffer>) {
  return unpack(await decompress(bytes)) as { readonly live: SnapshotTail["live"]; readonly rest: string };
}

/** Checking every word takes longer, and only newer versions write words that this one does not know. */
function parsed(json: string, { metadata }: Pick<SnapshotValue, "metadata">): unknown {
  return JSON.parse(json, metadata.ledger > LEDGER_VERSION ? inKnownWords : undefined);
}

/** The values of members that older versions did not write. Without `withCauses`, no cause is shown. */
const ADDED_LATER = {
  withCauses: [],
  url: null,
  language: "en",
  halfHours: { fromMs: 0, byMonitor: {} },
  modelNotes: {},
  maintenance: [],
  announcements: [],
  lost: [],
  formerly: {},
  places: {},
} satisfies Partial<SnapshotTail>;

function digestOf(part: Uint8Array): Promise<string> {
  return sha256Hex(part, 12);
}

/** Replaces words of a newer version, and leaves out what is incomplete without them. */
function inKnownWords(name: string, value: unknown): unknown {
  switch (name) {
    case "status":
    case "lastStatus":
    case "health":
      return knownHealth(value);
    case "worst":
      return Array.isArray(value) ? value.map(knownHealth) : value;
    case "cause":
      return CAUSES.some((cause) => cause === value) ? value : null;
    case "reports":
    case "fullReports":
      return Array.isArray(value) ? value.filter(({ cause }: { cause: unknown }) => cause !== null) : value;
    case "causes":
      return [];
    case "owner":
    case "turn":
    case "diagnosis":
    case "skipped":
      return null;
    default:
      return value;
  }
}

/** A course's column of digits is called `health` too. */
function knownHealth(value: unknown): unknown {
  const isWord = typeof value === "string" && /^[a-z]/u.test(value);
  return isWord && !HEALTHS.some((health) => health === value) ? "unknown" : value;
}
