/** An administrator before a Ledger that only notes what it is asked. */
import type { AdminAnswer, AdminRequest } from "../../src/domain/administration.ts";
import { handleRequest } from "../../src/http/app.ts";
import { depsOf } from "./published-status.ts";

export const TOKEN = "correct-horse-battery-staple";
export const BEARER = { authorization: `Bearer ${TOKEN}` };

const UNREAD: Parameters<typeof depsOf>[0] = {
  getWithMetadata: () => Promise.reject(new Error("administration reads no KV")),
};

export interface Desk {
  /** What the Ledger was asked, in order. */
  readonly orders: AdminRequest[];
  /** Below `/api/v1/admin/`, with the right token. */
  ask(method: string, path: string, body?: unknown): Promise<Response>;
  /** Any request at all. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** @param answer what the Ledger says; default: yes, to everything. */
export function openDesk(
  answer: (order: AdminRequest) => Promise<AdminAnswer> = async ({ type }) => ({ ok: true, value: { type } }),
  adminToken: string | null = TOKEN,
): Desk {
  const orders: AdminRequest[] = [];
  const deps = depsOf(UNREAD, {
    adminToken,
    administer: (order) => {
      orders.push(order);
      return answer(order);
    },
  });
  const send: Desk["send"] = (path, init = {}) =>
    handleRequest(new Request(`https://status.example${path}`, init), deps);
  return {
    orders,
    send,
    ask: (method, path, body) =>
      send(`/api/v1/admin/${path}`, {
        method,
        headers: { ...BEARER, "content-type": "application/json" },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}
