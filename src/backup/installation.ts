/** An installation that is saved or restored, over the addresses that administrators have for that. */
import * as z from "zod/mini";
import { storedAnswerSchema, type StoredAnswer } from "../history/store.ts";
import { BackupProblem } from "./backup-file.ts";

export interface Place {
  /** For people. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly address: string;
  readonly token: string;
}

export interface StoredValue {
  readonly key: string;
  readonly metadata: unknown;
  readonly bytes: Uint8Array;
}

const METADATA = "gatepulse-metadata";

/** Each is safe to repeat, so a connection that breaks is tried again. */
const TRIES = 3;

export class Installation {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  get name(): string {
    return this.#place.name;
  }

  /** `after`: the `next` of the page before. */
  async stored(after: string | null = null): Promise<StoredAnswer> {
    const answer = await this.#ask("GET", after === null ? "" : `?after=${encodeURIComponent(after)}`);
    if (answer?.status !== 200) {
      throw new BackupProblem(
        `${this.name} offers no backups: it has no ADMIN_TOKEN of at least 16 characters, or is older than 0.3.0`,
      );
    }
    return storedAnswerSchema.parse(await answer.json());
  }

  async *rowsOf(shard: number): AsyncIterable<Uint8Array> {
    const answer = await this.#ask("GET", `/ledgers/${shard}`);
    try {
      for await (const chunk of answer?.body ?? []) yield chunk as Uint8Array;
    } catch {
      throw this.#silent();
    }
  }

  /** Null: there is none any more. */
  async value(key: string): Promise<StoredValue | null> {
    const answer = await this.#ask("GET", `/value?key=${key}`);
    if (answer === null) return null;
    const metadata: unknown = JSON.parse(answer.headers.get(METADATA) ?? "null");
    return { key, metadata, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  async putValue({ key, metadata, bytes }: StoredValue): Promise<void> {
    await this.#ask("POST", `/value?key=${key}`, bytes, { [METADATA]: JSON.stringify(metadata) });
  }

  async deleteValue(key: string): Promise<void> {
    await this.#ask("DELETE", `/value?key=${key}`);
  }

  async restore(
    shard: number,
    step: "begin" | "rows" | "end",
    query: Readonly<Record<string, string>>,
    body: Uint8Array | null = null,
  ): Promise<void> {
    await this.#ask("POST", `/ledgers/${shard}?${new URLSearchParams({ step, ...query }).toString()}`, body);
  }

  /** Null: there is nothing. */
  async #ask(
    method: "GET" | "POST" | "DELETE",
    below: string,
    body: Uint8Array | null = null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response | null> {
    const { address, token } = this.#place;
    const headers = { authorization: `Bearer ${token}`, accept: "*/*", ...more };
    const answer = await this.#send(`${address}/api/v1/admin/backup${below}`, {
      method,
      headers,
      redirect: "manual",
      body: body as Uint8Array<ArrayBuffer> | null,
    });
    if (answer.status === 200) return answer;
    const problem = problemSchema.safeParse(await answer.json().catch(() => null));
    if (answer.status === 404 && method === "GET") return null;
    if (answer.status === 401) throw new BackupProblem(`${this.name} does not accept this ADMIN_TOKEN`);
    const why = problem.success ? `: ${problem.data.detail}` : "";
    throw new BackupProblem(`${this.name} answered HTTP ${answer.status}${why}`);
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    for (let left = TRIES; left > 0; left -= 1) {
      const answer = await fetch(url, init).catch(() => null);
      if (answer !== null) return answer;
    }
    throw this.#silent();
  }

  #silent(): BackupProblem {
    return new BackupProblem(`${this.name} does not answer`);
  }
}

const problemSchema = z.object({ detail: z.string() });
