import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { ownShard } from "../../src/ledger/own-shard.ts";
import { ledgerName } from "../../src/ledger/rpc.ts";
import { bindings } from "./ledger-harness.ts";

const rowsOf = (sql: SqlStorage) => sql.exec("SELECT name, body FROM document ORDER BY name").toArray();

test("a Ledger learns its shard from its own name, and knows it where the platform does not tell the name", async () => {
  const stub = bindings.LEDGER.getByName(ledgerName(7));
  await runInDurableObject(stub, (_, { id, storage }) => {
    expect(id.name).toBe("ledger-7");
    expect(ownShard(id.name, storage.sql)).toBe(7);
    expect(ownShard(undefined, storage.sql)).toBe(7);
  });
  await evictDurableObject(stub);
  await runInDurableObject(stub, (_, { storage }) => expect(ownShard(undefined, storage.sql)).toBe(7));
});

test("a Ledger from before there were several is that of shard 0, and nothing is noted of it", async () => {
  await runInDurableObject(bindings.LEDGER.getByName(ledgerName(0)), (_, { id, storage }) => {
    expect(ownShard(undefined, storage.sql)).toBe(0);
    expect(ownShard(id.name, storage.sql)).toBe(0);
    expect(rowsOf(storage.sql)).toEqual([]);
  });
});
