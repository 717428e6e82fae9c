/** docs/storage.md against what is stored: the tables with their columns, the documents, the members of the journal. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OutboxTables } from "../../src/ledger/deliver/outbox-tables.ts";
import { Quarantine } from "../../src/ledger/state/quarantine.ts";
import { DOCUMENTS } from "../../src/ledger/state/state.ts";
import { Tables } from "../../src/ledger/state/tables.ts";
import { snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import { NodeStorage } from "./node-storage.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(`${ROOT}docs/storage.md`, "utf8");

const words = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

test("every table is told with its columns, and no other", () => {
  const { sql } = new NodeStorage();
  expect([new Quarantine(sql), new OutboxTables(sql), new Tables(sql)]).toHaveLength(3);
  const real = sql
    .exec(
      `SELECT t.name, group_concat(c.name, ', ') AS columns FROM sqlite_master t, pragma_table_info(t.name) c
       WHERE t.type = 'table' GROUP BY t.name ORDER BY t.name`,
    )
    .toArray()
    .map(({ name, columns }: Record<string, string>) => `${name} (${columns})`);
  const told = [...DOCUMENT.matchAll(/^\| (`\w+ \([\w, ]+\)`.*?) +\|/gm)].flatMap(([, cell = ""]) =>
    words(cell),
  );
  expect(told.toSorted()).toEqual(real);
});

test("every document is told, and no other", () => {
  const row = /^\| `document \(.*$/m.exec(DOCUMENT)?.[0] ?? "";
  const told = words(row.split("|")[2] ?? "");
  expect(told.toSorted()).toEqual(
    [...Object.keys(DOCUMENTS), "directory", "salt", "through", "version"].toSorted(),
  );
});

test("every member of the journal is told, and no other", () => {
  const list = DOCUMENT.split("<!-- members: journal -->\n\n")[1]?.split("\n\n", 1)[0] ?? "";
  const told = list.split("\n").map((line) => words(line)[0]);
  expect(told).toEqual(Object.keys(DOCUMENTS.journal().shape));
});

test("every member of the snapshot's metadata is told, and no other", () => {
  const sentence =
    /Its metadata carry what an answer's headers need[^:]*:([^.]*)\./.exec(DOCUMENT)?.[1] ?? "";
  expect(words(sentence)).toEqual(Object.keys(snapshotMetadataSchema().shape));
});
