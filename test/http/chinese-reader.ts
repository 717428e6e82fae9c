/** Pages as a Chinese browser asks for them: no English word is left in them but where it is said to be, or is a name. */
import { expect } from "vitest";
import type { StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { handleRequest } from "../../src/http/app.ts";
import { readHtml, spokenIn, textOf } from "./html.ts";
import { depsOf, NOW_MS, type World } from "./published-status.ts";

/** Names and ids of these tests, formats, units, and zones: the same in any language. */
const NAMES =
  /\b(?:Acme gateways|Acme|acme|models|chat|Gatepulse|gatepulse|HTTP|TLS|JSON|Markdown|API|DNS|URL|User-Agent|GET|HEAD|UTC|GMT|Asia\/Shanghai|p50|p95|p99|ms|id|v1|gpt-9|gpt-10|authentication|[a-z]+_[a-z_]+)\b/gu;

/** What is neither Chinese nor a name, though the page says it is Chinese. */
function foreignIn(html: string): string[] {
  readHtml(html);
  return spokenIn(html)
    .filter(
      ({ lang, within }) => lang === "zh-Hans" && !within.some((name) => /^(?:code|small)$/u.test(name)),
    )
    .map(({ text, within }) => (within.includes("pre") ? text.replaceAll(/`[^`]*`/gu, "") : text))
    .filter((text) => /\p{Script=Latin}/u.test(text.replaceAll(NAMES, "")));
}

interface Shown {
  readonly status?: StatusDocument;
  readonly tail?: Partial<SnapshotTail>;
  readonly nowMs?: number;
}

export interface ChineseReader {
  /** The words of the page; its document is published first, where there is one. */
  readonly get: (path: string, shown?: Shown) => Promise<string>;
}

export function chineseReader(world: () => World): ChineseReader {
  return { get: (path, shown = {}) => read(world(), path, shown) };
}

async function read(world: World, path: string, { status, tail, nowMs = NOW_MS }: Shown): Promise<string> {
  if (status) await world.publish(status, tail);
  const headers = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8", accept: "text/html" };
  const request = new Request(`https://status.example${path}`, { headers });
  const html = await (await handleRequest(request, depsOf(world.kv, { now: () => nowMs }))).text();
  expect(html).toContain('<html lang="zh-Hans">');
  expect(foreignIn(html)).toEqual([]);
  // Chinese punctuation has its space in itself.
  return textOf(html).replaceAll(/ ?([，。；：、（）]) ?/gu, "$1");
}
