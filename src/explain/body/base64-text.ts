/** Text that was stored as base64, because its writer took it for bytes. Pure; linear. */

/** The text; null where it is not base64. Bytes that are no UTF-8 are read as one character each. */
export function textOfBase64(base64: string): string | null {
  const digits = base64.replace(/[\s=]+/g, "");
  if (/[^A-Za-z0-9+/_-]/.test(digits) || digits.length % 4 === 1) return null;
  const bytes = bytesOf(digits);
  return textOfUtf8(bytes) ?? latin1Of(bytes);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function bytesOf(digits: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const digit of digits.replaceAll("-", "+").replaceAll("_", "/")) {
    bits = ((bits << 6) | DIGITS.indexOf(digit)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = (bits >> count) & 0xff;
    at += 1;
  }
  return bytes;
}

function textOfUtf8(bytes: Uint8Array): string | null {
  const escaped: string[] = [];
  for (const byte of bytes) escaped.push(`%${byte.toString(16).padStart(2, "0")}`);
  try {
    return decodeURIComponent(escaped.join(""));
  } catch {
    return null;
  }
}

const CHUNK = 8192;

function latin1Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return parts.join("");
}
