/** What an administrator may change in the Ledger without a deploy. Each change is stored at once, with its alerts. */
import type * as z from "zod/mini";
import type { AlertEvent } from "../../alert/alert-event.ts";
import type { Config } from "../../config/config.ts";
import {
  type Announcement,
  keptAnnouncements,
  MOST_OPEN,
  MOST_TEXT,
  openAnnouncements,
} from "../../domain/announcement.ts";
import { instant } from "../../domain/calendar.ts";
import { askSoon } from "../../domain/canary.ts";
import {
  NO_CHANGES,
  applyChanges,
  MAX_NOTES,
  acknowledgeIncident,
  addNote,
  deleteNote,
  silentUntilMs,
  withAction,
  type Transition,
  type Incident,
  type IncidentAction,
} from "../../domain/incident.ts";
import { pauseMonitor } from "../../domain/incident-rules.ts";
import { gatewayOf, resumeMonitor, type MonitorState } from "../../domain/monitor-state.ts";
import { stableHash } from "../../domain/schedule.ts";
import type { AdminAnswer, AdminRequest } from "../../domain/tick.ts";
import { testEvent } from "../deliver/announce.ts";
import type { TestAnswer } from "../deliver/channel-client.ts";
import { incidentDocument, noteOf } from "../publish/incident-document.ts";
import type { LedgerSettings } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";
import { entryOf, type LedgerState, type Outcome, type PlannedWindow } from "../state/state.ts";
import type * as answers from "./admin-answers.ts";

type Answer<Name extends keyof typeof answers> = z.infer<(typeof answers)[Name]>;

type AdminSettings = Pick<LedgerSettings, "config" | "shard" | "now">;

type SendTest = (channel: string, event: AlertEvent) => Promise<TestAnswer | null>;

type PlanRequest = Extract<AdminRequest, { type: "plan_maintenance" }>;

type UpdateRequest = Extract<AdminRequest, { type: "update_announcement" }>;

const MOST_PLANNED = 50;

const NEWS: Transition = { ...NO_CHANGES, isNews: true };

export class Administration {
  readonly #memory: LedgerMemory;
  readonly #settings: AdminSettings;
  readonly #store: (outcome: Outcome) => void;

  constructor(memory: LedgerMemory, settings: AdminSettings, store: (outcome: Outcome) => void) {
    this.#memory = memory;
    this.#settings = settings;
    this.#store = store;
  }

  /** @throws (rejects) if storage fails; then nothing has changed. */
  async answer(request: AdminRequest, sendTest: SendTest): Promise<AdminAnswer> {
    const nowMs = this.#settings.now();
    switch (request.type) {
      case "probe_now":
        return this.#probeNow(request.subject, this.#monitorsOf(request.subject));
      case "probe_incident":
        return this.#probeIncident(request.incidentId, request.by);
      case "pause":
        return this.#pause(request);
      case "resume":
        return this.#resume(request.subject);
      case "read_gateway":
        return this.#paused(request.subject, this.#monitorsOf(request.subject));
      case "read_incident":
        return this.#readIncident(request.incidentId);
      case "acknowledge":
        return this.#change(request.incidentId, (of) => acknowledgeIncident(of, request.by, nowMs));
      case "silence":
        return this.#act(request.incidentId, "silenced", request);
      case "note":
        return this.#change(request.incidentId, (incident) => addNote(incident, { ...request, atMs: nowMs }));
      case "delete_note":
        return this.#change(request.incidentId, (incident) => deleteNote(incident, request.atMs), NO_NOTE);
      case "list_maintenance":
        return done({ maintenance: this.#listed().map(windowOf) } satisfies Answer<"plannedAnswerSchema">);
      case "plan_maintenance":
        return this.#plan(request);
      case "cancel_maintenance":
        return this.#cancel(request.id);
      case "list_announcements":
        return done({ announcements: this.#announcements() });
      case "announce":
        return this.#announce(request.said);
      case "update_announcement":
        return this.#update(request);
      case "delete_announcement":
        return this.#unsay(request.id);
      case "list_alerts":
        return this.#listAlerts();
      case "replay_alerts":
        return this.#replay(request.channel, request.eventId);
      case "test_alert":
        return this.#test(request.channel, sendTest);
      case "list_quarantine":
        return this.#listQuarantine();
      case "clear_quarantine":
        return done({ cleared: this.#memory.quarantine.clear() } satisfies Answer<"clearedAnswerSchema">);
    }
  }

  #monitorsOf(subject: string): readonly string[] {
    const { monitors } = this.#memory.state;
    return Object.keys(monitors).filter((id) => id === subject || gatewayOf(id) === subject);
  }

  /** Leaves out paused monitors, unless all are paused. */
  #probeNow(subject: string, monitorIds: readonly string[]): AdminAnswer {
    if (monitorIds.length === 0) return noSuch(subject);
    const { monitors } = this.#memory.state;
    const due = monitorIds.filter((id) => entryOf(monitors, id)?.pausedAtMs === null);
    if (due.length === 0) return conflict("The monitor is paused: resume it first.");
    const { config } = this.#settings;
    const state = due.reduce((before, id) => probeSoon(before, config, id), this.#memory.state);
    this.#commit(state, NO_CHANGES);
    const answers = due.map((id) => this.#dueAnswer(id));
    return doneTo(subject, answers);
  }

  #dueAnswer(monitorId: string): Answer<"dueAnswerSchema"> {
    const { journal, canaries } = this.#memory.state;
    const gateway = entryOf(journal.gateways, gatewayOf(monitorId));
    const laneMs = entryOf(canaries, monitorId) ? (gateway?.canaries.heldUntilMs ?? 0) : 0;
    const heldUntilMs = Math.max(gateway?.heldUntilMs ?? 0, laneMs);
    // A gateway's Retry-After binds administrators too.
    const notBefore = heldUntilMs > this.#settings.now() ? instant(heldUntilMs) : null;
    return { monitor: monitorId, notBefore };
  }

  #probeIncident(incidentId: string, by: string | null): AdminAnswer {
    const incident = entryOf(this.#memory.state.incidents, incidentId);
    if (!incident) return NO_INCIDENT;
    const ids = incident.memberIds.length > 0 ? incident.memberIds : Object.keys(this.#memory.state.monitors);
    const answer = this.#probeNow(incident.gatewayId ?? "", ids);
    if (answer.ok) this.#act(incidentId, "checked", { by, untilMs: null });
    return answer;
  }

  #pause({ subject, untilMs, by }: Extract<AdminRequest, { type: "pause" }>): AdminAnswer {
    return this.#changeEach(subject, (state, id) =>
      pauseMonitor(state, id, { untilMs, by }, this.#settings.now()),
    );
  }

  #resume(subject: string): AdminAnswer {
    return this.#changeEach(subject, ({ monitors }, id) => {
      const monitor = entryOf(monitors, id);
      return monitor && monitor.pausedAtMs !== null ? { ...NEWS, monitor: resumeMonitor(monitor) } : null;
    });
  }

  /** @param change null: nothing is to be done. */
  #changeEach(
    subject: string,
    change: (state: LedgerState, id: string) => (Transition & { readonly monitor: MonitorState }) | null,
  ): AdminAnswer {
    const ids = this.#monitorsOf(subject);
    for (const id of ids) {
      const { state } = this.#memory;
      const changed = change(state, id);
      if (changed)
        this.#commit({ ...state, monitors: { ...state.monitors, [id]: changed.monitor } }, changed);
    }
    return this.#paused(subject, ids);
  }

  #paused(subject: string, monitorIds: readonly string[]): AdminAnswer {
    if (monitorIds.length === 0) return noSuch(subject);
    const answers = monitorIds.map((id): Answer<"pausedAnswerSchema"> => {
      const { pausedAtMs, pause } = this.#memory.state.monitors[id] ?? { pausedAtMs: null, pause: null };
      return {
        monitor: id,
        pausedAt: instantOrNull(pausedAtMs),
        pausedUntil: instantOrNull(pause?.untilMs ?? null),
        pausedBy: pause?.by ?? null,
      };
    });
    return doneTo(subject, answers);
  }

  /** As it is now, with everything that the public does not see. */
  #readIncident(incidentId: string): AdminAnswer {
    const { incidents, journal } = this.#memory.state;
    const incident = entryOf(incidents, incidentId);
    if (!incident) return NO_INCIDENT;
    const read = { pages: journal.pages, nowMs: this.#settings.now() };
    return done(incidentDocument(incident, this.#settings.config, "everything", read));
  }

  #act(
    incidentId: string,
    type: IncidentAction["type"],
    { by, untilMs }: Pick<IncidentAction, "by" | "untilMs">,
  ): AdminAnswer {
    const atMs = this.#settings.now();
    return this.#change(incidentId, (incident) => withAction(incident, { type, by, atMs, untilMs }));
  }

  /** @param change null: it is refused. */
  #change(
    incidentId: string,
    change: (incident: Incident) => Incident | null,
    refusal: AdminAnswer = FULL_OF_NOTES,
  ): AdminAnswer {
    const { state } = this.#memory;
    const before = entryOf(state.incidents, incidentId);
    if (!before) return NO_INCIDENT;
    const incident = change(before);
    if (incident === null) return refusal;
    if (incident !== before) {
      const incidents = { ...state.incidents, [incidentId]: incident };
      this.#commit({ ...state, incidents }, NEWS);
    }
    return done(notedOf(incident) satisfies Answer<"notedAnswerSchema">);
  }

  /** The id is a digest of the window: the same window is planned only once, and has the same id in all shards. */
  #plan({ gateways, fromMs, toMs, title }: PlanRequest): AdminAnswer {
    const stranger = this.#strangerIn(gateways);
    if (stranger !== undefined) return missing(`There is no gateway ${stranger}.`);
    const { planned } = this.#memory.state.journal;
    const id = `m${stableHash(JSON.stringify([gateways, fromMs, toMs, title])).toString(36)}`;
    const same = planned.find((known) => known.id === id);
    if (same !== undefined) return done(windowOf(same) satisfies Answer<"plannedWindowSchema">);
    if (this.#listed().length >= MOST_PLANNED)
      return conflict(`More than ${MOST_PLANNED} windows are too many.`);
    const window = { id, gateways: [...gateways], fromMs, toMs, title };
    this.#storePlanned([...planned, window]);
    return done(windowOf(window) satisfies Answer<"plannedWindowSchema">);
  }

  #cancel(id: string): AdminAnswer {
    if (!this.#listed().some((window) => window.id === id)) {
      return missing("There is no such window here; those of the configuration go with a deploy.");
    }
    const { planned } = this.#memory.state.journal;
    this.#storePlanned(planned.filter((window) => window.id !== id));
    return done({ id } satisfies Answer<"cancelledAnswerSchema">);
  }

  #strangerIn(gateways: readonly string[]): string | undefined {
    const configured = new Set(this.#settings.config.gateways.map((gateway) => gateway.id));
    return gateways.find((gateway) => !configured.has(gateway));
  }

  #announcements(): readonly Announcement[] {
    return keptAnnouncements(this.#memory.state.announcements, this.#settings.now());
  }

  /** As for maintenance, the id is a digest: while the same is open, it is announced once, and has one id in all shards. */
  #announce(said: Omit<Announcement, "id">): AdminAnswer {
    const stranger = this.#strangerIn(said.gateways);
    if (stranger !== undefined) return missing(`There is no gateway ${stranger}.`);
    const { kind, title, gateways, updates } = said;
    const id = `a${stableHash(JSON.stringify([kind, title, gateways, updates[0]?.body])).toString(36)}`;
    const all = this.#announcements();
    const open = openAnnouncements(all, this.#settings.now());
    const same = open.find((one) => one.id === id);
    if (same) return done({ ...same });
    if (open.length >= MOST_OPEN) return conflict(`At most ${MOST_OPEN} announcements are open.`);
    return this.#tell({ id, ...said }, [{ id, ...said }, ...all.filter((one) => one.id !== id)]);
  }

  /** Said again, it is one update. */
  #update({ id, update, until }: UpdateRequest): AdminAnswer {
    const all = this.#announcements();
    const before = all.find((one) => one.id === id);
    if (!before) return NO_ANNOUNCEMENT;
    const last = before.updates.at(-1);
    const status = before.kind === "incident" ? (update.status ?? last?.status ?? null) : null;
    const isSame = last?.body === update.body && last.status === status;
    const updates = isSame ? before.updates : [...before.updates, { ...update, status }];
    const after = { ...before, updates, until: until ?? before.until };
    return this.#tell(
      after,
      all.map((one) => (one === before ? after : one)),
    );
  }

  #unsay(id: string): AdminAnswer {
    const all = this.#announcements();
    const left = all.filter((one) => one.id !== id);
    return left.length === all.length ? NO_ANNOUNCEMENT : this.#tell({ id }, left);
  }

  #tell(answer: Announcement | Answer<"cancelledAnswerSchema">, announcements: readonly Announcement[]) {
    if (JSON.stringify(announcements).length > MOST_TEXT)
      return conflict("All announcements together have too much text: delete old ones.");
    this.#commit({ ...this.#memory.state, announcements }, NEWS);
    return done({ ...answer });
  }

  #listAlerts(): AdminAnswer {
    const { shard } = this.#settings;
    const { outbox } = this.#memory;
    const channels = outbox.statuses(this.#settings.now()).map((status) => Object.assign({ shard }, status));
    const undelivered = this.#channelIds(null).flatMap((id) =>
      outbox
        .queue(id)
        .undelivered()
        .map(({ eventId, type, incidentId, atMs, sinceMs, reason, tries }) => ({
          shard,
          channel: id,
          event: eventId,
          type,
          incident: incidentId,
          at: instant(atMs),
          since: instant(sinceMs),
          reason,
          tries,
        })),
    );
    return done({ channels, undelivered } satisfies Answer<"alertsAnswerSchema">);
  }

  #replay(channel: string | null, eventId: string | null): AdminAnswer {
    const ids = this.#channelIds(channel);
    if (ids.length === 0) return NO_CHANNEL;
    const { outbox: owed } = this.#memory;
    if (eventId !== null && !ids.some((id) => owed.queue(id).owes(eventId))) return NO_EVENT;
    const answer = { replayed: 0, triedNow: 0 };
    this.#memory.transact(({ outbox }) => {
      for (const id of ids) {
        const { replayed, triedNow } = outbox.queue(id).replay(eventId, this.#settings.now());
        answer.replayed += replayed;
        answer.triedNow += triedNow;
      }
      outbox.store();
    });
    return done(answer satisfies Answer<"replayedAnswerSchema">);
  }

  async #test(channel: string | null, sendTest: SendTest): Promise<AdminAnswer> {
    const { config } = this.#settings;
    const ids = this.#channelIds(channel);
    if (ids.length === 0) return NO_CHANNEL;
    const event = testEvent(config, this.#settings.now());
    const channels = await Promise.all(
      ids.map(async (id) => ({ channel: id, answer: await sendTest(id, event) })),
    );
    return done({ event: event.id, channels } satisfies Answer<"testedAnswerSchema">);
  }

  /** Without the browsers of `push`: each gets a message when it subscribes. @param channel null: all. */
  #channelIds(channel: string | null): readonly string[] {
    return this.#settings.config.alerts
      .filter(({ id, kind }) => kind !== "push" && (channel === null || id === channel))
      .map(({ id }) => id);
  }

  #listQuarantine(): AdminAnswer {
    const { shard } = this.#settings;
    const records = this.#memory.quarantine.list().map((record) => Object.assign({ shard }, record));
    return done({ records } satisfies Answer<"quarantineAnswerSchema">);
  }

  /** The windows that have not ended. The journal keeps ended ones for a while. */
  #listed(): readonly PlannedWindow[] {
    const nowMs = this.#settings.now();
    return this.#memory.state.journal.planned.filter(({ toMs }) => toMs > nowMs);
  }

  #storePlanned(planned: PlannedWindow[]): void {
    const { state } = this.#memory;
    const journal = { ...state.journal, planned };
    this.#commit({ ...state, journal }, NEWS);
  }

  #commit(state: LedgerState, changes: Transition): void {
    const { incidents, resolved } = applyChanges(state.incidents, changes);
    const { happenings, isNews } = changes;
    this.#store({ state: { ...state, incidents }, happenings, resolved, changed: isNews });
  }
}

const FULL_OF_NOTES = conflict(`An incident has at most ${MAX_NOTES} notes.`);
const NO_NOTE = missing("There is no note of that instant.");
const NO_INCIDENT = missing("There is no such open incident.");
const NO_EVENT = missing("There is no such event that waits or could not be delivered there.");
const NO_ANNOUNCEMENT = missing("There is no such announcement.");
const NO_CHANNEL = missing("There is no such alert channel in the configuration.");

function isMonitor(subject: string): boolean {
  return subject.includes("/");
}

function noSuch(subject: string): AdminAnswer {
  return missing(isMonitor(subject) ? "There is no such monitor." : "There is no such gateway.");
}

function instantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : instant(atMs);
}

function notedOf(incident: Incident): Answer<"notedAnswerSchema"> {
  const { acknowledgedAtMs, notes } = incident;
  const silentMs = silentUntilMs(incident);
  return {
    incident: incident.id,
    acknowledgedAt: instantOrNull(acknowledgedAtMs),
    silenced: silentMs === null ? null : { until: Number.isFinite(silentMs) ? instant(silentMs) : null },
    notes: notes.map(noteOf),
  };
}

function done(value: Readonly<Record<string, unknown>>): AdminAnswer {
  return { ok: true, value };
}

/** One answer for a monitor; a list for a gateway. */
function doneTo(
  subject: string,
  monitors: (Answer<"dueMonitorsAnswerSchema"> | Answer<"pausedMonitorsAnswerSchema">)["monitors"],
): AdminAnswer {
  return done(isMonitor(subject) ? { ...monitors[0] } : { monitors });
}

function missing(detail: string): AdminAnswer {
  return { ok: false, why: "not_found", detail };
}

function conflict(detail: string): AdminAnswer {
  return { ok: false, why: "conflict", detail };
}

function windowOf({ id, gateways, fromMs, toMs, title }: PlannedWindow): Answer<"plannedWindowSchema"> {
  return { id, gateways: [...gateways], from: instant(fromMs), to: instant(toMs), title };
}

/** A canary that is skipped because its list fails runs as soon as the list works, so the list is probed first. */
export function probeSoon(state: LedgerState, config: Config, monitorId: string): LedgerState {
  const canary = entryOf(state.canaries, monitorId);
  const lists = canary?.skip?.reason === "gateway" ? listsOf(config, gatewayOf(monitorId)) : [];
  const monitors = { ...state.monitors };
  for (const id of [monitorId, ...lists]) {
    const monitor = entryOf(monitors, id);
    if (monitor) monitors[id] = { ...monitor, nextDueMs: 0, refusalsInARow: 0 };
  }
  const canaries = canary ? { ...state.canaries, [monitorId]: askSoon(canary) } : state.canaries;
  return { ...state, monitors, canaries };
}

function listsOf({ gateways }: Config, gatewayId: string): readonly string[] {
  const monitors = gateways.find(({ id }) => id === gatewayId)?.monitors ?? [];
  return monitors.filter(({ canary }) => canary === null).map(({ id }) => id);
}
