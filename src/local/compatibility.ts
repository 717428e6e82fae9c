/** The runtime behaviour that the code expects. A test compares it with `wrangler.toml`. */
export const COMPATIBILITY_DATE = "2026-10-20";
export const COMPATIBILITY_FLAGS: readonly string[] = ["global_fetch_strictly_public"];
