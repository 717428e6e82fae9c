import { expect, test } from "vitest";
import { DOCUMENTS, EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { begin, due, MINUTE, record } from "./ticks.ts";

test.each([
  ["that is new", config([gateway("constructor")])],
  [
    "that carries another one on",
    config([gateway("neo", { monitors: [monitor("neo", { formerly: ["constructor/models"] })] })]),
  ],
])("a gateway called constructor %s is kept as any other", (_, settings) => {
  let state = EMPTY_STATE;
  for (const minute of [1, 2, 3]) {
    const identities = Object.fromEntries(settings.gateways.map(({ id }) => [id, `${id}:key`]));
    const began = begin(state, minute * MINUTE, { config: settings, identities });
    expect(due(began)).toHaveLength(1);
    const told = Object.fromEntries(due(began).map((id) => [id, {}]));
    state = record(began.state, minute * MINUTE, told, { config: settings }).state;
    const written: unknown = JSON.parse(JSON.stringify(state.journal));
    expect(DOCUMENTS.journal().parse(written)).toEqual(state.journal);
    expect(Object.values(state.journal.gateways)).toMatchObject([{ quickOwed: 0, heldUntilMs: 0 }]);
  }
});
