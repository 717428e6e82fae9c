/** Reads the exceptions of Node's HTTP clients: the code is on the error, on its cause, or deeper. Pure. */
import type { NetworkStage } from "../protocol/observation.ts";
import type { FailureReading } from "../probe/exchange.ts";

/** Never a subrequest limit: Node has none. */
export function readNodeFailure(error: unknown): FailureReading {
  const chain = causesOf(error);
  for (const link of chain.toReversed()) {
    const stage = stageOf(link);
    if (stage !== null) return { type: "network", stage, detail: detailOf(link) };
  }
  return {
    type: "network",
    stage: "unknown",
    detail: detailOf(chain.at(-1) ?? { code: "", name: "", message: "" }),
  };
}

interface Link {
  readonly code: string;
  readonly name: string;
  readonly message: string;
}

const MAX_CHAIN = 6;

/** From the error itself to its deepest cause; several addresses that failed are one AggregateError. */
function causesOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  let current: unknown = error;
  while (current instanceof Error && chain.length < MAX_CHAIN) {
    const code: unknown = Reflect.get(current, "code");
    chain.push({ code: typeof code === "string" ? code : "", name: current.name, message: current.message });
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    current = current.cause ?? inner;
  }
  return chain;
}

const DNS = /^(?:ENOTFOUND|EAI_[A-Z]+|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)$/;
const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const TLS =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/;
const CONNECT =
  /^(?:ECONN[A-Z]+|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|HPE_[A-Z_]+|Z_[A-Z_]+|ERR__ERROR_[A-Z_]+|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_(?:SOCKET|HEADERS_OVERFLOW|RES_[A-Z_]+|RESPONSE[A-Z_]*))$/;

function stageOf({ code, name, message }: Link): NetworkStage | null {
  // A reset in the middle of the handshake has a reset's code, and a TLS failure's words.
  if (TLS.test(code) || /before secure TLS connection/i.test(message)) return "tls";
  if (DNS.test(code)) return "dns";
  if (TIMEOUT.test(code) || name === "TimeoutError") return "timeout";
  if (CONNECT.test(code) || name === "HTTPParserError") return "connect";
  return null;
}

/** OpenSSL's words begin with the address of an object: the code says more. Another parser may be less strict. */
function detailOf({ code, message }: Link): string | null {
  const parsed = /^Parse Error: (.+)$/.exec(message)?.[1];
  if (parsed !== undefined) return `the answer is not HTTP as this client reads it (${parsed.slice(0, 200)})`;
  if (message === "" || /SSL routines/.test(message)) return code === "" ? null : code;
  return message.slice(0, 300);
}
