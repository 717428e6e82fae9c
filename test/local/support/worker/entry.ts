/**
 * The Worker as it is deployed, but for five things that a test controls:
 * - the clock: it runs faster or stands still, and can be set;
 * - time limits: they end what hangs on purpose, and nothing else;
 * - the steps between the Worker, its Ledger and KV: a test may fail or end them;
 * - the Ledger's alarm: it follows that clock;
 * - the Ledger's death.
 *
 * Everything else is the real thing.
 */
import config from "#config";
import type { ShardTick } from "../../../../src/domain/tick.ts";
import type { LedgerRpc } from "../../../../src/ledger/rpc.ts";
import { composeWorker, type Env } from "../../../../src/worker.ts";
import { FollowedAlarm } from "./followed-alarm.ts";
import { Limits } from "./limits.ts";
import { ScaledClock } from "./scaled-clock.ts";
import { stepsThrough, withSteps } from "./steps.ts";

interface TestEnv extends Env {
  /** Virtual milliseconds in one real one. */
  readonly TEST_SPEED: string;
  /** Not empty: the clock stands still until it is set. */
  readonly TEST_STANDS: string;
  /** Virtual Unix time at the start. */
  readonly TEST_START_MS: string;
  /** JSON: by region what its requests are sent to instead. */
  readonly TEST_REGIONS: string;
  /** Where every step is reported; absent: nobody listens. */
  readonly STEPS?: Fetcher;
  /** Knows who hangs on purpose; absent: nobody does. */
  readonly HANGING?: Fetcher;
}

type Stub = LedgerRpc & { tend(): Promise<void>; die(): Promise<void>; renewAlarm(): Promise<void> };

const limits = new Limits(config.gateways.map(({ baseUrl }) => baseUrl));
const clock = new ScaledClock(limits);
/** Steps that were taken, objects that died, and messages of the queue that no consumer has taken to its end. */
const counted = { steps: 0, deaths: 0, queued: 0 };
const FIRST = "ledger-0";
/** By the name of the Ledger, one a shard that ever started. */
const alarms = new Map([[FIRST, new FollowedAlarm(clock)]]);
let places: Readonly<Record<string, readonly (readonly [baseUrl: string, there: string])[]>> = {};
const worker = composeWorker({
  config,
  clock,
  fetchFrom: (region) => (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const [here, there] = places[region]?.find(([baseUrl]) => url.startsWith(`${baseUrl}/v1`)) ?? ["", ""];
    return fetch(url.replace(here, there), init);
  },
});

function startClock({ TEST_START_MS, TEST_SPEED, TEST_STANDS, HANGING }: TestEnv): void {
  limits.ask(HANGING);
  clock.startOnce(Number(TEST_START_MS), Number(TEST_SPEED), TEST_STANDS !== "");
}

/** One object an original, so that what is computed once for an environment still is. */
const wrapped = new WeakMap<object, TestEnv>();

function workerEnv(env: TestEnv): TestEnv {
  startClock(env);
  const known = wrapped.get(env);
  if (known) return known;
  const stepped = env.STEPS === undefined ? env : withSteps(env, stepsThrough(env.STEPS));
  const made = env.TICKS === undefined ? stepped : { ...stepped, TICKS: countingQueue(env.TICKS) };
  wrapped.set(env, made);
  return made;
}

function countingQueue(queue: Queue<ShardTick>): Queue<ShardTick> {
  const sendBatch: Queue<ShardTick>["sendBatch"] = async (messages) => {
    const sent = [...messages];
    counted.queued += sent.length;
    return queue.sendBatch(sent);
  };
  return new Proxy(queue, {
    get: (target, name) => (name === "sendBatch" ? sendBatch : Reflect.get(target, name)),
  });
}

/** What is delivered again comes seconds later: nobody waits for it. */
async function takeBatch(batch: MessageBatch<ShardTick>, env: TestEnv, ctx: ExecutionContext): Promise<void> {
  const isFirst = ({ attempts }: Message<ShardTick>): boolean => attempts === 1;
  const firsts = batch.queue.endsWith("-dead") ? 0 : batch.messages.filter(isFirst).length;
  await worker.handler.queue(batch, workerEnv(env), ctx);
  counted.queued -= firsts;
}

/** The names of those that ever started. */
const vantagePoints = new Set<string>();

export class Vantage extends worker.Vantage {
  constructor(ctx: DurableObjectState, env: TestEnv) {
    vantagePoints.add(ctx.id.name ?? "");
    startClock(env);
    places = JSON.parse(env.TEST_REGIONS);
    super(ctx, env);
  }
}

function alarmOf(ledger: string): FollowedAlarm {
  const alarm = alarms.get(ledger) ?? new FollowedAlarm(clock);
  alarms.set(ledger, alarm);
  return alarm;
}

const isAnyDue = (): boolean => [...alarms.values()].some((alarm) => alarm.isDue());

/** The earliest; null: none is set. */
function nextAlarmMs(): number | null {
  const set = [...alarms.values()].flatMap(({ setForMs }) => setForMs ?? []);
  return set.length === 0 ? null : Math.min(...set);
}

/** Does not return. */
function abort(ctx: DurableObjectState): void {
  counted.deaths += 1;
  ctx.abort("killed by the test");
}

export class Ledger extends worker.Ledger {
  readonly #alarm: FollowedAlarm;

  constructor(ctx: DurableObjectState, env: TestEnv) {
    startClock(env);
    const alarm = alarmOf(ctx.id.name ?? FIRST);
    alarm.follow(ctx);
    const listener = env.STEPS === undefined ? null : stepsThrough(env.STEPS);
    const steps = async (name: string, detail: unknown): Promise<string> => {
      counted.steps += 1;
      const order = (await listener?.(name, detail)) ?? "go";
      if (order === "abort") abort(ctx);
      return order;
    };
    limits.beginLife();
    super(ctx, withSteps(env, steps));
    this.#alarm = alarm;
  }

  override async alarm(): Promise<void> {
    counted.steps += 1;
    await this.#alarm.run(async () => super.alarm?.());
  }

  /** What the alarm does, now. */
  async tend(): Promise<void> {
    await this.alarm();
  }

  async renewAlarm(): Promise<void> {
    await this.#alarm.renew(this.ctx.storage);
  }

  async die(): Promise<void> {
    abort(this.ctx);
  }
}

const QUIET_LOOKS = 3;
const LOOK_MS = 2;
const MOST_TRIES = 200;

/** Every Ledger that ever started runs again. */
async function started(stubOf: StubOf): Promise<void> {
  for (const ledger of alarms.keys()) await startedOne(() => stubOf(ledger));
}

/** The object may die while it starts, and again. */
async function startedOne(stubOf: () => Stub): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await stubOf().renewAlarm();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}

/** The platform repeats an alarm that died two seconds later. That is the platform's own: here it is repeated at once. */
async function repeatAlarm(stubOf: StubOf): Promise<void> {
  await started(stubOf);
  for (const [ledger, alarm] of alarms) {
    if (!alarm.isDue()) continue;
    await stubOf(ledger)
      .tend()
      .catch(() => undefined);
  }
}

/** So many deaths have been got over; an eviction, which nobody here sees, is one too. */
let survived = 0;
let evictions = 0;
/** After a death the platform keeps alarms back for two seconds. */
const KEPT_BACK_LOOKS = 15;

/** Waits until no alarm is due, no message of the queue waits, and nothing that one began is under way. */
async function settled(stubOf: StubOf): Promise<void> {
  let [quiet, dueLooks] = [0, 0];
  while (quiet < QUIET_LOOKS) {
    const before = counted.steps;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
    dueLooks = isAnyDue() ? dueLooks + 1 : 0;
    const isKeptBack = survived > 0 && dueLooks > KEPT_BACK_LOOKS;
    const died = counted.deaths + evictions;
    if (died > survived || isKeptBack) {
      survived = died;
      await repeatAlarm(stubOf);
    }
    const isAwake = [...alarms.values()].some(({ running }) => running > 0);
    const isBusy = isAwake || counted.queued > 0 || limits.underWay > 0 || isAnyDue();
    quiet = counted.steps !== before || isBusy ? 0 : quiet + 1;
  }
}

async function passUntil(untilMs: number, stubOf: StubOf): Promise<void> {
  // If the runtime was started again, or the object died, its alarm is unknown.
  await started(stubOf);
  for (;;) {
    await settled(stubOf);
    const alarmMs = nextAlarmMs();
    const isLast = alarmMs === null || alarmMs > untilMs;
    clock.set(Math.max(clock.now(), isLast ? untilMs : alarmMs));
    if (isLast) return;
    await started(stubOf);
  }
}

/** A stub that has failed once stays broken: each call takes a new one. */
type StubOf = (ledger?: string) => Stub;
type Order = (body: string, stubOf: StubOf) => Promise<unknown>;

const ORDERS: Readonly<Record<string, Order>> = {
  clock: async (body, stubOf) => {
    if (body !== "") clock.set(Number(body));
    // By a clock that stands the platform knows nothing of what falls due.
    if (body !== "" && clock.stands) await started(stubOf);
    return clock.now();
  },
  stand: async () => clock.stand(),
  vantages: async () => [...vantagePoints].toSorted(),
  tend: async (_, stubOf) => {
    for (const ledger of alarms.keys()) {
      await stubOf(ledger).tend();
      // An alarm publishes news alone; whatever else calls the Ledger, what is due.
      await stubOf(ledger).administer({ type: "list_maintenance" });
    }
  },
  die: (ledger, stubOf) =>
    stubOf(ledger === "" ? FIRST : ledger)
      .die()
      .catch(() => undefined),
  evicted: async () => {
    evictions += 1;
  },
  settle: (_, stubOf) => settled(stubOf),
  pass: (body, stubOf) => passUntil(Number(body), stubOf),
};

export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    const inTest = workerEnv(env);
    if (!pathname.startsWith("/__test/")) return worker.handler.fetch(request, inTest, ctx);
    const order = ORDERS[pathname.slice("/__test/".length)];
    if (order === undefined) return new Response("there is no such order", { status: 404 });
    const stubOf = (ledger = FIRST) => env.LEDGER.getByName(ledger) as unknown as Stub;
    return Response.json((await order(await request.text(), stubOf)) ?? null);
  },
  scheduled: (controller, env, ctx) => worker.handler.scheduled(controller, workerEnv(env), ctx),
  queue: takeBatch,
} satisfies ExportedHandler<TestEnv, ShardTick>;
