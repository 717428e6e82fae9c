/** A command's world for a test: what it writes is kept, what it reads is given. */
import type { Io } from "../../src/cli/command.ts";
import { nodeFetch } from "../../src/cli/node-io.ts";
import { run } from "../../src/commands/run.ts";
import { type HandClock, handClock } from "../probe/probing.ts";

export interface World {
  readonly env: Record<string, string | undefined>;
  /** Standard input; null: a terminal. */
  readonly stdin: string | null;
  /** What is typed where standard input is a terminal. */
  readonly typed: string;
  readonly isTTY: boolean;
  readonly cwd: string;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly clock: HandClock;
}

export async function runCli(args: readonly string[], given: Partial<World> = {}): Promise<Ran> {
  const { io, written, clock } = fakeIo(given);
  return { code: await run(args, io), ...written, clock };
}

export function fakeIo({ env = {}, stdin = null, typed = "", isTTY = false, cwd = "/" }: Partial<World>) {
  const written = { stdout: "", stderr: "" };
  const clock = handClock();
  const output = (name: "stdout" | "stderr") => ({
    write: (text: string) => void (written[name] += text),
    isTTY,
  });
  const io: Io = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    stdin: {
      isTTY: stdin === null,
      readAll: async (maxBytes) => {
        const text = stdin ?? typed;
        return text.length <= maxBytes ? text : null;
      },
    },
    prompts: null,
    env,
    cwd,
    clock,
    fetch: nodeFetch,
    random: () => 0,
    timeZone: "Asia/Shanghai",
  };
  return { io, written, clock };
}
