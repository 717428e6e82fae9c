/**
 * Finds known secrets in a text: whole or in part, in given forms. Pure; linear in the text whatever it holds,
 * with an index of the secrets that is built once.
 *
 * The index holds six characters out of every form at such intervals that each run that must be found holds one of
 * them whole. What stands around them decides, within fixed bounds.
 */

import { type SecretForm, foldText } from "./encodings.ts";
import type { Range } from "./ranges.ts";
import { isPlainRun } from "./shapes.ts";

/** Finds every run of a known secret; the ranges may overlap and are in no order. */
export type FindKnown = (text: string) => readonly Range[];

const GRAM = 6;

export function createKnownFinder(forms: readonly SecretForm[]): FindKnown {
  const anchors = collectAnchors(forms);
  if (anchors.length === 0) return () => [];
  const table = byGram(anchors);
  return (text) => find(text, table);
}

/** Six characters of a form, and how far around them to compare. */
interface Anchor {
  readonly form: SecretForm;
  /** The form's text, folded. */
  readonly folded: string;
  readonly at: number;
  readonly reach: number;
  /** Whether the form goes on on both sides as far as the reach. */
  readonly isInner: boolean;
}

/** By their six characters. */
type Anchors = ReadonlyMap<string, readonly Anchor[]>;

function collectAnchors(forms: readonly SecretForm[]): readonly Anchor[] {
  const anchors: Anchor[] = [];
  const seen = new Set<string>();
  for (const form of forms) {
    const folded = foldText(form.text);
    const reach = form.sureRun - GRAM;
    const interval = form.minRun - GRAM + 1;
    for (let at = 0; at + GRAM <= folded.length; at += interval) {
      // A secret of one repeated letter must not fill its slot: anchors with the same surroundings are one.
      const ends = (at < reach ? at : reach) * 64 + Math.min(folded.length - at - GRAM, reach);
      const around = `${ends} ${folded.slice(Math.max(0, at - reach), at + GRAM + reach)}`;
      if (seen.has(around)) continue;
      seen.add(around);
      anchors.push({ form, folded, at, reach, isInner: ends === reach * 65 });
    }
  }
  return anchors;
}

function byGram(anchors: readonly Anchor[]): Anchors {
  const found = new Map<string, Anchor[]>();
  for (const anchor of [...anchors].sort(farthestFirst)) {
    const gram = anchor.folded.slice(anchor.at, anchor.at + GRAM);
    found.set(gram, [...(found.get(gram) ?? []), anchor]);
  }
  return found;
}

/** What the farthest finds on both sides needs no other. */
function farthestFirst(a: Anchor, b: Anchor): number {
  return Number(b.isInner) - Number(a.isInner) || b.reach - a.reach;
}

function find(text: string, anchors: Anchors): readonly Range[] {
  const found: Range[] = [];
  const folded = foldText(text);
  let last: Growing | null = null;
  for (let start = 0; start + GRAM <= folded.length; start += 1) {
    for (const anchor of anchors.get(folded.slice(start, start + GRAM)) ?? NONE) {
      const range = runAround(folded, start, anchor);
      if (range === null) continue;
      last = joined(found, last, range);
      // Nothing reaches farther: of a secret of one repeated letter every anchor is alike.
      if (isFull(range, anchor.reach)) break;
    }
  }
  return found;
}

const NONE: readonly Anchor[] = [];

function isFull({ start, end }: Range, reach: number): boolean {
  return end - start >= GRAM + 2 * reach;
}

interface Growing {
  start: number;
  end: number;
}

/** Adds a range, to the last one if they overlap: a long secret is found at every few of its characters. */
function joined(found: Range[], last: Growing | null, { start, end }: Range): Growing {
  if (last !== null && start <= last.end && end >= last.start) {
    last.start = Math.min(last.start, start);
    last.end = Math.max(last.end, end);
    return last;
  }
  const next: Growing = { start, end };
  found.push(next);
  return next;
}

/** The part of the run around an anchor that its reach allows, or null when there is too little of the secret. */
function runAround(text: string, start: number, { form, folded, at, reach }: Anchor): Range | null {
  const same = (offset: number): boolean =>
    text.charCodeAt(start + offset) === folded.charCodeAt(at + offset);
  let before = 0;
  while (before < reach && same(-before - 1)) before += 1;
  let after = GRAM;
  while (after < GRAM + reach && same(after)) after += 1;
  if (before + after < form.minRun) return null;
  const isSure = before + after >= form.sureRun;
  if (!isSure && isPlainRun(form.text.slice(at - before, at + after), form.text)) return null;
  const isFirst = at === before && form.bitsBefore && /[\w+/-]/.test(text.charAt(start - before - 1));
  const isLast = at + after === folded.length && form.bitsAfter && /[\w+/-]/.test(text.charAt(start + after));
  return { start: start - before - (isFirst ? 1 : 0), end: start + after + (isLast ? 1 : 0) };
}
