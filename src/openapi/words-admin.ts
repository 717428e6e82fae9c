/** Words for administration. Pure data. */
import { at, type Words } from "./word-kinds.ts";

export const ADMIN_WORDS: Readonly<Record<string, Words>> = {
  DueProbe: {
    notBefore: at("The gateway’s Retry-After."),
  },
  PausedMonitor: { pausedAt: at("Null: it is probed.") },
  NotedIncident: {
    acknowledgedAt: at("The first time counts."),
    "notes.at": at(),
  },
  PlannedWindow: {
    gateways: "None: every gateway.",
    from: at(),
    to: at(),
  },
  AlertChannel: {
    shard: "Whose events. Several shards have each channel, with events of their own.",
    disabled: "Null: it is in use.",
    "disabled.at": at(),
    problem: "Of the last try; null: it was delivered.",
    waiting: "What waits first.",
    "waiting.since": at(),
    "waiting.nextTryAt": at("Null: not until the channel is mended."),
    "waiting.count": "All that wait, as far as was looked.",
    "waiting.more": "More may wait.",
    undelivered: "Can be replayed.",
    lost: "Were too many to keep.",
  },
  UndeliveredAlert: {
    shard: "Whose it is.",
    at: at(),
    since: at(),
  },
  ReplayedAlerts: {
    replayed: "Owed once more.",
    triedNow: "Waited, and are tried at once.",
  },
  TestedChannels: {
    "channels.answer.type": "`failed`: no answer. `not_tried`: too many for one call.",
    "channels.answer.outcome": "What it would mean for an event.",
    "channels.answer.body": "At most 200 characters, without secrets.",
  },
  Quarantine: {
    "": "Stored records that could not be read, the newest first.",
    "records.at": at("When it was put aside."),
    "records.place": "Where it was stored.",
    "records.why": "What was lost.",
    "records.bytes": "So long it was.",
    "records.start": "Its first 300 bytes.",
  },
  NewNote: {
    text: { description: "1 to 500 characters. Public.", minLength: 1 },
  },
  NewWindow: {
    "": "At most 31 days, ending in the future.",
    gateways: "Left out: every gateway.",
    from: at("With its offset; it may be past."),
    to: at("After `from`."),
  },
  Replay: { channel: "Left out: every channel.", event: "Left out: everything." },
  ChannelTest: { channel: "Left out: every channel." },
};
