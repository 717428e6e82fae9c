/**
 * Texts of strangers inside XML 1.0. Pure.
 */
import { visibleText } from "../protocol/message.ts";

/** As text or as an attribute's value; what XML cannot carry even as a reference is gone (XML 1.0, 2.2). */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A line without what cannot be seen or turns the writing round. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}

// oxlint-disable-next-line no-control-regex -- these characters are what is taken out
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;
