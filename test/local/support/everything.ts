/** Everything that a world shows or keeps, as bytes: every route, every KV value, every row and file of the Ledger. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Haystack } from "./leaks.ts";
import { incidentsOf } from "./readings.ts";
import type { World } from "./world.ts";

const HISTORY_TYPES = ["application/json", "text/csv", "application/x-ndjson"];

/**
 * The answers of every route that exists, `monitors` for those that are about one; each must be readable.
 *
 * @param adminToken for the full reports; null: only what everyone sees.
 * @throws where a route does not answer 200: an empty haystack hides no needle.
 */
export async function everyAnswer(
  world: World,
  monitors: readonly string[],
  adminToken: string | null,
): Promise<Haystack[]> {
  const found: Haystack[] = [];
  const take = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
    const { status, text, headers: sent } = await world.get(path, headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
    found.push({ name: `GET ${path}`, bytes: Buffer.from(`${JSON.stringify(sent)}\n${text}`) });
  };
  const ofAll =
    "/api/v1/status / /?lang=zh /healthz /api/v1/incidents /metrics /feed.atom /feed.json /calendar.ics";
  for (const path of ofAll.split(" ")) await take(path);
  for (const name of ["summary", "incidents"]) await take(`/api/v2/${name}.json`);
  for (const id of monitors) {
    const [gateway, monitor] = id.split("/");
    await take(`/gateways/${gateway}`);
    await take(`/badge/${gateway}/${monitor}.svg`);
    const route = `/api/v1/gateways/${gateway}/monitors/${monitor}`;
    await take(route);
    for (const accept of HISTORY_TYPES) await take(`${route}/history?step=probe`, { accept });
    for (const step of ["1h", "1d"]) await take(`${route}/history?step=${step}`);
  }
  const incidents = (await incidentsOf(world)).filter(({ incident }) =>
    monitors.includes(incident.monitors[0] ?? ""),
  );
  if (incidents.length === 0) throw new Error("none of these monitors had an incident");
  for (const { incident } of incidents) {
    await take(`/api/v1/incidents/${incident.id}`);
    await take(`/incidents/${incident.id}`);
    if (incident.report === null) throw new Error(`${incident.id} has no report`);
    await take(`/api/v1/reports/${incident.report}`);
    if (adminToken !== null)
      await take(`/api/v1/reports/${incident.report}`, { authorization: `Bearer ${adminToken}` });
    await take(`/reports/${incident.report}`);
  }
  return found;
}

/** Every key of KV with its value and metadata; what is compressed is decompressed. */
async function everyKvValue(world: World): Promise<Haystack[]> {
  const kv = await world.kv();
  const { keys } = await kv.list();
  const found: Haystack[] = [];
  for (const { name } of keys) {
    const { value, metadata } = await kv.getWithMetadata(name, "arrayBuffer");
    if (value === null) throw new Error(`KV lists ${name} and does not give it`);
    const bytes = new Uint8Array(value);
    found.push({ name: `KV ${name}`, bytes }, { name: `KV metadata ${name}`, bytes: textBytes(metadata) });
    found.push({ name: `KV unpacked ${name}`, bytes: unpacked(bytes) });
  }
  return found;
}

/** KV, the Ledger, and the log. @throws where KV or the Ledger is empty. */
export async function everythingKept(world: World): Promise<Haystack[]> {
  const [values, rows] = [await everyKvValue(world), await world.ledgerRows()];
  if (values.length === 0 || rows.length === 0) throw new Error("nothing is kept");
  const kept = rows.map((row, n) => ({ name: `Ledger row ${n}`, bytes: rowBytes(row) }));
  return [...values, ...kept, ...everyLogLine(world)];
}

/** From the first gzip header on. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes).indexOf(Buffer.from([0x1f, 0x8b, 0x08]));
  if (start === -1) throw new Error("the value holds nothing compressed");
  return gunzipSync(bytes.subarray(start));
}

function rowBytes(row: unknown): Uint8Array {
  const bytesOf = (value: unknown) =>
    value instanceof ArrayBuffer ? new Uint8Array(value) : textBytes(String(value));
  return Buffer.concat(Object.values(row ?? {}).map(bytesOf));
}

function everyLogLine(world: World): Haystack[] {
  return world.logs.map((line, n) => ({ name: `log line ${n}`, bytes: textBytes(line) }));
}

/** What a world that has ended left: the log, and its files as they lie on disk, deleted rows and journals included. */
export async function everythingLeft(world: World, directory: string): Promise<Haystack[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return { name: `file ${relative(directory, file)}`, bytes: await readFile(file) };
  });
  return [...(await Promise.all(found)), ...everyLogLine(world)];
}

function textBytes(value: unknown): Uint8Array {
  return Buffer.from(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
