/** The newest requests that reached a simulator, for tests and people; bounded. */

export interface RecordedRequest {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly method: string;
  /** As received, with the gateway's part and the query. */
  readonly path: string;
  /** The gateway's name; `elsewhere` for the host that redirects lead to. */
  readonly gateway: string;
  /** Null where no scenario was played. */
  readonly scenario: string | null;
  /** Names in lower case; `authorization` as it came. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 2,000 characters. */
  readonly body: string;
  /** The one that its answer bore. */
  readonly requestId: string;
}

const MAX_REQUESTS = 10_000;

export class Recorder {
  readonly #requests: RecordedRequest[] = [];

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  record(request: RecordedRequest): void {
    this.#requests.push({ ...request, body: request.body.slice(0, 2000) });
    if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
  }

  clear(): void {
    this.#requests.length = 0;
  }
}
