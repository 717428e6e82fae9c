/** The feed as its readers see it. */
import { parseAtomFeed } from "feedsmith";
import { expect } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { readXml } from "../formats/xml-reader.ts";
import { textOf } from "./html.ts";
import { NOW_MS } from "./documents.ts";
import { depsOf, type World } from "./published-status.ts";

export const INCIDENT_ID = "acme-models-20261120t080000z";

export const hoursOn = (hours: number): Partial<AppDeps> => ({ now: () => NOW_MS + hours * 3_600_000 });

type Parsed = ReturnType<typeof parseAtomFeed<string>>;
type Entry = NonNullable<Parsed["entries"]>[number] & { readonly words: string };
interface Feed extends Omit<Parsed, "entries"> {
  readonly entries: readonly Entry[];
}

export function feedReader(world: World) {
  const get = (headers: Record<string, string> = {}, deps: Partial<AppDeps> = {}, host = "status.example") =>
    handleRequest(new Request(`https://${host}/feed.atom`, { headers }), depsOf(world.kv, deps));
  const text = async (deps?: Partial<AppDeps>, host?: string): Promise<string> => {
    const response = await get({}, deps, host);
    expect(response.status).toBe(200);
    return response.text();
  };
  const feed = async (deps?: Partial<AppDeps>, host?: string): Promise<Feed> => {
    const xml = await text(deps, host);
    readXml(xml);
    const parsed = parseAtomFeed(xml);
    const entries = (parsed.entries ?? []).map((entry) =>
      Object.assign(entry, { words: textOf(entry.content?.value ?? "") }),
    );
    return { ...parsed, entries };
  };
  /** The words of the newest entry, as its reader shows them. */
  const story = async (): Promise<string> => (await feed()).entries[0]?.words ?? "";
  return { get, text, feed, story };
}
