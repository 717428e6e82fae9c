/** What may be called on a shard's Ledger from outside, the name it is found by, its settings, and what it logs. */
import type { EventDraft } from "../alert/alert-event.ts";
import type { Mail } from "../alert/channel.ts";
import type { Config } from "../config/config.ts";
import { type Placement, type PublishingPace } from "../config/plan-limits.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
  SubscribeAnswer,
  SubscribeOrder,
} from "../domain/tick.ts";
import type { Subscription } from "../domain/stored.ts";
import type { StatusDocument } from "../history/documents.ts";
import type { RenderedPage, SnapshotFacts, SnapshotTail } from "../history/snapshot.ts";
import type { CourierFetch } from "./deliver/channel-client.ts";

/** By a tick, by an administrator, and by the Ledgers of other shards. */
export interface LedgerRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
  /** Notifies a browser from now on, or no longer. */
  subscribe(subscription: Subscription, order: SubscribeOrder): Promise<SubscribeAnswer>;
  /** Records a lost tick of any shard in the Ledger of shard 0. It may be called twice for the same tick. */
  noteLost(lost: ShardTick): Promise<void>;
  /** For Ledger 0: which shard has which gateway; places each configured one. Empty: shard 0 has all. */
  directory(): Promise<Placement>;
  heldGateways(): Promise<readonly string[]>;
}

export interface Published {
  readonly status: StatusDocument;
  readonly tail: SnapshotTail;
  readonly facts: SnapshotFacts;
}

export interface LedgerSettings {
  /** With the gateways of all shards. */
  readonly config: Config;
  readonly shard: number;
  /** The Ledger of another shard. A stub that has failed once stays broken: get a new one for each call. */
  peer(shard: number): LedgerRpc;
  readonly kv: KVNamespace;
  /** Name and version of the program that probes, for reports. */
  readonly client: string;
  readonly tickIntervalMs: number;
  /** Default: what the Cloudflare plan allows. */
  readonly pace?: PublishingPace;
  /** The id of this run, if only one can exist at a time (`npm start`); else null. */
  readonly run: string | null;
  secret(name: string): string | null;
  now(): number;
  timeoutSignal(ms: number): AbortSignal;
  readonly fetch: CourierFetch;
  /** Renders the overview to publish it; null: it is rendered for each request. */
  renderPage(published: Published, nowMs: number): Promise<RenderedPage | null>;
  exportMetrics?(published: Published): Promise<void>;
  sendMail(mail: Mail, binding: string): Promise<void>;
  /** Called with each event once it is stored, even without channels. */
  onEvent?(event: EventDraft): void;
}

const NAME = "ledger-";

export function ledgerName(shard: number): string {
  return `${NAME}${shard}`;
}

/** @throws if no Ledger has this name. */
export function shardOfName(name: string | undefined): number {
  const shard = Number(name?.slice(NAME.length));
  if (name !== ledgerName(shard)) throw new Error(`no ledger of a shard is called ${name}`);
  return shard;
}

/** Writes to the platform's log. The error comes from the platform or from stored data, never from a gateway or a receiver. */
export function warnOfLedger(what: string, error?: unknown): void {
  const words = error === undefined ? [] : [kindOf(error)];
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`ledger: ${what}`, ...words);
}

/** For a parser's error only its name, because its message quotes the text. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { name, message } = error;
  const isOfText = error instanceof SyntaxError || "issues" in error;
  return isOfText ? name : `${name}: ${message.slice(0, 200)}`;
}
