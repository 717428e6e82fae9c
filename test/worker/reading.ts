/** What a reader is answered from what the Ledger published. */
import type { LedgerStore } from "../../src/history/store.ts";
import { handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { config, gateway } from "../fixtures/config.ts";
import { mustBeDescribed } from "../openapi/description.ts";
import { bindings } from "./ledger-harness.ts";

const NO_STORE = new Proxy({} as LedgerStore & AppDeps["stores"]["kv"], {
  get: () => () => Promise.reject(new Error("nobody saves or restores anything here")),
});

/** Of a public site that nobody administers. */
export function depsOf(more: Partial<AppDeps>): AppDeps {
  return {
    kv: bindings.KV,
    memory: new SnapshotMemory(),
    now: () => 0,
    config: config([gateway("g0")]),
    adminToken: null,
    mayTry: null,
    viewToken: null,
    version: "1.2.3",
    shards: 1,
    asset: () => Promise.reject(new Error("no static file is read here")),
    administer: () => Promise.reject(new Error("nobody asks the Ledger here")),
    subscribe: () => Promise.reject(new Error("no browser subscribes here")),
    stores: {
      kv: NO_STORE,
      shards: async () => 1,
      ledger: () => NO_STORE,
    },
    ...more,
  };
}

/** Whatever is asked, the answer is as the API's description says. */
export async function read(path: string, nowMs: number, memory = new SnapshotMemory()): Promise<string> {
  const deps = depsOf({ memory, now: () => nowMs });
  const answer = await handleRequest(new Request(`https://status.example${path}`), deps);
  const { status, headers } = answer;
  const text = await answer.text();
  mustBeDescribed({ method: "GET", path }, { status, headers, text });
  return text;
}
