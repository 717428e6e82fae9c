/** What an exception from a client means, by the codes of Node and Bun too. workerd has none. Pure. */
import type { NetworkStage } from "./observation.ts";
import { type Link, readThrownBy, type ThrownFailure } from "./thrown.ts";

/** `thrown` may be anything. `url` is the requested address; null: not known. Never throws. */
export function readThrown(thrown: unknown, url: string | null): ThrownFailure {
  return readThrownBy(stageOfCode, thrown, url);
}

const DNS = /^(?:ENOTFOUND|EAI_[A-Z]+|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)$/;
const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const TLS =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/;
const CONNECT =
  /^(?:ECONN[A-Z]+|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|HPE_[A-Z_]+|Z_[A-Z_]+|ERR__ERROR_[A-Z_]+|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_(?:SOCKET|HEADERS_OVERFLOW|RES_[A-Z_]+|RESPONSE[A-Z_]*)|Connection(?:Refused|Closed|Reset))$/;

function stageOfCode({ code, name, message }: Link): NetworkStage | null {
  // A reset during the TLS handshake has the code of a reset and the words of a TLS failure.
  if (TLS.test(code) || /before secure TLS connection/i.test(message)) return "tls";
  if (DNS.test(code)) return "dns";
  if (TIMEOUT.test(code) || name === "TimeoutError") return "timeout";
  if (CONNECT.test(code) || name === "HTTPParserError") return "connect";
  return null;
}
