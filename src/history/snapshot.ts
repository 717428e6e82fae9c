/**
 * The snapshot: one KV value a publish. First the status document, byte for byte as `GET /api/v1/status` answers, so
 * that the usual request streams it unparsed; then, packed, all else that readers need. The metadata carry what the
 * answer's headers need. Layout: `docs/storage.md`.
 */
import * as z from "zod/mini";
import { packedCourseSchema } from "./course.ts";
import { publishedIncidentSchema, type StatusDocument } from "./documents.ts";
import { sha256Hex } from "./digest.ts";
import { STORAGE_VERSION } from "./keys.ts";
import { bytesSchema, modelNoteSchema } from "./records.ts";
import { compress, decompress, pack, unpack } from "./packing.ts";

/** Short names: KV allows 1,024 bytes. */
export const snapshotMetadataSchema = z.object({
  v: z.literal(STORAGE_VERSION),
  /** Bytes of the status document. */
  bytes: z.int().check(z.positive()),
  /** Its digest, for the ETag. */
  digest: z.string(),
  lastTickMs: z.nullable(z.number()),
  /** Milliseconds from tick to tick. */
  tickMs: z.number().check(z.positive()),
  generatedMs: z.number(),
  /** Counts publishes. */
  sequence: z.int(),
});
export type SnapshotMetadata = z.infer<typeof snapshotMetadataSchema>;

const byMonitor = z.record(z.string(), bytesSchema);

/** What no named segment holds yet: samples and roll-ups by monitor, packed as in `segment.ts`. */
const liveSchema = z.object({ samples: byMonitor, hours: byMonitor, days: byMonitor });

const restSchema = z.object({
  /** Every readable segment, by period, oldest first. */
  segments: z.object({ hour: z.array(z.string()), day: z.array(z.string()), month: z.array(z.string()) }),
  /** Open ones, the newest, and those that no named segment holds yet; newest first. */
  incidents: z.array(publishedIncidentSchema),
  /** Gateways that publish their health alone. */
  healthOnly: z.array(z.string()),
  timeZone: z.string(),
  /** The configured public address, without a trailing slash. */
  url: z.optional(z.string()),
  /** Of the last 24 hours, by monitor; `fromMs`: when their first step begins. */
  courses: z._default(
    z.object({ fromMs: z.number(), byMonitor: z.record(z.string(), packedCourseSchema) }),
    () => ({ fromMs: 0, byMonitor: {} }),
  ),
  /** By monitor, what changed in its list of models, newest last; those of which none is published are left out. */
  modelNotes: z._default(z.record(z.string(), z.array(modelNoteSchema)), () => ({})),
  /** That of the configuration; absent in older snapshots. */
  language: z.optional(z.string()),
  /** By a monitor's id, the ids that it had before: segments of then know it by those. */
  formerly: z._default(z.record(z.string(), z.array(z.string())), () => ({})),
});
export type SnapshotTail = z.infer<typeof restSchema> & { live: z.infer<typeof liveSchema> };

/** `rest` is JSON: the runtime writes it faster than anything else. */
const tailSchema = z.object({ live: liveSchema, rest: z.string() });

export interface SnapshotValue {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: SnapshotMetadata;
}

export async function packSnapshot(
  status: StatusDocument,
  tail: SnapshotTail,
  facts: { lastTickMs: number | null; tickMs: number; generatedMs: number; sequence: number },
): Promise<SnapshotValue> {
  const head = new TextEncoder().encode(JSON.stringify(status));
  const { live, ...rest } = tail;
  const packed = await compress(pack({ live, rest: JSON.stringify(rest) }));
  const bytes = new Uint8Array(head.length + packed.length);
  bytes.set(head);
  bytes.set(packed, head.length);
  const digest = await sha256Hex(bytes.subarray(0, head.length), 12);
  return { bytes, metadata: { v: STORAGE_VERSION, bytes: head.length, digest, ...facts } };
}

/** @throws when the bytes are not a snapshot's tail of this version. */
export async function unpackTail(
  bytes: Uint8Array<ArrayBuffer>,
  metadata: SnapshotMetadata,
): Promise<SnapshotTail> {
  const { live, rest } = tailSchema.parse(unpack(await decompress(bytes.subarray(metadata.bytes))));
  return { ...restSchema.parse(JSON.parse(rest)), live };
}
