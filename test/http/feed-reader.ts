/** The feed as its readers see it. */
import { parseAtomFeed } from "feedsmith";
import { expect } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { readXml } from "../formats/xml-reader.ts";
import { textOf } from "./html.ts";
import { depsOf, NOW_MS, type World } from "./published-status.ts";

export const INCIDENT_ID = "acme-models-20261120t080000z";

export const hoursOn = (hours: number): Partial<AppDeps> => ({ now: () => NOW_MS + hours * 3_600_000 });

export interface FeedReader {
  readonly get: (
    headers?: Record<string, string>,
    deps?: Partial<AppDeps>,
    host?: string,
  ) => Promise<Response>;
  readonly text: (deps?: Partial<AppDeps>, host?: string) => Promise<string>;
  readonly feed: (deps?: Partial<AppDeps>, host?: string) => Promise<ParsedFeed>;
  /** The words of the newest entry, as its reader shows them. */
  readonly story: () => Promise<string>;
}

type Parsed = ReturnType<typeof parseAtomFeed<string>>;
type ParsedFeed = Omit<Parsed, "entries"> & { readonly entries: NonNullable<Parsed["entries"]> };

export function feedReader(world: () => World): FeedReader {
  const get: FeedReader["get"] = (headers = {}, deps = {}, host = "status.example") =>
    handleRequest(new Request(`https://${host}/feed.atom`, { headers }), depsOf(world().kv, deps));
  const text: FeedReader["text"] = async (deps, host) => {
    const response = await get({}, deps, host);
    expect(response.status).toBe(200);
    return response.text();
  };
  const feed: FeedReader["feed"] = async (deps, host) => {
    const xml = await text(deps, host);
    readXml(xml);
    const parsed = parseAtomFeed(xml);
    return { ...parsed, entries: parsed.entries ?? [] };
  };
  const story = async () => textOf((await feed()).entries[0]?.content?.value ?? "");
  return { get, text, feed, story };
}
