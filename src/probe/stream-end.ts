/**
 * Whether a stream of the usual two styles has reached its end mark, told piece by piece, so that nobody waits for a
 * connection that stays open behind it. What it means is judged elsewhere. Pure; linear in the text.
 */

/** One a stream. True: the text so far ends with the end mark and the empty line behind it (spec 6). */
export function streamEndFinder(): (piece: string) => boolean {
  let tail = "";
  let isMessages = false;
  return (piece) => {
    const text = tail + piece;
    isMessages ||= text.includes("message_start");
    tail = text.slice(-TAIL_LENGTH);
    return (isMessages ? MESSAGE_STOP : DONE).test(tail);
  };
}

/** Longer than either mark is. */
const TAIL_LENGTH = 256;

const DONE = /(?:^|[\r\n])data: ?\[DONE\] {0,8}(?:\r\n\r\n|\n\n|\r\r)$/;
const MESSAGE_STOP = /(?:^|[\r\n])data: ?\{"type": ?"message_stop"[^\r\n]{0,200}(?:\r\n\r\n|\n\n|\r\r)$/;
