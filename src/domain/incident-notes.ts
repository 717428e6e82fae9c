/**
 * What people add to an incident: that they have seen it, and notes. Pure.
 */
import type { Incident } from "./incident.ts";

export const MAX_NOTES = 20;
/** In characters, not in UTF-16 units. */
export const MAX_NOTE_LENGTH = 500;

/** The first time counts. */
export function acknowledgeIncident(incident: Incident, atMs: number): Incident {
  return incident.acknowledgedAtMs === null ? { ...incident, acknowledgedAtMs: atMs } : incident;
}

/**
 * Spaces around the text are dropped; nothing is ever cut.
 * @param note its text has 1 to `MAX_NOTE_LENGTH` characters, as the entrance has made sure.
 * @returns null: the incident has as many as it may have.
 */
export function addNote(
  incident: Incident,
  note: { readonly atMs: number; readonly text: string },
): Incident | null {
  if (incident.notes.length >= MAX_NOTES) return null;
  return { ...incident, notes: [...incident.notes, { atMs: note.atMs, text: note.text.trim() }] };
}
