/** The answer as the caller gets it where its body is passed on: piece by piece, when they are asked for, and watched. */

export interface Passing {
  /** Told each piece before it is handed over; an error: the next read fails with it. */
  readonly watch: (piece: Uint8Array) => Error | null;
  /** The body came to its end; an error: the reader's last read fails with it. */
  readonly end: () => Error | null;
  /** What the reader is told where the connection broke off; null: what came is whole. */
  readonly broken: (thrown: unknown) => unknown;
  /** Whatever ended it; once or more. */
  readonly over: () => void;
  /** Ends it from outside, whether anybody reads or not. */
  readonly signal: AbortSignal | null;
}

export function passOn(response: Response, passing: Passing): Response {
  if (response.body === null) {
    passing.over();
    return response;
  }
  const { status, statusText, headers, url, type } = response;
  const body = passedBody(response.body.getReader(), heedingSignal(passing));
  return asFetched(new Response(body, { status, statusText, headers }), url, type);
}

function heedingSignal({ signal, ...passing }: Passing): Omit<Passing, "signal"> {
  signal?.addEventListener("abort", passing.over);
  const over = (): void => {
    signal?.removeEventListener("abort", passing.over);
    passing.over();
  };
  return { ...passing, over };
}

/** A Response that is made by hand has no address, and nor have its clones. */
function asFetched(response: Response, url: string, type: ResponseType): Response {
  const cloneIt = response.clone.bind(response);
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: type },
    clone: { value: () => asFetched(cloneIt(), url, type) },
  });
}

/** Nothing is read ahead: what has not been asked for stays in the socket. */
function passedBody(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  passing: Omit<Passing, "signal">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let failure: Error | null = null;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (failure !== null) return controller.error(failure);
        const step = await nextStep(reader, passing);
        if (step.type === "piece") {
          failure = step.failure;
          controller.enqueue(step.piece);
          // The caller hears of it at the next read; the gateway, now.
          if (failure !== null) reader.cancel().catch(() => undefined);
        }
        if (step.type === "end") controller.close();
        if (step.type === "failed") controller.error(step.reason);
        if (step.type !== "piece" || failure !== null) passing.over();
      },
      cancel: async (reason) => {
        passing.over();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type Step =
  | {
      readonly type: "piece";
      readonly piece: Uint8Array<ArrayBuffer>;
      readonly failure: Error | null;
    }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly reason: unknown };

async function nextStep(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  passing: Omit<Passing, "signal">,
): Promise<Step> {
  try {
    const { done, value } = await reader.read();
    if (!done) return { type: "piece", piece: value, failure: passing.watch(value) };
  } catch (thrown) {
    const reason = passing.broken(thrown);
    return reason === null ? { type: "end" } : { type: "failed", reason };
  }
  const reason = passing.end();
  return reason === null ? { type: "end" } : { type: "failed", reason };
}
