/** What the object of a vantage point is called. Pure. */

/** Each of several shards has one of its own in a region: they would wait for each other's connections. */
export function vantageName(
  region: string,
  { shard, shards }: { readonly shard: number; readonly shards: number },
): string {
  return shards === 1 ? region : `${region}-${shard}`;
}

/** Some regions have a hyphen, none has a number. */
export function regionNamed(name: string): string {
  return name.replace(/-\d+$/u, "");
}
