/**
 * Where a request goes if several gateways can answer it: those of a status page that serve its model, the best first
 * (`GET /api/v1/route`). Keys only go to the gateways that are configured here.
 */
import type { Kind } from "../../protocol/observation.ts";
import { asObject, readJson } from "../../protocol/json.ts";
import { readBodyText } from "../given-answer.ts";
import { discard, untilAborted } from "./exchange.ts";
import type { RouteOptions, Settings } from "./options.ts";
import { headersOf, type Init, type Input, isSecretName, type SentRequest } from "./sent-request.ts";

export interface Gateway {
  readonly id: string;
  /** Without a slash at its end. */
  readonly base: string;
  readonly apiKey: string;
  /** Null: no other gateway is of it. */
  readonly account: string | null;
}

export interface Order {
  gateways: readonly Gateway[];
  readonly untilMs: number;
}

interface Asked {
  readonly kind: Kind | null;
  readonly model: string | null;
  readonly signal: AbortSignal | null;
}

/** In milliseconds: the order is no use if it takes longer than a gateway that fails. */
const LONGEST_ASKING_MS = 2000;
const LEAST_TRUST_MS = 15_000;
const MOST_TRUST_MS = 300_000;
const MOST_BYTES = 1024 * 1024;
const MOST_ORDERS = 100;

export class Route {
  readonly #page: URL;
  readonly #token: string | null;
  readonly #gateways: readonly Gateway[];
  readonly #settings: Settings;
  /** By what was asked; none of them ever rejects. */
  readonly #orders = new Map<string, Promise<Order>>();

  /** @throws TypeError where an address or a key cannot be meant. */
  constructor({ statusUrl, viewToken, gateways }: RouteOptions, settings: Settings) {
    this.#page = new URL(`${baseOf("route.statusUrl", statusUrl)}/`);
    this.#token = viewToken ?? null;
    this.#settings = settings;
    this.#gateways = Object.entries(gateways).map(([id, { baseUrl, apiKey, account }]) => {
      return { id, base: baseOf(`the baseUrl of ${id}`, baseUrl), apiKey, account: account ?? null };
    });
  }

  /** The one below whose address the request is written. */
  homeOf(url: string): Gateway | null {
    const homes = this.#gateways.filter(
      ({ base }) => url.startsWith(base) && /^[/?]/.test(url.slice(base.length)),
    );
    return homes.toSorted((a, b) => b.base.length - a.base.length)[0] ?? null;
  }

  /** In the order in which they are tried. @throws the signal's reason. */
  async orderOf({ kind, model, signal }: Asked, home: Gateway): Promise<Order> {
    const own = { gateways: [home, ...this.#gateways.filter((one) => one !== home)], untilMs: 0 };
    // Only the gateway that has a task knows it.
    if (kind === "task") return { ...own, gateways: [home] };
    if (model === null) return own;
    const protocol = kind !== null && PROTOCOLS.has(kind) ? { protocol: kind } : {};
    const query = new URLSearchParams({ model, ...protocol }).toString();
    const order = this.#known(query);
    return signal === null ? order : untilAborted(order, signal);
  }

  async #known(query: string): Promise<Order> {
    const known = await this.#orders.get(query);
    if (known !== undefined && this.#settings.clock.now() < known.untilMs) return known;
    if (this.#orders.size >= MOST_ORDERS) this.#orders.clear();
    const asked = this.#ask(query);
    this.#orders.set(query, asked);
    return asked;
  }

  /** If the page cannot be read, the configured order holds. */
  async #ask(query: string): Promise<Order> {
    const { clock, fetch } = this.#settings;
    const limit = new AbortController();
    const cancelTimeout = clock.timeout(LONGEST_ASKING_MS, () => limit.abort());
    let answer: Readonly<Record<string, unknown>> = {};
    try {
      const headers = {
        accept: "application/json",
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      };
      const init = { headers, redirect: "manual", signal: limit.signal } as const;
      const asking = fetch(new URL(`api/v1/route?${query}`, this.#page).href, init);
      const response = await untilAborted(asking, limit.signal);
      if (!response.ok) discard(response);
      else {
        const read = await untilAborted(
          readBodyText(response.body, MOST_BYTES, () => false),
          limit.signal,
        );
        answer = asObject(readJson(read?.body ?? "")) ?? {};
      }
    } catch {
      // What fails in reading the page is no failure of the request.
    } finally {
      cancelTimeout();
    }
    const [best, worst] = [this.#named(answer["gateways"]), this.#named(answer["unavailable"])];
    const unnamed = this.#gateways.filter((gateway) => !best.includes(gateway) && !worst.includes(gateway));
    const nowMs = clock.now();
    const trustMs = Date.parse(String(answer["trustUntil"])) - nowMs || 0;
    const untilMs = nowMs + Math.min(Math.max(trustMs, LEAST_TRUST_MS), MOST_TRUST_MS);
    return { gateways: [...new Set([...best, ...unnamed, ...worst])], untilMs };
  }

  /** Those of the list that are configured here: nothing else of it is used. */
  #named(list: unknown): readonly Gateway[] {
    const ids = Array.isArray(list) ? list.map((one) => asObject(one)?.["gateway"]) : [];
    return ids.flatMap((id) => this.#gateways.find((gateway) => gateway.id === id) ?? []);
  }
}

/** Of requests for a model, as the page names them. */
const PROTOCOLS: ReadonlySet<Kind> = new Set([
  "chat",
  "messages",
  "responses",
  "gemini",
  "embeddings",
  "image",
]);

/** It fails later requests, so those that follow try it last, until the page is asked again. */
export function putLast(order: Order, gateway: Gateway): void {
  order.gateways = [...order.gateways.filter((one) => one !== gateway), gateway];
}

function baseOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new TypeError(`${name} must be an address with https, without a query`);
}

/** Null: it names none. */
export async function modelIn(input: Input, { body }: Init, url: string): Promise<string | null> {
  const inPath = /\/models\/([^/:]+):\w+$/.exec(new URL(url).pathname)?.[1];
  if (inPath !== undefined) return decodeURIComponent(inPath);
  if (body instanceof FormData) return textOr(body.get("model"));
  const isOwn = typeof input === "object" && "url" in input && (body ?? null) === null;
  const text = isOwn ? await input.clone().text() : body;
  return typeof text === "string" ? textOr(asObject(readJson(text))?.["model"]) : null;
}

function textOr(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** The request as the gateway takes it: below its base URL, with its key in the form in which the other key was. */
export function writtenFor(
  gateway: Gateway,
  home: Gateway,
  { url, given }: Pick<SentRequest, "url" | "given">,
): { readonly url: string; readonly headers: Headers } {
  const target = new URL(gateway.base + url.slice(home.base.length));
  const headers = headersOf(given);
  const found = KEY_HEADERS.filter((name) => headers.has(name));
  if (gateway !== home) {
    // They are secrets of the other gateway.
    const isSecret = (name: string): boolean => isSecretName(name) || name === "cookie";
    for (const name of Array.from(target.searchParams.keys()).filter(isSecret))
      target.searchParams.delete(name);
    for (const name of Array.from(headers.keys()).filter(isSecret)) headers.delete(name);
  }
  const usual = target.pathname.endsWith("/messages") ? "x-api-key" : "authorization";
  const isGoogle = /:\w*generateContent$/i.test(target.pathname);
  for (const name of found.length > 0 ? found : [isGoogle ? "x-goog-api-key" : usual])
    headers.set(name, name === "authorization" ? `Bearer ${gateway.apiKey}` : gateway.apiKey);
  return { url: target.href, headers };
}
