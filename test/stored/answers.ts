/** What is asked of the story's data over HTTP, and when: all documents. */
import { DAY_MS, DAYS, START_MS, STEP_MS } from "./story.ts";
import type { StoryAnswer } from "./stored.ts";

/** Two minutes after the last tick began. */
export const NOW_MS = START_MS + DAYS * DAY_MS - STEP_MS + 120_000;

interface StatusOf {
  readonly gateways: readonly {
    readonly id: string;
    readonly monitors: readonly { readonly id: string }[];
  }[];
}

interface IncidentsOf {
  readonly incidents: readonly { readonly id: string; readonly report: string | null }[];
}

/** @param first the answers of the status and of the list of incidents. */
export function pathsOf(first: Readonly<Record<string, StoryAnswer>>): readonly string[] {
  const read = (path: string): unknown => JSON.parse(first[path]?.text ?? "null");
  const { gateways } = read("/api/v1/status") as StatusOf;
  const { incidents } = read("/api/v1/incidents") as IncidentsOf;
  const monitors = [...gateways.flatMap((gateway) => gateway.monitors.map(({ id }) => id)), "delta/models"];
  const reports = incidents.flatMap(({ report }) => report ?? []);
  return [
    "/api/v1/status",
    "/healthz",
    "/metrics",
    "/feed.atom",
    "/api/v1/incidents",
    `/api/v1/incidents?before=${dayAt(20)}`,
    ...incidents.slice(0, 12).map(({ id }) => `/api/v1/incidents/${id}`),
    ...reports.slice(0, 6).map((id) => `/api/v1/reports/${id}`),
    ...monitors.flatMap(monitorPaths),
  ];
}

function monitorPaths(id: string): readonly string[] {
  const [gateway, monitor] = id.split("/");
  const path = `/api/v1/gateways/${gateway}/monitors/${monitor}`;
  return [
    path,
    `${path}/history`,
    `${path}/history?step=probe&from=${dayAt(27)}&to=${dayAt(29)}`,
    `${path}/history?step=1h&from=${dayAt(0)}`,
    `${path}/history?step=1d&from=${dayAt(0)}`,
  ];
}

function dayAt(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString();
}
