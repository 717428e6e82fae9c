/** Reads the text that is to be explained, from a file or from standard input. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Io } from "./io.ts";

/** The most that the monitor itself reads of an answer. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

export type ReadInput =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** `file`: null is standard input. A problem does not name the file. */
export async function readInput(file: string | null, io: Io): Promise<ReadInput> {
  const read = file === null ? await readStdin(io) : await readFile(resolve(io.cwd, file));
  if (!read.ok) return read;
  const text = read.text.replace(/^\ufeff/, "");
  return text.trim() === ""
    ? { ok: false, problem: "is empty: there is nothing to explain" }
    : { ok: true, text };
}

async function readStdin({ stdin, stderr }: Io): Promise<ReadInput> {
  if (stdin.isTTY) stderr.write("Paste the answer, then press Ctrl-D on a line of its own.\n");
  const text = await stdin.readAll(MAX_INPUT_BYTES);
  return text === null ? TOO_LONG : { ok: true, text };
}

const TOO_LONG = { ok: false, problem: "is over 8 MiB: give the failed answer alone" } as const;

/** Pipes are files too: `gatepulse explain <(curl -i …)`. */
async function readFile(path: string): Promise<ReadInput> {
  const found = await stat(path).catch(() => null);
  if (found === null) return { ok: false, problem: "is not there" };
  if (found.isDirectory()) return { ok: false, problem: "is a directory" };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_INPUT_BYTES) return TOO_LONG;
      chunks.push(chunk);
    }
  } catch {
    return { ok: false, problem: "cannot be read" };
  }
  return { ok: true, text: decoded(Buffer.concat(chunks)) };
}

/** Some shells write what they redirect to a file in UTF-16. */
function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? "utf16le" : "utf8");
}
