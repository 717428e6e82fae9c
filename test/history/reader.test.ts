import { expect, test } from "vitest";
import { segmentKey, snapshotKey } from "../../src/history/keys.ts";
import { compress, pack } from "../../src/history/packing.ts";
import { readSegment, readSnapshot } from "../../src/history/reader.ts";
import { packSegment } from "../../src/history/segment.ts";
import { packSnapshot, unpackLive, unpackTail } from "../../src/history/snapshot.ts";
import { resolvedIncident, statusDocument } from "../http/documents.ts";
import { emptyTail } from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const FACTS = { lastTickMs: 1, tickMs: 60_000, generatedMs: 2, sequence: 7 };

test("what was packed is read back: the document's bytes, the metadata and the tail", async () => {
  const status = statusDocument({ title: "Zürich" });
  const tail = emptyTail({ incidents: [resolvedIncident(0, 1000)], withCauses: [] });
  const { bytes, metadata } = await packSnapshot(status, tail, FACTS);
  await world.kv.put(snapshotKey(3), bytes, { metadata });
  const read = await readSnapshot(world.kv, 3);
  if (!read.ok) throw new Error(read.failure.kind);
  expect(read.value.metadata).toEqual(metadata);
  const head = read.value.bytes.subarray(0, metadata.bytes);
  expect(JSON.parse(new TextDecoder().decode(head))).toEqual(status);
  expect({ ...(await unpackTail(read.value)), live: await unpackLive(read.value) }).toEqual(tail);
});

test("a snapshot cut off inside the document is unreadable, whatever its length", async () => {
  const { bytes, metadata } = await packSnapshot(statusDocument(), emptyTail(), FACTS);
  for (const length of [0, 1, metadata.bytes - 1]) {
    await world.kv.put(snapshotKey(0), bytes.slice(0, length), { metadata });
    expect(await readSnapshot(world.kv, 0)).toMatchObject({ ok: false, failure: { kind: "unreadable" } });
  }
});

test("metadata that this version did not write are unreadable", async () => {
  const { bytes, metadata } = await packSnapshot(statusDocument(), emptyTail(), FACTS);
  const damaged = [{ v: 2 }, { bytes: -1 }, { bytes: "9" }].map((more) => Object.assign({}, metadata, more));
  for (const other of [null, 1, {}, ...damaged]) {
    await world.kv.put(snapshotKey(0), bytes, { metadata: other });
    expect(await readSnapshot(world.kv, 0)).toMatchObject({ ok: false, failure: { kind: "unreadable" } });
  }
});

test("a segment is read back with its incidents", async () => {
  const segment = { monitors: new Map([["acme/models", pack([1])]]), incidents: [resolvedIncident(0, 1000)] };
  await world.kv.put(segmentKey(0, "day", "2026-11-20"), await compress(packSegment(segment)));
  expect(await readSegment(world.kv, 0, "day", "2026-11-20")).toEqual({ ok: true, value: segment });
});

test("a segment of a newer version, cut off or foreign is unreadable, and none of them throws", async () => {
  const whole = await compress(packSegment({ monitors: new Map(), incidents: [] }));
  const values = [
    new Uint8Array(),
    whole.slice(0, -5),
    new TextEncoder().encode("<html>"),
    await compress(pack({ version: 2, monitors: {}, incidents: [] })),
    await compress(pack({ version: 1, monitors: { a: "text" }, incidents: [] })),
    await compress(pack("hello")),
  ];
  for (const value of values) {
    await world.kv.put(segmentKey(0, "hour", "2026-11-20T06"), value);
    const read = await readSegment(world.kv, 0, "hour", "2026-11-20T06");
    expect(read).toMatchObject({ ok: false, failure: { kind: "unreadable" } });
  }
});

test("a KV that throws is an outage", async () => {
  const kv = watched(world.kv, [snapshotKey(0), segmentKey(0, "hour", "2026-11-20T06")]);
  expect(await readSnapshot(kv, 0)).toEqual({ ok: false, failure: { kind: "outage" } });
  const read = await readSegment(kv, 0, "hour", "2026-11-20T06");
  expect(read).toEqual({ ok: false, failure: { kind: "outage" } });
});
