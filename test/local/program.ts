/** Programs of the project and of others, run as a user runs them, and ended by their own handle. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** What it has printed so far, both streams. */
  readonly output: () => string;
  /** Waits until it has printed what matches; rejects when it ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal, if it still runs, and waits for the end; resolves to the exit code, or the signal's name. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
  /** Waits for its end. */
  ended(): Promise<number | string>;
}

export function start(
  command: string,
  args: readonly string[],
  options: {
    env?: Record<string, string>;
    cwd?: string;
    input?: string;
    /** It has only `env`, and a group of its own, to which signals go. */
    alone?: boolean;
  } = {},
): Program {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: options.alone === true ? options.env : { ...process.env, NO_COLOR: "1", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: options.alone === true,
  });
  let text = "";
  let more = Promise.withResolvers<null>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      more.resolve(null);
      more = Promise.withResolvers();
    });
  }
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  const exit = once(child, "close").then(() => child.exitCode ?? child.signalCode ?? "unknown");
  return {
    child,
    output: () => text,
    printed: async (pattern) => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        const end = await Promise.race([more.promise, exit]);
        if (end !== null && !pattern.test(text)) {
          throw new Error(`the program ended without printing ${pattern}:\n${text}`);
        }
      }
    },
    stop: async (signal = "SIGTERM") => {
      const isRunning = child.exitCode === null && child.signalCode === null;
      // A terminal, too, sends a signal to all that a command started.
      if (options.alone === true && isRunning && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return exit;
    },
    ended: () => exit,
  };
}

/** Where a monitor or a simulator that has started listens. */
export async function addressOf(program: Program): Promise<string> {
  const [, address = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
  return address;
}

/** Asks until `accept` takes the answer: for what happens in real time in another process. The limit only ends what hangs. */
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  accept: (value: Value) => boolean = Boolean,
  withinMs = 120_000,
): Promise<Value> {
  const untilMs = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (accept(value)) return value;
    if (Date.now() > untilMs) throw new Error(`not within ${withinMs} ms; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
