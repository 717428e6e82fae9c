/** KV of the story: what is written to it stays, and all of it can be read and put back. */
import type { Stored } from "../stored.ts";

/** What lies in KV as it was restored, and was not written since. */
const restored = new Map<string, string>();

/** Virtual time may lie in the real past, where KV would drop the value at once. */
export function lasting(kv: KVNamespace, onWrite: () => void): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      if (name !== "put") {
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      }
      return async (key: string, value: ArrayBuffer, { metadata }: KVNamespacePutOptions) => {
        onWrite();
        restored.delete(key);
        await target.put(key, value, metadata === undefined ? {} : { metadata });
      };
    },
  });
}

/** Of a thousand values few are others than those that are there. */
export async function restoreKv(kv: KVNamespace, values: Stored["kv"]): Promise<void> {
  const there = new Set(await keysOf(kv));
  const wanted = new Set(values.map(({ key }) => key));
  const gone = [...there].filter((key) => !wanted.has(key));
  const missing = values.filter((value) => {
    return !there.has(value.key) || restored.get(value.key) !== JSON.stringify(value);
  });
  await Promise.all(gone.map((key) => kv.delete(key)));
  await Promise.all(missing.map(({ key, base64, metadata }) => kv.put(key, bytesOf(base64), { metadata })));
  restored.clear();
  for (const value of values) restored.set(value.key, JSON.stringify(value));
}

async function keysOf(kv: KVNamespace): Promise<readonly string[]> {
  const keys: string[] = [];
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ cursor });
    keys.push(...page.keys.map(({ name }) => name));
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return keys;
}

export async function dumpKv(kv: KVNamespace): Promise<Stored["kv"]> {
  const values: Stored["kv"][number][] = [];
  for (const key of await keysOf(kv)) {
    const { value, metadata } = await kv.getWithMetadata(key, "arrayBuffer");
    if (value !== null) values.push({ key, base64: base64Of(value), metadata });
  }
  return values;
}

export function base64Of(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
