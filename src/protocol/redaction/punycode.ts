/** The Unicode form of a host name that is written in ASCII: Punycode, RFC 3492 section 6.2. Pure. */

const PREFIX = "xn--";
const BASE = 36;
const MIN_THRESHOLD = 1;
const MAX_THRESHOLD = 26;
const FIRST_POINT = 0x80;
const FIRST_BIAS = 72;

/** `xn--bcher-kva.example` is `bücher.example`; a label that is no Punycode stays as it is. */
export function unicodeHost(host: string): string {
  return host
    .split(".")
    .map((label) => (label.startsWith(PREFIX) ? (decodeLabel(label.slice(PREFIX.length)) ?? label) : label))
    .join(".");
}

function decodeLabel(label: string): string | null {
  const delimiter = label.lastIndexOf("-");
  const points = Array.from(
    label.slice(0, Math.max(0, delimiter)),
    (character) => character.codePointAt(0) ?? 0,
  );
  let point = FIRST_POINT;
  let index = 0;
  let bias = FIRST_BIAS;
  for (let at = delimiter + 1; at < label.length;) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(label.charAt(at), BASE);
      at += 1;
      if (Number.isNaN(digit)) return null;
      const value = digitOrder(digit);
      index += value * weight;
      const threshold = Math.min(MAX_THRESHOLD, Math.max(MIN_THRESHOLD, k - bias));
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const size = points.length + 1;
    bias = adapt(index - before, size, before === 0);
    point += Math.floor(index / size);
    index %= size;
    if (point > 0x10ffff) return null;
    points.splice(index, 0, point);
    index += 1;
  }
  return String.fromCodePoint(...points);
}

/** Letters are 0 to 25 and digits 26 to 35, the other way round than in a number to the base 36. */
function digitOrder(digit: number): number {
  return digit < 10 ? digit + 26 : digit - 10;
}

function adapt(delta: number, size: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / size);
  let k = 0;
  for (; rest > ((BASE - MIN_THRESHOLD) * MAX_THRESHOLD) / 2; k += BASE)
    rest = Math.floor(rest / (BASE - MIN_THRESHOLD));
  return k + Math.floor(((BASE - MIN_THRESHOLD + 1) * rest) / (rest + 38));
}
