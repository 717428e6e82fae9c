/** JSON merge patches (RFC 7396): members that are written replace, those that are null go. Pure. */

/** Both are JSON. Neither is changed, and the result shares what was not patched. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // A member may be called __proto__; this makes it a member like any other.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
