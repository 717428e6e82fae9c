/**
 * Answers that an isolate has made of one publication: to write a page of a hundred monitors costs more CPU than all else that
 * a request does.
 */
import type { StoredPublication } from "./publication.ts";

export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer;
}

/** In an isolate of 128 MB. */
const MOST_BYTES = 4_000_000;
const MOST_ANSWERS = 64;

export class AnswerMemory {
  readonly #answers = new Map<string, KeptAnswer>();
  #of: StoredPublication | null = null;
  #bytes = 0;

  find(publication: StoredPublication, key: string): KeptAnswer | null {
    if (this.#of !== publication) this.#forget(publication);
    return this.#answers.get(key) ?? null;
  }

  /** One that was begun before the newest publication is too late. The oldest make room. */
  keep(publication: StoredPublication, key: string, answer: KeptAnswer): void {
    const { byteLength } = answer.body;
    if (this.#of !== publication || this.#answers.has(key) || byteLength > MOST_BYTES) return;
    this.#answers.set(key, answer);
    this.#bytes += byteLength;
    for (const [oldest, { body }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES && this.#answers.size <= MOST_ANSWERS) return;
      this.#answers.delete(oldest);
      this.#bytes -= body.byteLength;
    }
  }

  #forget(publication: StoredPublication): void {
    this.#answers.clear();
    this.#of = publication;
    this.#bytes = 0;
  }
}
