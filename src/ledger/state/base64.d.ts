/** Standard (ES2026), and in every runtime of the Worker; TypeScript's es2024 does not know it yet. */
interface Uint8Array {
  toBase64(): string;
}
interface Uint8ArrayConstructor {
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
