/** Memory of a Worker's isolate, as V8 itself counts it, once all that nobody needs any more was collected. */
import type { Miniflare } from "miniflare";

/** Objects, and buffers outside the heap. The runtime was started with an inspector, and has one Worker without a name. */
export async function heapBytes(miniflare: Miniflare): Promise<number> {
  const socket = new WebSocket(new URL("/core:user:", await miniflare.getInspectorURL()));
  const opened = Promise.withResolvers<void>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", () => opened.reject(new Error("the inspector does not answer")));
  await opened.promise;
  try {
    // workerd leaves a plain order to collect unanswered. A picture of the heap begins with one, and answers come in order.
    socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.enable" }));
    socket.send(JSON.stringify({ id: 2, method: "HeapProfiler.takeHeapSnapshot" }));
    return await usage(socket);
  } finally {
    socket.close();
  }
}

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

function usage(socket: WebSocket): Promise<number> {
  const answer = Promise.withResolvers<number>();
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    // Pieces of the picture are long, and no answers.
    if (!text.startsWith('{"id":3')) return;
    const { result } = JSON.parse(text) as { readonly result: HeapUsage };
    answer.resolve(result.usedSize + result.backingStorageSize);
  });
  socket.addEventListener("close", () => answer.reject(new Error("the inspector went away")));
  socket.send(JSON.stringify({ id: 3, method: "Runtime.getHeapUsage" }));
  return answer.promise;
}
