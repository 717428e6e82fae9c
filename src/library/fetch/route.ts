/** Where a request goes if several gateways can answer it: those that serve its model, the best first (`GET /api/v1/route`). */
import { asList, asObject, asText, type JsonObject, readJson } from "../../protocol/json.ts";
import { readBodyText } from "../given-answer.ts";
import { discard, untilAborted } from "./exchange.ts";
import type { RouteOptions, Settings } from "./options.ts";
import {
  GENERATIONS,
  headersOf,
  type Init,
  type Input,
  isSecretName,
  READING,
  readRequest,
  type SentRequest,
} from "./sent-request.ts";

interface Gateway {
  readonly id: string;
  /** Without a slash at its end. */
  readonly base: string;
  readonly apiKey: string;
  /** Null: no other gateway is of it. */
  readonly account: string | null;
}

export interface Choice {
  readonly request: SentRequest;
  readonly gateway: Gateway | null;
  /** Requests that follow try it last, until the page is asked again. */
  readonly putLast?: () => void;
}

interface Order {
  gateways: readonly Gateway[];
  readonly untilMs: number;
}

/** In milliseconds: the order is no use if it takes longer than a gateway that fails. */
const LONGEST_ASKING_MS = 2000;
const LEAST_TRUST_MS = 15_000;
const MOST_TRUST_MS = 300_000;
const MOST_BYTES = 1024 * 1024;
const MOST_ORDERS = 100;

export class Route {
  readonly #page: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #gateways: readonly Gateway[];
  readonly #settings: Settings;
  /** By what was asked; none of them ever rejects. */
  readonly #orders = new Map<string, Promise<Order>>();

  /** @throws TypeError where an address or a key cannot be meant. */
  constructor({ statusUrl, viewToken, gateways }: RouteOptions, settings: Settings) {
    this.#page = baseOf("route.statusUrl", statusUrl);
    this.#headers = {
      accept: "application/json",
      ...(viewToken && { authorization: `Bearer ${viewToken}` }),
    };
    this.#settings = settings;
    this.#gateways = Object.entries(gateways).map(([id, { baseUrl, apiKey, account = null }]) => {
      return { id, base: baseOf(`the baseUrl of ${id}`, baseUrl), apiKey, account };
    });
  }

  /** In the order in which they are tried; null: it is written for none of the gateways. @throws the signal's reason. */
  async choicesFor(input: Input, init: Init, request: SentRequest): Promise<readonly Choice[] | null> {
    const home = this.#homeOf(request.url);
    if (home === null) return null;
    const order = await this.#orderOf(request, await modelIn(input, init, request.url), home);
    return order.gateways.map((gateway) => ({
      gateway,
      request: readRequest(input, init, this.#settings, writtenFor(gateway, home, request)),
      putLast: () => {
        order.gateways = [...order.gateways.filter((one) => one !== gateway), gateway];
      },
    }));
  }

  /** The one below whose address the request is written. */
  #homeOf(url: string): Gateway | null {
    const homes = this.#gateways.filter(
      ({ base }) => url.startsWith(base) && /^[/?]/.test(url.slice(base.length)),
    );
    return homes.toSorted((a, b) => b.base.length - a.base.length)[0] ?? null;
  }

  async #orderOf({ kind, method, signal }: SentRequest, model: string | null, home: Gateway): Promise<Order> {
    // Only the gateway that has a task, a file or a batch knows it.
    if (kind === "task" || (model === null && !READING.has(method))) return { gateways: [home], untilMs: 0 };
    if (model === null) return { gateways: [...new Set([home, ...this.#gateways])], untilMs: 0 };
    const protocol = kind !== null && GENERATIONS.has(kind) ? { protocol: kind } : {};
    const order = this.#known(new URLSearchParams({ model, ...protocol }).toString());
    return signal === null ? order : untilAborted(order, signal);
  }

  async #known(query: string): Promise<Order> {
    const asking = this.#orders.get(query);
    const known = await asking;
    if (known !== undefined && this.#settings.clock.now() < known.untilMs) return known;
    // Of calls that wait together, one asks.
    if (this.#orders.get(query) !== asking) return this.#known(query);
    if (this.#orders.size >= MOST_ORDERS) this.#orders.clear();
    const asked = this.#ask(query);
    this.#orders.set(query, asked);
    return asked;
  }

  /** If the page cannot be read, the configured order holds. */
  async #ask(query: string): Promise<Order> {
    const { clock } = this.#settings;
    const limit = new AbortController();
    const cancelTimeout = clock.timeout(LONGEST_ASKING_MS, () => limit.abort());
    const answer = await untilAborted(this.#read(query, limit.signal), limit.signal).catch(() => null);
    cancelTimeout();
    const [best, worst] = [this.#named(answer?.["gateways"]), this.#named(answer?.["unavailable"])];
    const unnamed = this.#gateways.filter((gateway) => !worst.includes(gateway));
    const nowMs = clock.now();
    const trustMs = Date.parse(asText(answer?.["trustUntil"]) ?? "") - nowMs || 0;
    const untilMs = nowMs + Math.min(Math.max(trustMs, LEAST_TRUST_MS), MOST_TRUST_MS);
    return { gateways: [...new Set([...best, ...unnamed, ...worst])], untilMs };
  }

  async #read(query: string, signal: AbortSignal): Promise<JsonObject | null> {
    const init = { headers: this.#headers, redirect: "manual", signal } as const;
    // A method of the settings would be an illegal invocation of a browser's own.
    const { fetch } = this.#settings;
    const response = await fetch(`${this.#page}/api/v1/route?${query}`, init);
    if (!response.ok) discard(response);
    const read = response.ok ? await readBodyText(response.body, MOST_BYTES, () => false) : null;
    return asObject(readJson(read?.body ?? ""));
  }

  /** Those of the list that are configured here: nothing else of it is used. */
  #named(list: unknown): readonly Gateway[] {
    const ids = (asList(list) ?? []).map((one) => asObject(one)?.["gateway"]);
    return ids.flatMap((id) => this.#gateways.find((gateway) => gateway.id === id) ?? []);
  }
}

function baseOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new TypeError(`${name} must be an address with https, without a query`);
}

async function modelIn(input: Input, { body }: Init, url: string): Promise<string | null> {
  const inPath = /\/models\/([^/:]+):\w+$/.exec(new URL(url).pathname)?.[1];
  if (inPath !== undefined) return decoded(inPath);
  if (body instanceof FormData) return asText(body.get("model"));
  const isOwn = typeof input === "object" && "url" in input && (body ?? null) === null;
  const text = isOwn ? await input.clone().text() : body;
  return typeof text === "string" ? asText(asObject(readJson(text))?.["model"]) : null;
}

/** As it is where its escapes are no UTF-8. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** The request as the gateway takes it: below its base URL, with its key in the form in which the other key was. */
function writtenFor(
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
