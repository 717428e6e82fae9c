/** The runtime's behaviour that the product is written for; a test keeps `wrangler.toml` in step. */
export const COMPATIBILITY_DATE = "2026-10-20";
export const COMPATIBILITY_FLAGS: readonly string[] = ["global_fetch_strictly_public"];
