import * as fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import RssParser from "rss-parser";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { hostileText } from "../formats/hostile-text.ts";
import { readXml } from "../formats/xml-reader.ts";
import { feedReader, INCIDENT_ID } from "./feed-reader.ts";
import { readHtml } from "./html.ts";
import {
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  reportDocument,
  statusDocument,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const reader = feedReader(world);

/** Everything that others put into words. */
async function publishWords(text: string): Promise<void> {
  const status = statusDocument({
    title: text,
    notice: text,
    gateways: [gatewayDocument({ name: text, monitors: [monitorDocument({ kind: text, model: text })] })],
    maintenance: [
      { gateways: [], from: "2026-11-20T11:00:00.000Z", to: "2026-11-21T11:00:00.000Z", title: text },
    ],
  });
  const incident = incidentDocument({
    timeline: [timelineEntry({ text }), timelineEntry({ type: text, text })],
    notes: [{ at: "2026-11-20T08:30:00.000Z", text }],
    url: text,
  });
  const reports = [reportDocument({ id: `${INCIDENT_ID}-1`, message: text })];
  await world.publish(status, { incidents: [{ incident, reports, fullReports: [] }] });
}

/** Without what XML cannot carry. */
function shownIn(content: string): string {
  return content
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}

test("whatever the words are, both readers find the same entries, and the words as text in them", async () => {
  await publishWords("words");
  const harmless = await reader.feed();
  const harmlessTags = harmless.entries.map(({ content }) => readHtml(content?.value ?? "").tags);
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      await publishWords(text);
      const xml = await reader.text();
      const root = readXml(xml);
      const names = root.children.map(({ name }) => name).join(" ");
      expect(names).toBe("id title subtitle updated author link link entry entry");
      const contents = root.children
        .filter(({ name }) => name === "entry")
        .map(({ children }) => children.find(({ name }) => name === "content")?.text ?? "")
        // What the language is depends on the words.
        .map((content) => content.replaceAll(/ lang="zh"/gu, ""));
      expect(contents.map((content) => readHtml(content).tags)).toEqual(harmlessTags);
      const words = shownIn(text).replaceAll(/\r\n?/gu, "\n");
      for (const content of contents)
        expect(readHtml(content).texts.join("").replaceAll(/\r\n?/gu, "\n")).toContain(words);
      const ids = harmless.entries.map(({ id }) => id);
      expect(parseAtomFeed(xml).entries?.map(({ id }) => id)).toEqual(ids);
      const { items } = await new RssParser().parseString(xml);
      expect(items.map((item) => item["id"] as unknown)).toEqual(ids);
    }),
    { numRuns: rounds(25, 100) },
  );
});
