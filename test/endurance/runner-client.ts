/** Who asks the local runner while it is killed. Who hangs is waited for no longer than by a patient client. */

export const ADMIN_TOKEN = "an-administrators-token-of-tests";

export const LONGEST_ANSWER_MS = 30_000;

interface Status {
  readonly stale: boolean;
  readonly gateways: readonly { readonly id: string; readonly status: string }[];
}

/** Null: it does not answer. */
export async function statusOf(address: string): Promise<Status | null> {
  const answer = await ask(`${address}/api/v1/status`).catch(() => null);
  return answer?.ok === true ? ((await answer.json()) as Status) : null;
}

/** HTTP status of an answer that came in whole. */
export async function look(url: string): Promise<number | "broken" | "hangs"> {
  try {
    const answer = await ask(url);
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "hangs" : "broken";
  }
}

function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
}

/** How many alerts wait, or could not be delivered; null: it does not say. */
export async function owedBy(address: string): Promise<number | null> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await ask(`${address}/api/v1/admin/alerts`, { headers }).catch(() => null);
  if (answer?.ok !== true) return null;
  const { channels } = (await answer.json()) as {
    channels: { waiting: { count: number } | null; undelivered: number }[];
  };
  return channels.reduce((sum, { waiting, undelivered }) => sum + (waiting?.count ?? 0) + undelivered, 0);
}

/** Each of these gateways is due with the next tick. Never rejects. */
export async function orderAll(address: string, gateways: readonly string[]): Promise<void> {
  for (const id of gateways) {
    const url = `${address}/api/v1/admin/gateways/${id}/monitors/models/probe`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    await ask(url, { method: "POST", headers }).catch(() => null);
  }
}
