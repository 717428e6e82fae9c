/** The steps between the Worker, its Ledger and KV: the test hears of each before and after, and decides what becomes of it. */
import type { LedgerRpc } from "../../../../src/ledger/rpc.ts";
import type { Env } from "../../../../src/worker.ts";

/** `go`; `abort` (the Ledger alone: it dies on the spot); or the words of an error that is thrown in its place. */
export type Steps = (name: string, detail: unknown) => Promise<string>;

export function stepsThrough(listener: Fetcher): Steps {
  return async (name, detail) => {
    const answer = await listener.fetch(`http://steps/${name}`, {
      method: "POST",
      body: JSON.stringify(detail),
    });
    return answer.text();
  };
}

/** The environment whose Ledger and KV tell their steps. */
export function withSteps<TheEnv extends Env>(env: TheEnv, steps: Steps): TheEnv {
  const take = async <Value>(name: string, detail: unknown, act: () => Promise<Value>): Promise<Value> => {
    await obey(steps, `${name}:before`, detail);
    const value = await act();
    await obey(steps, `${name}:after`, detail);
    return value;
  };
  const getByName = (name: string): LedgerRpc => {
    const stub = env.LEDGER.getByName(name) as unknown as LedgerRpc;
    const watched: Pick<LedgerRpc, "begin" | "record"> = {
      begin: (request) => take("begin", request, () => stub.begin(request)),
      record: (batch) => take("record", batch, () => stub.record(batch)),
    };
    return new Proxy(stub, {
      get: (target, method) =>
        Reflect.get(watched, method) ??
        ((...args: unknown[]) => (Reflect.get(target, method) as (...of: unknown[]) => unknown)(...args)),
    });
  };
  const kv = new Proxy(env.KV, {
    get: (target, name) => {
      if (name !== "put") return (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target);
      return (key: string, ...rest: [never]) => take("put", key, () => target.put(key, ...rest));
    },
  });
  return { ...env, KV: kv, LEDGER: { getByName } };
}

/** @throws the words that the test gave in place of the step. */
async function obey(steps: Steps, name: string, detail: unknown): Promise<void> {
  const order = await steps(name, detail);
  if (order !== "go") throw new Error(order);
}
