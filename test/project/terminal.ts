/** Runs the program in a real pseudo-terminal, which util-linux's `script` makes, as a person would. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";

const MAIN = fileURLToPath(new URL("../../src/commands/main.ts", import.meta.url));

export const ENTER = "\r";
export const DOWN = "\u001b[B";
export const UP = "\u001b[A";
export const CTRL_C = "\u0003";

export interface Terminal {
  /** Types once the screen has shown the text after what was answered last. */
  answer(shown: string, ...typed: readonly string[]): Promise<void>;
  /** All that the screen has shown, and the exit code. */
  ended(): Promise<{ readonly code: number | null; readonly shown: string }>;
}

export function openTerminal(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Terminal {
  const program = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(" ");
  // Without a size, each character would have a line of its own.
  const command = `stty columns 200 rows 50 && exec ${program}`;
  const { PATH = "" } = process.env;
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", command, "/dev/null"], {
    cwd,
    env: { PATH, TERM: "xterm-256color", HOME: cwd, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit") as Promise<[number | null]>;
  let shown = "";
  let isOver = false;
  let look = (): void => undefined;
  child.stdout.on("data", (piece: Buffer) => {
    shown += piece.toString();
    look();
  });
  child.stdout.on("end", () => {
    isOver = true;
    look();
  });
  let from = 0;
  const seen = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      look = () => {
        const rest = stripVTControlCharacters(shown.slice(from));
        if (rest.includes(text)) {
          from = shown.length;
          resolve();
        } else if (isOver) reject(new Error(`the program ended without showing ${text}:\n${rest}`));
      };
      look();
    });
  return {
    answer: async (text, ...typed) => {
      await seen(text);
      // A key at a time: an escape sequence is one key.
      for (const keys of typed) child.stdin.write(keys);
    },
    ended: async () => {
      const [code] = await exited;
      return { code, shown: stripVTControlCharacters(shown) };
    },
  };
}
