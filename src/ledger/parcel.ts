/**
 * A parcel: all that one Ledger knows of gateways which another one is to watch from now on. Plain data, as calls between
 * objects carry it; what comes is checked before it is taken for one. Pure.
 */
import * as z from "zod/mini";
import type { GatewayState } from "../domain/assignment.ts";
import type { CanaryState } from "../domain/canary.ts";
import type { Incident } from "../domain/incident.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { bytesSchema, incidentSchema } from "../history/records.ts";
import type { Through } from "./archive.ts";
import { throughSchema } from "./sound.ts";
import { canarySchema } from "./canary-records.ts";
import { historyOfMovesShape, type Moves } from "./moves.ts";
import { gatewaySchema, monitorSchema, type PlannedWindow, plannedSchema } from "./state.ts";

/** Of what is in a parcel: whoever knows another one refuses it, and asks again once both are of one version. */
export const PARCEL_VERSION = 1;

type Bytes = Uint8Array<ArrayBuffer>;

export interface Parcel {
  readonly version: typeof PARCEL_VERSION;
  readonly id: string;
  /** The shard that gives. */
  readonly from: number;
  /** The gateways that it is about. */
  readonly gatewayIds: readonly string[];
  readonly gateways: Readonly<Record<string, GatewayState>>;
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly canaries: Readonly<Record<string, CanaryState>>;
  /** Open ones. */
  readonly incidents: Readonly<Record<string, Incident>>;
  /** By monitor: those of the last day, and all that are in no segment yet. */
  readonly samples: Readonly<Record<string, Bytes>>;
  /** Roll-ups by `hour/…` and `day/…`, each a segment of its own. */
  readonly rollups: Readonly<Record<string, Bytes>>;
  /** Those that may still have to be written into a segment, and the newest. */
  readonly resolved: readonly Incident[];
  /** How far the giver closed its history; null: it has none. */
  readonly through: Through | null;
  /** Where history of before lies: at the giver, and where the gateways were before it. */
  readonly homes: Moves["homes"];
  readonly abroad: Moves["abroad"];
  /** The giver owes alerts with numbers below this one; 0: none. */
  readonly owedTo: number;
}

export interface WantedGateway {
  readonly id: string;
  /** Of the monitors that are not known: every id that they have or had. */
  readonly monitorIds: readonly string[];
}

export interface HandOverRequest {
  /** The shard that asks. */
  readonly to: number;
  /** Until when its hours are closed; null: it has no history. */
  readonly hoursMs: number | null;
  readonly gateways: readonly WantedGateway[];
  /** Parcels that it has stored, of which their givers may not know yet: what was in one is not packed anew. */
  readonly taken: readonly string[];
}

export interface HandOverAnswer {
  /** Null: there is nothing to give, now. */
  readonly parcel: Parcel | null;
  /** Gateways of which there is something that is given later. */
  readonly held: readonly string[];
  /** As `holdsNothing`, of one that is used no more. */
  readonly isSpent: boolean;
}

/** What shard 0 tells another one that asks around. */
export interface Enrolment {
  /** The most shards that were ever used. */
  readonly shards: number;
  /** Digests of addresses and keys can be compared where all Ledgers have it. */
  readonly salt: string;
  readonly planned: readonly PlannedWindow[];
}

/** What became of a parcel; `open`: whoever asked for it has not decided yet. */
export const FATES = ["taken", "not_taken", "open"] as const;
export type Fate = (typeof FATES)[number];

/** Made when it is first needed: most Ledgers never see a parcel. */
let schema: z.ZodMiniType<HandOverAnswer> | null = null;

/** @throws when it is none, or of another version. */
export function readAnswer(value: unknown): HandOverAnswer {
  schema ??= z.object({
    parcel: z.nullable(parcelSchema()),
    held: z.array(z.string()),
    isSpent: z._default(z.boolean(), false),
  });
  return schema.parse(value);
}

function parcelSchema(): z.ZodMiniType<Parcel> {
  return z.object({
    version: z.literal(PARCEL_VERSION),
    id: z.string(),
    from: z.int(),
    gatewayIds: z.array(z.string()),
    gateways: z.record(z.string(), gatewaySchema),
    monitors: z.record(z.string(), monitorSchema),
    canaries: z.record(z.string(), canarySchema),
    incidents: z.record(z.string(), incidentSchema),
    samples: z.record(z.string(), bytesSchema),
    rollups: z.record(z.string(), bytesSchema),
    resolved: z.array(incidentSchema),
    through: z.nullable(throughSchema),
    ...historyOfMovesShape,
    owedTo: z._default(z.number(), 0),
  });
}

/** @throws when it is no list of channels. */
export function readOwing(value: unknown): readonly string[] {
  return z.array(z.string()).parse(value);
}

/** @throws when it is none. */
export function readEnrolment(value: unknown): Enrolment {
  return z.object({ shards: z.int(), salt: z.string(), planned: z.array(plannedSchema) }).parse(value);
}

/** @throws when it is none. */
export function readFate(value: unknown): Fate {
  return z.enum(FATES).parse(value);
}

/** @throws when they are none. */
export function readSegmentTimes(value: unknown): Record<string, number | null> {
  return z.record(z.string(), z.nullable(z.number())).parse(value);
}
