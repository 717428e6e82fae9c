/** The world as this process sees it. */
import { systemClock } from "../probe/clock.ts";
import type { Input, Io, Output } from "./io.ts";
import { nodeFetch } from "./node-fetch.ts";

export function nodeIo(): Io {
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    stdin: inputOf(process.stdin),
    env: process.env,
    cwd: process.cwd(),
    clock: { ...systemClock(), now: steadyNow() },
    fetch: nodeFetch,
    random: () => Math.random(),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The time of day at the start plus what has passed since: a clock that is set meanwhile changes no latency. */
function steadyNow(): () => number {
  const startMs = Date.now() - performance.now();
  return () => Math.round(startMs + performance.now());
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has gone (`| head`) is no failure of ours.
  stream.on("error", () => undefined);
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY,
    columns: stream.columns ?? 80,
  };
}

function inputOf(stream: NodeJS.ReadStream): Input {
  return {
    isTTY: stream.isTTY,
    readAll: async (maxBytes) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) return null;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}
