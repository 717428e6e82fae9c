/**
 * A badge as an SVG image of its own: 20 px high, without scripts, styles or anything from elsewhere. Pure.
 */
import type { Badge } from "./badge.ts";
import { escapeXml } from "./xml.ts";

export const SVG_TYPE = "image/svg+xml; charset=utf-8";

const LABEL_COLOR = "#32383f";
const MARGIN = 6;

export function badgeSvg({ label, message, color }: Badge): string {
  const labelWidth = textWidth(label);
  const messageWidth = textWidth(message);
  const left = labelWidth + 2 * MARGIN;
  const right = messageWidth + 2 * MARGIN;
  const words = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${words}">`,
    `<title>${words}</title>`,
    // The corners are drawn: what clips would need an id, and ids clash where badges stand side by side.
    `<path fill="${LABEL_COLOR}" d="M3 0h${left - 3}v20h-${left - 3}a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    `<path fill="${color}" d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z"/>`,
    '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    text(label, MARGIN, labelWidth),
    text(message, left + MARGIN, messageWidth),
    "</g></svg>",
  ].join("");
}

/** The length is told, so that it fits in whatever font there is. */
function text(words: string, x: number, width: number): string {
  return `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`;
}

/** In whole pixels, at 11 px. */
function textWidth(words: string): number {
  let width = 0;
  for (const character of words) width += widthOf(character);
  return Math.ceil((width * 11) / 1000);
}

/** Advances of Verdana in thousandths of the font's size, rounded up to classes. */
const CLASSES: readonly (readonly [width: number, characters: string])[] = [
  [274, "il'"],
  [364, "jf ,.·"],
  [427, "tr!I"],
  [459, '()-/:;[\\]|J"'],
  [525, "csz"],
  [575, "?LF"],
  [607, "kvxyeaoP"],
  [636, "0123456789bdghnpquETY$*_`{}"],
  [698, "ABCKRSVXZ"],
  [751, "HNU&"],
  [787, "DGOQ"],
  [843, "wM#+<=>^~…"],
  [1000, "mW@"],
  [1076, "%"],
];

/** East Asian characters and pictographs are square; marks stand on the letter before them. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u;
const MARK = /[\p{M}\p{Cf}]/u;

function widthOf(character: string): number {
  const known = CLASSES.find(([, characters]) => characters.includes(character));
  if (known) return known[0];
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 1000 : 700;
}
