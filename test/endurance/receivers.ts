/** Webhooks that take what they are sent, except in some hours of trouble. */

export interface Told {
  readonly id: string;
  readonly type: string;
  /** The incident's id; null: it is about something else. */
  readonly incident: string | null;
}

const HOUR_MS = 3_600_000;

export class Receivers {
  /** By receiver, in order, each event once. */
  readonly told = new Map<string, Map<string, Told>>();
  readonly #underWay = new Set<Promise<unknown>>();

  receive(
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    nowMs: number,
  ): Promise<Response> {
    const to = new URL(url).hostname.split(".", 1)[0] ?? "";
    const isBroken = to === "team" && Math.floor(nowMs / HOUR_MS) % 90 < 2;
    const status = isBroken ? 503 : 204;
    if (!isBroken) this.#note(to, body, headers);
    const answering = Promise.resolve(new Response(null, { status }));
    this.#underWay.add(answering);
    void answering.finally(() => this.#underWay.delete(answering));
    return answering;
  }

  /** Nobody waits for messages: they are over when none is under way after some turns. */
  async untilStill(): Promise<void> {
    for (let still = 0; still < 2; still += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#underWay.size > 0) still = -1;
    }
  }

  #note(to: string, body: string, headers: Readonly<Record<string, string>>): void {
    const { type, data } = JSON.parse(body) as { type: string; data: { incident?: { id: string } | null } };
    const id = headers["webhook-id"] ?? "";
    if (id === "") throw new Error(`an event without an id: ${body.slice(0, 200)}`);
    const known = this.told.get(to) ?? new Map<string, Told>();
    this.told.set(to, known);
    if (!known.has(id)) known.set(id, { id, type, incident: data.incident?.id ?? null });
  }
}
