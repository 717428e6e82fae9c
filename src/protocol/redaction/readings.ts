/**
 * All the ways to read one text: without its escapes, as the eye sees it, and what stands in it in base64 or hexadecimal, read in
 * the same ways again. Pure; linear in the text, for the number of views of a place is bounded.
 */
import { base64Text, sextetOf } from "./encodings.ts";
import type { Edit } from "./ranges.ts";
import {
  type RewrittenView,
  type View,
  plainView,
  reduced,
  rewritten,
  viewsWithoutEscapes,
} from "./views.ts";

export interface Readings {
  /** Without its outermost escapes; null when there are none. */
  readonly first: RewrittenView | null;
  /** All that differ from the text itself. */
  readonly views: readonly View[];
  /** Without line breaks, where a secret may go on in the next line. */
  readonly unwrapped: readonly View[];
}

/** base64 of base64 occurs; deeper nesting costs more than it finds. */
const MAX_NESTING = 2;

export function readingsOf(text: string): Readings {
  const source = plainView(text);
  const decoded = viewsWithoutEscapes(source);
  const views: View[] = [];
  const unwrapped: View[] = [];
  collect(source, decoded, MAX_NESTING, views, unwrapped);
  return { first: decoded[0] ?? null, views, unwrapped };
}

function collect(
  source: View,
  decoded: readonly View[],
  depth: number,
  views: View[],
  unwrapped: View[],
): void {
  const deepest = decoded.at(-1) ?? source;
  const visible = visibleView(deepest);
  views.push(...decoded);
  if (visible !== null) views.push(visible);
  const legible = visible ?? deepest;
  const whole = unwrappedView(legible);
  if (whole !== null) unwrapped.push(whole);
  if (depth === 0) return;
  for (const encoded of encodedViews(legible)) {
    views.push(encoded);
    collect(encoded, viewsWithoutEscapes(encoded), depth - 1, views, unwrapped);
  }
}

/** Nothing but printable ASCII and line ends: it is spelled as it is. */
const UNUSUAL = /[^\t\n\r\u0020-\u007e]/;
/** A run of invisible characters, or a character that may have a plain form; Han and Hangul have none. */
const CLUSTERS =
  /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\t\n\r]]+|[\P{ASCII}--[\u3400-\u9fff\uac00-\ud7a3]]/gv;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u;

const MAX_GROWTH = 4;

/** As the eye reads it: compatibility letters as plain ones (Unicode NFKC), nothing invisible; null if it is so already. */
function visibleView(source: View): View | null {
  if (!UNUSUAL.test(source.text)) return null;
  const edits: Edit[] = [];
  for (const { index: start, 0: cluster } of source.text.matchAll(CLUSTERS)) {
    const by = INVISIBLE.test(cluster) ? "" : cluster.normalize("NFKC").replaceAll("。", ".");
    // One character may stand for a sentence of 18; that is no spelling of a key.
    if (by !== cluster && by.length <= cluster.length * MAX_GROWTH)
      edits.push({ start, end: start + cluster.length, by });
  }
  return edits.length === 0 ? null : rewritten(source, edits);
}

const BREAKS = /[ \t]*\r?\n[ \t]*|<w?br ?\/?>/gi;

/** Without line breaks, of text or of a page; null if there are none. */
function unwrappedView(source: View): View | null {
  return /\n|<w?br/i.test(source.text) ? reduced(source, BREAKS) : null;
}

const BASE64_RUN = /[\w+/-]{16,}/g;
const HEX_RUN = /(?:[\dA-Fa-f]{2}){8,}/g;
/** So many first characters tell whether a run spells a text. */
const SAMPLE = 16;
const TEXT = /^[\0\t\n\r -~]+$/;

/** The texts that stand in it in base64, whatever is glued to their beginning, or in hexadecimal. */
function encodedViews(source: View): readonly View[] {
  const views: View[] = [];
  for (const { index, 0: run } of source.text.matchAll(BASE64_RUN)) {
    const start = textStart(run);
    if (start !== null) views.push(base64View(source, index + start, run.slice(start)));
  }
  for (const { index, 0: run } of source.text.matchAll(HEX_RUN)) {
    if (isTextInHex(run)) views.push(hexView(source, index, run));
  }
  return views;
}

function isTextInHex(run: string): boolean {
  return TEXT.test(hexText(run.slice(0, SAMPLE)));
}

/** Where base64 of a text begins in a run: at its first characters, or behind a `/`, `-` or `_`. */
function textStart(run: string): number | null {
  for (let start = 0; start < 4; start += 1) if (isTextAt(run, start)) return start;
  if (!/[/_-][A-Za-z0-9+]{16}/.test(run)) return null;
  for (const { index } of run.matchAll(/[/_-](?=[A-Za-z0-9+]{16})/g))
    if (isTextAt(run, index + 1)) return index + 1;
  return null;
}

/** Stops at the first byte that is no text's: nearly every id and name is looked at, and next to none is base64. */
function isTextAt(run: string, start: number): boolean {
  const end = Math.min(run.length, start + SAMPLE);
  let [bits, held, bytes] = [0, 0, 0];
  for (let at = start; at < end; at += 1) {
    bits = ((bits << 6) | sextetOf(run.charCodeAt(at))) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    if (!isTextByte((bits >> held) & 0xff)) return false;
    bytes += 1;
  }
  return bytes > 0;
}

/** As `TEXT`. */
function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte <= 0x7e) || byte === 0 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Three bytes are four characters; a character that holds bits of two bytes belongs to both. */
function base64View(source: View, at: number, run: string): View {
  const locate: View["locate"] = (start, end) =>
    source.locate(at + Math.floor((start * 4) / 3), at + Math.min(run.length, Math.ceil((end * 4) / 3)));
  return { text: base64Text(run), locate };
}

function hexView(source: View, at: number, run: string): View {
  return { text: hexText(run), locate: (start, end) => source.locate(at + start * 2, at + end * 2) };
}

function hexText(digits: string): string {
  return digits.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}
