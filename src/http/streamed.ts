/** A text that is written while it is sent: as fast as the client takes it, and never whole in memory. */

/** Bytes, about: small ones would cost more than they bring. */
const PIECE = 64 * 1024;

export function streamed(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: (controller) => {
      let text = "";
      while (text.length < PIECE) {
        const { done, value } = rest.next();
        if (done === true) break;
        text += value;
      }
      if (text === "") controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
}
