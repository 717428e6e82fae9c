/**
 * The runtime that runs now. Where it could not be started again after it crashed, as on a full disk, it is started anew until
 * it can, after growing waits; meanwhile there is none.
 */
import { RuntimeGoneError, type LocalWorkerd } from "./workerd.ts";

export interface RuntimeKeeper {
  /** Where it listens; null: none runs now. */
  address(): URL | null;
  /** Rejects where it failed, and where no runtime runs. */
  tick(scheduledMs: number): Promise<void>;
  /** For who got no answer from it. Never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  /** Starts one. */
  readonly start: () => Promise<LocalWorkerd>;
  /** Asked where the very first one cannot be started: whether that may pass by itself. */
  readonly mayPass: () => boolean;
  readonly say: (words: string) => void;
}

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
  #replacing: Promise<void> | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    try {
      this.#running = await this.#options.start();
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
    if (running === null) throw new Error("no runtime runs");
    try {
      await running.tick(scheduledMs);
    } catch (error) {
      if (error instanceof RuntimeGoneError) this.#replace(running);
      throw error;
    }
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
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      await this.#wait(waitMs);
      if (this.#isStopping) return;
      this.#running = await this.#options.start().catch(() => null);
      if (this.#running === null) continue;
      this.#options.say("The runtime runs again.");
      return;
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
