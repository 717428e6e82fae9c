/**
 * The Worker as it is deployed, but for three things that a test must hold in its hands: the clock (it runs faster
 * and can be set), the steps between the Worker, its Ledger and KV (a test may fail or end them), and the Ledger's
 * alarm (it follows that clock). Everything else is the real thing.
 */
import config from "#config";
import type { LedgerRpc } from "../../../../src/ledger/ledger.ts";
import { composeWorker, type Env } from "../../../../src/worker.ts";
import { ScaledClock } from "./scaled-clock.ts";
import { stepsThrough, withSteps } from "./steps.ts";

interface TestEnv extends Env {
  /** Virtual milliseconds in one real one. */
  readonly TEST_SPEED: string;
  /** Virtual Unix time at the start. */
  readonly TEST_START_MS: string;
  /** Where every step is told; absent: nobody listens. */
  readonly STEPS?: Fetcher;
}

type Stub = LedgerRpc & { tend(): Promise<void>; die(): Promise<void> };

const clock = new ScaledClock();
const worker = composeWorker({ configInput: config, clock });

/** One object an original, so that what is computed once for an environment still is. */
const wrapped = new WeakMap<object, TestEnv>();

function workerEnv(env: TestEnv): TestEnv {
  clock.startOnce(Number(env.TEST_START_MS), Number(env.TEST_SPEED));
  const known = wrapped.get(env);
  if (known) return known;
  const made = env.STEPS === undefined ? env : withSteps(env, stepsThrough(env.STEPS));
  wrapped.set(env, made);
  return made;
}

function ledgerEnv(env: TestEnv, ctx: DurableObjectState): TestEnv {
  clock.startOnce(Number(env.TEST_START_MS), Number(env.TEST_SPEED));
  if (env.STEPS === undefined) return env;
  const steps = stepsThrough(env.STEPS);
  return withSteps(env, async (name, detail) => {
    const order = await steps(name, detail);
    if (order === "abort") ctx.abort("killed by the test");
    return order;
  });
}

let ledgerStarts = 0;

export class Ledger extends worker.Ledger {
  constructor(ctx: DurableObjectState, env: TestEnv) {
    ledgerStarts += 1;
    followClock(ctx.storage);
    super(ctx, ledgerEnv(env, ctx));
  }

  /** What the alarm does, now. */
  async tend(): Promise<void> {
    await this.alarm?.();
  }

  async die(): Promise<void> {
    this.ctx.abort("killed by the test");
  }
}

/** The platform's alarm knows real time only. */
function followClock(storage: DurableObjectStorage): void {
  const setAlarm = storage.setAlarm.bind(storage);
  Object.defineProperty(storage, "setAlarm", {
    value: (virtualMs: number) => setAlarm(clock.realOf(virtualMs)),
  });
}

export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    const inTest = workerEnv(env);
    if (!pathname.startsWith("/__test/")) return worker.handler.fetch(request, inTest, ctx);
    const order = pathname.slice("/__test/".length);
    if (order === "clock") {
      const nowMs = await request.text();
      if (nowMs !== "") clock.set(Number(nowMs));
      return new Response(String(clock.now()));
    }
    if (order === "starts") return new Response(String(ledgerStarts));
    const stub = env.LEDGER.getByName("ledger-0") as unknown as Stub;
    if (order === "tend") await stub.tend();
    else await stub.die().catch(() => undefined);
    return new Response(null, { status: 204 });
  },
  scheduled: (controller, env, ctx) => worker.handler.scheduled(controller, workerEnv(env), ctx),
} satisfies ExportedHandler<TestEnv>;
