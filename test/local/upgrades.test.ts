/** This code goes on with the data that every released version left (`npm run fixture`), and leaves those of a newer one alone. */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { NOW_MS } from "../stored/answers.ts";
import { LAST, leftBy, VERSIONS } from "../stored/left.ts";
import { startStory } from "../stored/runtime.ts";
import type { StoryAnswer } from "../stored/stored.ts";
import { DAY_MS, DAYS, START_MS, STEP_MS } from "../stored/story.ts";
import { rounds } from "../extent.ts";
import "./support/files-in-memory.ts";

const END_MS = START_MS + DAYS * DAY_MS;

/** From tick to tick, in the first day and in the weeks after it. */
const FINE_MS = rounds(4, 1) * STEP_MS;
const RARE_MS = rounds(24, 12) * 4 * STEP_MS;

const story = await startStory(LAST);
afterAll(() => story.stop());

test("there are data of the first version", () => expect(VERSIONS).toContain("0.1.0"));

describe.each(VERSIONS)("the data of %s", (version) => {
  const left = leftBy(version);
  const { stored, answers } = left;

  beforeEach(() => story.ask({ do: "putBack", stored }));

  test("are those of a whole life", () => {
    const tables = new Map(stored.tables.map(({ name, rows }) => [name, rows.length]));
    for (const table of ["alert", "batch", "document", "resolved", "rollup", "segment", "undelivered"]) {
      expect([table, tables.get(table) ?? 0]).toEqual([table, expect.toSatisfy((rows: number) => rows > 0)]);
    }
    const kinds = new Set(stored.kv.map(({ key }) => key.split("/")[2] ?? ""));
    expect([...kinds].toSorted()).toEqual(["day", "hour", "month", "snapshot"]);
  });

  test("are answered over HTTP as by the code that wrote them", async () => {
    const now = await story.answers(NOW_MS, Object.keys(answers));
    for (const [path, before] of Object.entries(answers)) {
      const after = now[path];
      expect([path, after?.status, after?.type]).toEqual([path, before.status, before.type]);
      expect({ path, ...factsOf(after) }).toMatchObject({ path, ...factsOf(before) });
    }
  });

  test("go on: every event is told once, hours, days and months are closed behind those that were", async () => {
    const fine = await story.play({ fromMs: END_MS, untilMs: END_MS + DAY_MS, stepMs: FINE_MS });
    expect(fine.failures).toEqual([]);
    const december = Date.UTC(2026, 11, 3);
    const rare = await story.play({ fromMs: END_MS + DAY_MS, untilMs: december, stepMs: RARE_MS });
    expect(rare.failures).toEqual([]);
    const told = [...left.told, ...fine.told, ...rare.told];
    expect(fine.told.length).toBeGreaterThan(0);
    expect(told.length).toBe(new Set(told).size);
    const { tables, kv } = await story.dump();
    const documents = tables.find(({ name }) => name === "document")?.rows ?? [];
    expect(documents).toContainEqual(["version", 0, "2"]);
    const keys = kv.map(({ key }) => key);
    const known = stored.kv.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(known));
    expect(keys).toEqual(
      expect.arrayContaining(["v1/0/hour/2026-11-05T12", "v1/0/day/2026-11-05", "v1/0/month/2026-11"]),
    );
    const before = pointsOf(left.answers[DAILY]);
    const after = pointsOf((await story.answers(december, [DAILY]))[DAILY]);
    // The last day was not over.
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(after.length).toBeGreaterThan(before.length + 25);
  });

  test("when a newer code has gone on with them, are neither read nor touched", async () => {
    await story.play({ fromMs: END_MS, untilMs: END_MS + 2 * STEP_MS, stepMs: STEP_MS });
    await story.ask({ do: "sql", statement: "UPDATE document SET body = '3' WHERE name = 'version'" });
    const before = await story.dump();
    const fromMs = END_MS + 2 * STEP_MS;
    const played = await story.play({ fromMs, untilMs: fromMs + 3 * STEP_MS, stepMs: STEP_MS });
    const refused =
      /the ledger holds data of version 3, and this code knows 2: deploy the newer version again/;
    expect(played.failures).toHaveLength(3);
    for (const failure of played.failures) expect(failure).toMatch(refused);
    expect(played).toMatchObject({ told: [], writes: 0 });
    const asked = { do: "administer", atMs: NOW_MS, method: "GET", path: "alerts" } as const;
    const administered = await story.ask<StoryAnswer>(asked);
    expect([administered.status, administered.text]).toEqual([409, expect.stringMatching(refused)]);
    expect(await story.dump()).toEqual(before);

    const later = await story.answers(END_MS + 5 * STEP_MS, ["/api/v1/status", "/healthz", "/"]);
    expect(JSON.parse(later["/api/v1/status"]?.text ?? "")).toMatchObject({ stale: true, status: "unknown" });
    expect(later["/healthz"]?.status).toBe(503);
    expect(later["/"]?.status).toBe(200);

    await story.ask({ do: "sql", statement: "UPDATE document SET body = '2' WHERE name = 'version'" });
    const untilMs = fromMs + 5 * STEP_MS;
    const again = await story.play({ fromMs: fromMs + 3 * STEP_MS, untilMs, stepMs: STEP_MS });
    expect(again.failures).toEqual([]);
    const well = await story.answers(untilMs, ["/api/v1/status"]);
    expect(JSON.parse(well["/api/v1/status"]?.text ?? "")).toMatchObject({ stale: false });
  });
});

const DAILY = `/api/v1/gateways/alpha/monitors/models/history?step=1d&from=${new Date(START_MS).toISOString()}`;

function pointsOf(answer: StoryAnswer | undefined): readonly unknown[] {
  return (JSON.parse(answer?.text ?? "null") as { points: readonly unknown[] }).points;
}

/** What must stay of an answer: a document may get more members. Of a feed, which entries there are. */
function factsOf(answer: StoryAnswer | undefined): { readonly facts: unknown } {
  if (answer === undefined) return { facts: null };
  if (answer.type.includes("json")) return { facts: JSON.parse(answer.text) };
  if (answer.type.includes("xml")) return { facts: answer.text.match(/<(?:id|updated)>[^<]*/gu) };
  // Metrics name the code that answers, and each describes itself in words that may change. The label `turn` was added later.
  const text = answer.text.replaceAll(/,turn="\w*"/gu, "");
  const lines = text.split("\n").filter((line) => !line.startsWith("gatepulse_build_info{"));
  return { facts: Object.fromEntries(lines.map((line) => [line.replace(/^(# HELP \S+).*/u, "$1"), true])) };
}
