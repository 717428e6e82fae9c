/** Work that may never end. */

/** @throws (rejects) where it takes longer; what it comes to then is of no account. */
export async function inTime<Value>(work: Promise<Value>, longestMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), longestMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
