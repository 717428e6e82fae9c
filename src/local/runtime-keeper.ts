/**
 * The runtime that runs now. One that crashes is started again by Miniflare at once. Where that fails, as on a full disk, or where
 * it crashes once more before a tick went well, it is started anew after growing waits; meanwhile there is none.
 */
import { RuntimeGoneError, type LocalWorkerd } from "./workerd.ts";

export interface RuntimeKeeper {
  /** Where it listens; null: none runs now. */
  address(): URL | null;
  /** Rejects where it failed; with `RuntimeGoneError` where no runtime runs, which was said. */
  tick(scheduledMs: number): Promise<void>;
  /** For who got no answer from it. Never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  /** Starts one, which calls `onRestart` each time that it crashed and runs again. */
  readonly start: (onRestart: () => void) => Promise<LocalWorkerd>;
  /** Asked where the very first one cannot be started: whether that may pass by itself. */
  readonly mayPass: () => boolean;
  readonly say: (words: string) => void;
}

/** So often Miniflare may start it again at once. */
const AT_ONCE = 1;

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** @throws (rejects) where the first one cannot be started, and that does not pass by itself. */
export async function keepRuntime(options: KeeperOptions): Promise<RuntimeKeeper> {
  const keeper = new Keeper(options);
  await keeper.begin();
  return keeper;
}

class Keeper implements RuntimeKeeper {
  readonly #options: KeeperOptions;
  readonly #stopped = Promise.withResolvers<void>();
  #isStopping = false;
  #running: LocalWorkerd | null = null;
  /** Restarts since a tick went well. */
  #restarts = 0;
  #waitMs = FIRST_WAIT_MS;
  #replacing: Promise<void> | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    try {
      this.#running = await this.#start();
    } catch (error) {
      if (!this.#options.mayPass()) throw error;
      this.#replace(null);
    }
  }

  address(): URL | null {
    return this.#running?.address ?? null;
  }

  async tick(scheduledMs: number): Promise<void> {
    const running = this.#running;
    if (running === null) throw new RuntimeGoneError();
    try {
      await running.tick(scheduledMs);
    } catch (error) {
      if (error instanceof RuntimeGoneError) this.#replace(running);
      throw error;
    }
    this.#restarts = 0;
    this.#waitMs = FIRST_WAIT_MS;
  }

  async look(): Promise<void> {
    const running = this.#running;
    if (running !== null && (await running.isGone())) this.#replace(running);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.resolve();
    await this.#replacing;
    await this.#running?.stop();
  }

  #start(): Promise<LocalWorkerd> {
    return this.#options.start(() => {
      this.#restarts += 1;
      if (this.#restarts > AT_ONCE && this.#running !== null) this.#replace(this.#running);
    });
  }

  /** @param gone null: there was none. */
  #replace(gone: LocalWorkerd | null): void {
    if (this.#isStopping || this.#replacing !== null || this.#running !== gone) return;
    this.#running = null;
    this.#options.say("The runtime has ended, and is started again until it can be.");
    this.#replacing = this.#startAnew(gone).finally(() => {
      this.#replacing = null;
    });
  }

  async #startAnew(gone: LocalWorkerd | null): Promise<void> {
    await gone?.stop().catch(() => undefined);
    for (let told = ""; ;) {
      await this.#wait(this.#waitMs);
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
      if (this.#isStopping) return;
      try {
        this.#running = await this.#start();
        this.#options.say("The runtime runs again.");
        return;
      } catch (error) {
        const why = error instanceof Error ? error.message : "unknown";
        if (why !== told) this.#options.say(`The runtime could not be started: ${why}`);
        told = why;
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([over, this.#stopped.promise]);
    clearTimeout(timer);
  }
}
