/**
 * Where a file that belongs to the pages is served: the address bears a hash of its contents, so that browsers may keep it
 * for ever. Pure.
 */

export function assetPath(text: string, extension: "css" | "js"): string {
  return `/assets/${hashOf(text)}.${extension}`;
}

/** FNV-1a, twice 32 bits: it tells versions apart, and keeps nobody out. */
function hashOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
