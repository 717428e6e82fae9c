/** The private view as tests ask it. */
import { beforeEach, expect } from "vitest";
import { SnapshotMemory } from "../../src/http/published.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import { type World } from "./published-status.ts";

export const TOKEN = "let-me-see:the-page";
export const BEARER = { authorization: `Bearer ${TOKEN}` };
export const BASIC = { authorization: basic(`prometheus:${TOKEN}`) };
export const CLOSED = Object.values(EVERY_ROUTE).filter(({ url }) => url !== "/healthz");

export function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** Asks a world whose view is private: in each test one isolate, which remembers what it read. */
export function asker(world: World): World["ask"] {
  let memory = new SnapshotMemory();
  beforeEach(() => {
    memory = new SnapshotMemory();
  });
  return (path, init, deps) => world.ask(path, init, { viewToken: TOKEN, memory, ...deps });
}

export function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}

/** Nobody but who asked may have it, and nobody may keep it. */
export function expectPrivate(response: Response, where: string): void {
  const headers = headersOf(response);
  expect(headers["cache-control"], where).toBe("private, no-store");
  expect(headers["cloudflare-cdn-cache-control"], where).toBe("no-store");
  expect(headers["cross-origin-resource-policy"], where).toBe("same-origin");
  const others = Object.keys(headers).filter((name) =>
    /^(?:access-control-.*|etag|last-modified|expires|cdn-cache-control|set-cookie|age)$/u.test(name),
  );
  expect(others, where).toEqual([]);
  expect(response.status, where).not.toBe(304);
}
