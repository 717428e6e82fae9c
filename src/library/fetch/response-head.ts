/** Status and headers of an answer, as they are judged. */

export interface Head {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function headOf({ status, headers }: Response): Head {
  // Without a prototype `__proto__` is a name like any other.
  const read: Record<string, string> = Object.create(null);
  headers.forEach((value, name) => {
    read[name.toLowerCase()] = value.trim();
  });
  return { status, headers: read };
}
