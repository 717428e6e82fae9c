/** The headers of an answer. A runtime makes each of them anew for whoever looks at it: none is, before it is asked for. */

/** What both runtimes' headers can do. */
export interface AnsweredHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

/**
 * Names come in lower case (Fetch standard, 5.1). The runtimes differ in whether white space around a value, which is no
 * part of it (RFC 9110, 5.5), is kept.
 */
export function headersOf(headers: AnsweredHeaders): Readonly<Record<string, string>> {
  // Without a prototype `__proto__` is a name like any other.
  const known: Record<string, string> = Object.create(null);
  const all = (): Record<string, string> => {
    headers.forEach((value, name) => {
      known[name] = value.trim();
    });
    return known;
  };
  return new Proxy(known, {
    get: (_, name) => (typeof name === "string" ? headers.get(name)?.trim() : undefined),
    has: (_, name) => Reflect.has(all(), name),
    ownKeys: () => Reflect.ownKeys(all()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(all(), name),
  });
}
