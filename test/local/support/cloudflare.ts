/** As much of Cloudflare's API as a deploy asks, over HTTP. It keeps what it is sent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Cloudflare {
  readonly env: Readonly<Record<string, string>>;
  /** `METHOD path`, without the account. */
  readonly asked: string[];
  readonly queues: string[];
  /** By name, of the last upload. */
  readonly secrets: Map<string, string>;
  /** Every call is refused with these words and this code. */
  refusal: { readonly code: number; readonly message: string } | null;
}

const ACCOUNT = "0123456789abcdef0123456789abcdef";

/** @param whenOver the test's own `onTestFinished`. */
export async function startCloudflare(whenOver: (clean: () => void) => void): Promise<Cloudflare> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const result = answer(request, await bodyOf(request), cloudflare);
    const { refused, code, message } = result as Partial<Refusal>;
    const success = refused === undefined;
    const errors = success ? [] : [{ code, message }];
    response.writeHead(refused ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success, errors, messages: [], result: success ? result : null }));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  whenOver(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const cloudflare: Cloudflare = {
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: "a-token-of-tests",
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    },
    asked: [],
    queues: [],
    secrets: new Map(),
    refusal: null,
  };
  return cloudflare;
}

interface Refusal {
  readonly refused: number;
  readonly code: number;
  readonly message: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("latin1");
}

function answer({ method = "", url = "" }: IncomingMessage, body: string, cloudflare: Cloudflare): unknown {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const path = pathname.replace(`/accounts/${ACCOUNT}`, "");
  cloudflare.asked.push(`${method} ${path}`);
  const { queues, secrets, refusal } = cloudflare;
  if (refusal !== null) return { refused: 400, code: refusal.code, message: refusal.message };
  if (path === "/queues" && method === "POST") {
    const { queue_name: name } = JSON.parse(body) as { queue_name: string };
    if (queues.includes(name))
      return { refused: 409, code: 11009, message: `Queue name '${name}' is already taken.` };
    queues.push(name);
    return { queue_name: name, queue_id: name };
  }
  if (path === "/queues") {
    const found = queues.filter((name) => name === searchParams.get("name"));
    return found.map((name) => ({ queue_name: name, queue_id: name, producers: [], consumers: [] }));
  }
  if (/^\/workers\/services\/[^/]+$/.test(path))
    return { refused: 404, code: 10090, message: "This Worker does not exist." };
  if (/^\/workers\/scripts\/[^/]+\/(?:bindings|deployments|secrets|settings)$/.test(path))
    return { refused: 404, code: 10007, message: "This Worker does not exist." };
  if (/^\/workers\/scripts\/[^/]+$/.test(path) && method === "PUT") {
    for (const { name, type, text } of metadataIn(body))
      if (type === "secret_text") secrets.set(name, text ?? "");
    return {
      id: "w",
      etag: "e",
      pipeline_hash: "h",
      mutable_pipeline_id: "p",
      deployment_id: "d",
      startup_time_ms: 10,
    };
  }
  if (path.endsWith("/assets-upload-session")) return { jwt: "session", buckets: [] };
  if (path === "/storage/kv/namespaces") return method === "POST" ? { id: "kv", title: "kv" } : [];
  if (path.startsWith("/workers/workers/")) return { subdomain: { enabled: false, previews_enabled: false } };
  if (path === "/workers/subdomain") return { subdomain: "tests" };
  return {};
}

interface Binding {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
}

function metadataIn(body: string): readonly Binding[] {
  const json = /name="metadata"\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)\r\n--/s.exec(body)?.[1] ?? "{}";
  return (JSON.parse(json) as { bindings?: readonly Binding[] }).bindings ?? [];
}
