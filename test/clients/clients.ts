/** The clients that are compared, each as its documents say to use it. What they give is described in a few words. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createFetch, GatewayError } from "../../src/library/fetch/index.ts";
import type { Question } from "./cases.ts";

export const KEY = "sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6";

export interface Setting {
  readonly baseUrl: string;
  /** Of one request; null: the client's own. */
  readonly timeoutMs: number | null;
}

/** All send at most four requests, as `gatepulse/fetch` does by default. */
const MAX_RETRIES = 3;

export interface Client {
  readonly name: string;
  /** The result of the question, in words; rejects with the client's own errors. */
  ask(question: Question, setting: Setting): Promise<string>;
  /** An error of the client's own, in words. */
  inWords(error: unknown): string;
}

const GATEPULSE: Client = {
  name: "gatepulse/fetch",
  ask: async (question, { baseUrl, timeoutMs }) => {
    const gatewayFetch = createFetch({
      // The waits are those without chance: 1, 2 and 4 s.
      random: () => 0,
      ...(timeoutMs !== null && { timeoutMs }),
    });
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
    if (question === "generation") {
      const body = JSON.stringify({ model: "sim-chat-small", messages: [{ role: "user", content: "ping" }] });
      await gatewayFetch(`${baseUrl}/v1/chat/completions`, { method: "POST", headers, body });
      return "an answer";
    }
    const response = await gatewayFetch(`${baseUrl}/v1/models`, { headers });
    const { data } = (await response.json()) as { data: readonly unknown[] };
    return listOf(data.length);
  },
  inWords: (error) => {
    if (!(error instanceof GatewayError)) return nameOf(error);
    const { cause, retry } = error.diagnosis;
    const later = retry.allowed && retry.afterSeconds !== null ? `, not before ${retry.afterSeconds} s` : "";
    const accepted = error.mayHaveBeenAccepted ? ", may be accepted" : "";
    return `\`${cause}\`${later}${accepted}`;
  },
};

const OPENAI: Client = {
  name: "openai",
  ask: async (question, { baseUrl, timeoutMs }) => {
    const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: KEY, ...limitsOf(timeoutMs) });
    if (question === "models") return listOf(await countOf(client.models.list()));
    await client.chat.completions.create({
      model: "sim-chat-small",
      messages: [{ role: "user", content: "ping" }],
    });
    return "an answer";
  },
  inWords: officialError,
};

const ANTHROPIC: Client = {
  name: "@anthropic-ai/sdk",
  ask: async (question, { baseUrl, timeoutMs }) => {
    const client = new Anthropic({ baseURL: baseUrl, apiKey: null, authToken: KEY, ...limitsOf(timeoutMs) });
    if (question === "models") return listOf(await countOf(client.models.list()));
    await client.messages.create({
      model: "sim-chat-small",
      max_tokens: 16,
      messages: [{ role: "user", content: "ping" }],
    });
    return "an answer";
  },
  inWords: officialError,
};

export const CLIENTS: readonly Client[] = [GATEPULSE, OPENAI, ANTHROPIC];

function limitsOf(timeoutMs: number | null) {
  return { maxRetries: MAX_RETRIES, ...(timeoutMs !== null && { timeout: timeoutMs }) };
}

async function countOf(list: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _model of list) count += 1;
  return count;
}

function listOf(count: number): string {
  return count === 0 ? "an empty list" : `${count} models`;
}

function officialError(error: unknown): string {
  const status: unknown = error instanceof Error ? Reflect.get(error, "status") : undefined;
  return typeof status === "number" ? `\`${nameOf(error)}\` ${status}` : `\`${nameOf(error)}\``;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : String(error);
}
