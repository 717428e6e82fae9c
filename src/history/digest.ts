/** SHA-256 in hexadecimal, cut to what tells two contents apart. */

/** @param bytes how many bytes of the digest, 1 to 32. */
export async function sha256Hex(content: string | Uint8Array, bytes: number): Promise<string> {
  const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest.subarray(0, bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
