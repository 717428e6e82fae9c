/**
 * One message out, what came back in: within 15 seconds and 4 kB, and no redirect followed. Nothing is judged here.
 * What differs between the runtimes are arguments.
 */
import type { Answer, Letter, Mail } from "../alert/channel.ts";

/** What a fetch can do and this module needs. */
export type CourierFetch = (url: string, init: CourierInit) => Promise<CourierResponse>;

interface CourierInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

interface CourierResponse {
  readonly status: number;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: { getReader(): BodyReader } | null;
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface SendPorts {
  readonly fetch: CourierFetch;
  /** Aborts after so long. */
  timeoutSignal(ms: number): AbortSignal;
  /**
   * Hands a message to the platform's mail; `binding`: the name that the configuration gives. Rejects where it fails, with
   * `NoMailBinding` where there is none of this name.
   */
  sendMail(mail: Mail, binding: string): Promise<void>;
}

export class NoMailBinding extends Error {}

export type Sent =
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "mailed" }
  /** `isFinal`: no further try can help. `problem` holds no secret. */
  | { readonly type: "failed"; readonly problem: string; readonly isFinal: boolean };

/** A receiver may take so long, with its answer. */
const SEND_LIMIT_MS = 15_000;

const MOST_ANSWER_BYTES = 4096;

/** Never throws. */
export async function sendLetter(letter: Letter, ports: SendPorts): Promise<Sent> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  const { method, url, headers, body } = letter;
  try {
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal } as const;
    const response = await within(signal, ports.fetch(url, init));
    const received = headersOf(response);
    const text = response.body === null ? "" : await startOf(response.body.getReader(), signal);
    return { type: "answered", answer: { status: response.status, headers: received, body: text } };
  } catch {
    // What fetch says names the address, which is a secret.
    const problem = signal.aborted ? "no answer within 15 seconds" : "the receiver could not be reached";
    return { type: "failed", problem, isFinal: false };
  }
}

/** Never throws. */
export async function sendMail(mail: Mail, binding: string, ports: SendPorts): Promise<Sent> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  try {
    await within(signal, ports.sendMail(mail, binding));
    return { type: "mailed" };
  } catch (error) {
    if (signal.aborted) return { type: "failed", problem: "no answer within 15 seconds", isFinal: false };
    return error instanceof NoMailBinding ? noBinding(binding) : readMailFailure(error);
  }
}

/** A deploy may bring it. */
function noBinding(name: string): Sent {
  const problem = `there is no send_email binding ${name}: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml`;
  return { type: "failed", problem, isFinal: false };
}

/** The platform's codes (Email Service, Workers API), and what it says where there is none. */
const UNVERIFIED =
  /E_SENDER_NOT_VERIFIED|E_SENDER_DOMAIN_NOT_AVAILABLE|E_RECIPIENT_NOT_ALLOWED|E_RECIPIENT_SUPPRESSED|not (?:a )?verified/u;

function readMailFailure(error: unknown): Sent {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const said = error instanceof Error ? `${code} ${error.message}` : "";
  if (UNVERIFIED.test(said)) {
    return { type: "failed", problem: "an address is not verified, or not allowed", isFinal: true };
  }
  const named = /^E_[A-Z_]{1,40}$/u.test(code) ? `: ${code}` : "";
  return { type: "failed", problem: `the platform did not take the mail${named}`, isFinal: false };
}

/** Names come in lower case (Fetch standard, 5.1). */
function headersOf(response: CourierResponse): Readonly<Record<string, string>> {
  // Without a prototype `__proto__` is a name like any other.
  const headers: Record<string, string> = Object.create(null);
  response.headers.forEach((value, name) => {
    headers[name] = value.trim();
  });
  return headers;
}

/** The status has told already what counts: a body that breaks off or hangs is read as far as it came. */
async function startOf(reader: BodyReader, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let room = MOST_ANSWER_BYTES;
  try {
    while (room > 0) {
      const { done, value } = await within(signal, reader.read());
      if (done || value === undefined) return text + decoder.decode();
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.byteLength;
    }
  } catch {
    // The text so far is what is left of it.
  }
  reader.cancel().catch(() => undefined);
  return text;
}

/** Not every receiver of a signal heeds it. */
async function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  let onAbort = (): void => undefined;
  const limit = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error("the time is over"));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
