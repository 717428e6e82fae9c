/**
 * The Ledger's hot state: everything between two ticks that is not history. Kept as JSON documents; a document
 * that does not fit its schema is refused. Pure.
 */
import * as z from "zod/mini";
import type { Placement } from "../../config/placement.ts";
import { FREE_LANE, type GatewayState } from "../../domain/assignment.ts";
import { SKIP_REASONS, type CanaryState } from "../../domain/canary.ts";
import type { Incident } from "../../domain/incident.ts";
import type { MonitorState, RegionState } from "../../domain/monitor-state.ts";
import { NETWORK_UNSEEN, type OwnNetworkState } from "../../domain/own-network.ts";
import type { MaintenanceWindow } from "../../domain/schedule.ts";
import { NO_TICK_YET } from "../../domain/silence.ts";
import {
  addedLater,
  healthSchema,
  incidentSchema,
  instantMs,
  keptDiagnosisSchema,
  modelNoteSchema,
} from "../../history/records.ts";
import { CAUSES } from "../../protocol/diagnosis.ts";

const figure = z.nullable(z.number());

const taskSchema = z.object({ id: z.string(), createdAtMs: instantMs, deadlineMs: instantMs });

const canaryAssignmentSchema = z.lazy(() =>
  z.object({
    gatewayId: z.string(),
    errands: z.array(z.object({ monitorId: z.string(), task: z.nullable(taskSchema), attempts: z.int() })),
  }),
);

const canarySchema: z.ZodMiniType<CanaryState> = z.lazy(() =>
  z.object({
    keyIdentity: addedLater(z.string()),
    asks: addedLater(z.string()),
    run: z.nullable(
      z.object({
        tickMs: instantMs,
        invocation: z.string(),
        sentAtMs: instantMs,
        attempts: z.int(),
        day: z.string(),
      }),
    ),
    task: z.nullable(taskSchema),
    refusedQuestions: z.int(),
    skip: z.nullable(
      z.object({ reason: z.enum(SKIP_REASONS), cause: z.nullable(z.enum(CAUSES)), sinceMs: instantMs }),
    ),
    days: z.array(
      z.object({
        day: z.string(),
        requests: z.int(),
        inputTokens: z.int(),
        outputTokens: z.int(),
        costMicros: z.number(),
      }),
    ),
    failures: z.int(),
    askedAtMs: z.nullable(instantMs),
    lastTaskMs: addedLater(instantMs),
    figures: z.nullable(
      z.object({
        firstTokenMs: figure,
        taskMs: figure,
        tokensPerSecond: figure,
        inputTokens: figure,
        outputTokens: figure,
        costMicros: figure,
      }),
    ),
    balance: figure,
  }),
);

const assignmentSchema = z.lazy(() =>
  z.object({
    gatewayId: z.string(),
    hangs: z.boolean(),
    suspect: z.boolean(),
    excused: z._default(z.boolean(), false),
    excusedFrom: z.exactOptional(z.array(z.string())),
    monitorIds: z.array(z.string()),
  }),
);

const tickSchema = z.lazy(() =>
  z.object({
    tickMs: instantMs,
    invocation: z.string(),
    assignments: z.array(assignmentSchema),
    canaries: z._default(z.array(canaryAssignmentSchema), () => []),
    putOff: z.int(),
  }),
);
export type SeenTick = z.infer<typeof tickSchema>;

const leaseSchema = z.lazy(() =>
  z.nullable(
    z.object({
      tickMs: instantMs,
      invocation: z.string(),
      run: addedLater(z.string()),
      untilMs: instantMs,
      owed: z.array(z.string()),
    }),
  ),
);

const gatewaySchema: z.ZodMiniType<GatewayState> = z.lazy(() =>
  z.object({
    identity: z.string(),
    lease: leaseSchema,
    heldUntilMs: instantMs,
    quickOwed: z._default(z.int(), 0),
    suspect: z.boolean(),
    unreachedSinceMs: addedLater(instantMs),
    unreachedFrom: z._default(z.record(z.string(), instantMs), () => ({})),
    canaries: z._default(z.object({ lease: leaseSchema, heldUntilMs: instantMs }), () => ({
      ...FREE_LANE,
      lease: null,
    })),
    seenModels: addedLater(
      z.object({ atMs: instantMs, listed: z.array(z.string()), unlisted: z.array(z.string()) }),
    ),
  }),
);

const probeShape = () => ({
  atMs: instantMs,
  latencyMs: z.nullable(z.int()),
  attempts: z.int(),
  waitedMs: z.int(),
});

const regionSchema: z.ZodMiniType<RegionState> = z.lazy(() =>
  z.object({
    health: healthSchema,
    sinceMs: instantMs,
    diagnosis: z.nullable(keptDiagnosisSchema),
    lastProbe: z.object(probeShape()),
    lastUpMs: z.nullable(instantMs),
  }),
);

const monitorSchema: z.ZodMiniType<MonitorState> = z.lazy(() =>
  z.object({
    health: healthSchema,
    lastVerdict: z.nullable(healthSchema),
    sinceMs: instantMs,
    diagnosis: z.nullable(keptDiagnosisSchema),
    lastProbe: z.nullable(z.object({ tickMs: instantMs, ...probeShape() })),
    modelCount: z.nullable(z.int()),
    missingModels: z.array(z.string()),
    failedInARow: z.int(),
    goodInARow: z.int(),
    failingSinceMs: addedLater(instantMs),
    refusalsInARow: z.int(),
    lastUpMs: z.nullable(instantMs),
    nextDueMs: instantMs,
    incidentId: z.nullable(z.string()),
    swings: z._default(z.array(instantMs), []),
    flapping: addedLater(z.enum(["open", "closed"])),
    models: z._default(
      z.object({
        told: z.array(z.string()),
        toldSinceMs: addedLater(instantMs),
        seen: z.array(z.string()),
        inARow: z.int(),
      }),
      () => ({ told: [], toldSinceMs: null, seen: [], inARow: 0 }),
    ),
    modelNotes: z._default(z.array(modelNoteSchema), () => []),
    pausedAtMs: addedLater(instantMs),
    regions: z._default(z.record(z.string(), regionSchema), () => ({})),
  }),
);

export const plannedSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    gateways: z.array(z.string()),
    fromMs: instantMs,
    toMs: instantMs,
    title: z.string(),
  }),
);
export type PlannedWindow = z.infer<typeof plannedSchema>;

const ownNetworkSchema: z.ZodMiniType<OwnNetworkState> = z.lazy(() =>
  z.object({
    failedInARow: z.int(),
    reachedInARow: z.int(),
    countedTickMs: z.nullable(instantMs),
    reachedTickMs: addedLater(instantMs),
    idleTicks: z._default(z.int(), 0),
    incidentId: z.nullable(z.string()),
    swings: z.array(instantMs),
    flapping: z.nullable(z.enum(["open", "closed"])),
  }),
);

const journalSchema = z.lazy(() =>
  z.object({
    /** The newest tick that began. */
    lastTickMs: z.nullable(instantMs),
    clock: z.object({ lastMs: instantMs, steadyMs: instantMs }),
    /** The latest ticks, newest first, so that a second firing is known. */
    ticks: z.array(tickSchema),
    gateways: z.record(z.string(), gatewaySchema),
    /** Whether the monitoring's own network works. */
    ownNetwork: z._default(ownNetworkSchema, () => NETWORK_UNSEEN),
    /** Whether that of vantage points does, all of them together. */
    vantageNetwork: z._default(ownNetworkSchema, () => NETWORK_UNSEEN),
    /** By region the latest tick in which any gateway was reached from there. */
    reachedFrom: z._default(z.record(z.string(), instantMs), () => ({})),
    /** Whether ticks still come. */
    watch: z._default(
      z.object({
        lastTickMs: z.nullable(instantMs),
        isStalled: z.boolean(),
        graceToMs: addedLater(instantMs),
        graces: z._default(z.int(), 0),
        silence: addedLater(z.object({ fromMs: instantMs, toMs: instantMs })),
      }),
      () => NO_TICK_YET,
    ),
    /** Of all shards, newest first; shard 0's Ledger alone is told of them. */
    lost: z._default(z.array(z.object({ shard: z.int(), tickMs: instantMs })), () => []),
    /** Maintenance that was planned without a deploy. */
    planned: z._default(z.array(plannedSchema), []),
    publishing: z.object({
      sequence: z.int().check(z.gte(0)),
      lastMs: instantMs,
      /** The day of UTC whose immediate publishes are counted, and their number. */
      day: z.string(),
      immediate: z.int(),
      /** Something that readers should see at once has not been published yet. */
      urgent: z.boolean(),
    }),
  }),
);
export type Journal = z.infer<typeof journalSchema>;

/** The documents by name; each is stored on its own and only when it changed. */
export const DOCUMENTS = {
  journal: journalSchema,
  members: z.object({
    monitors: z.record(z.string(), monitorSchema),
    incidents: z.record(z.string(), incidentSchema),
    canaries: z._default(z.record(z.string(), canarySchema), () => ({})),
  }),
} as const;

export const directorySchema = z.record(z.string(), z.int().check(z.gte(0)));

export interface LedgerState {
  readonly journal: Journal;
  readonly monitors: Readonly<Record<string, MonitorState>>;
  /** The open ones. */
  readonly incidents: Readonly<Record<string, Incident>>;
  /** Of every monitor that is a canary. */
  readonly canaries: Readonly<Record<string, CanaryState>>;
  /** As it was told last; null: there is none. */
  readonly directory: Placement | null;
}

export const EMPTY_STATE: LedgerState = {
  journal: {
    lastTickMs: null,
    clock: { lastMs: 0, steadyMs: 0 },
    ticks: [],
    gateways: {},
    ownNetwork: NETWORK_UNSEEN,
    vantageNetwork: NETWORK_UNSEEN,
    reachedFrom: {},
    watch: NO_TICK_YET,
    lost: [],
    planned: [],
    publishing: { sequence: 0, lastMs: 0, day: "", immediate: 0, urgent: false },
  },
  monitors: {},
  incidents: {},
  canaries: {},
  directory: null,
};

/** Maintenance that was planned in the configuration, or since. */
export function windowsOf(
  config: { readonly maintenance: readonly MaintenanceWindow[] },
  { journal }: LedgerState,
): readonly MaintenanceWindow[] {
  return [...config.maintenance, ...journal.planned];
}

/** What a configuration or a stranger names may be a property of every object: `constructor` is an id like any other. */
export function entryOf<Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(record, id) ? record[id] : undefined;
}

/** The record before, where the one after has the very same members: then nothing needs to be written. */
export function unlessSame<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const ids = Object.keys(after);
  const same = ids.length === Object.keys(before).length && ids.every((id) => before[id] === after[id]);
  return same ? before : after;
}
