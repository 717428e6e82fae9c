/** A browser that subscribed, as its push service sees it: it can read what only it may read. */
import { createECDH, createPublicKey, verify } from "node:crypto";
import ece from "http_ece";
import type { Subscription } from "../../src/domain/stored.ts";

/** A pair of VAPID keys, made once with `web-push generate-vapid-keys`. */
export const VAPID = {
  publicKey: "BLIOFZwxMScHnKRav_SuUYdfEmLdnJ0LBvnfdzSF49k2v9iiWZdgn_0MrtRhItP1SIUoGRxQNUsUjPKiV4Exxtk",
  privateKey: "GGUJeUVfYTmbTxslUOQZ4n-cEmmhH9U4LtyZ91vDVqo",
};

export interface Browser {
  readonly subscription: Subscription;
  /** The notification in a request. @throws if it is not as the push service and the browser want it. */
  readonly read: (headers: Readonly<Record<string, string>>, body: Uint8Array) => unknown;
}

export function browser(endpoint: string): Browser {
  const own = createECDH("prime256v1");
  const p256dh = own.generateKeys("base64url");
  const auth = Buffer.from("sixteen bytes ok").toString("base64url");
  return {
    subscription: { endpoint, keys: { p256dh, auth } },
    read: (headers, body) => {
      judgeVapid(headers["authorization"] ?? "", new URL(endpoint).origin);
      const { ttl = "", urgency = "", topic = "" } = headers;
      if (!/^\d+$/.test(ttl) || !/^(?:high|normal)$/.test(urgency) || !/^[\w-]{1,32}$/.test(topic))
        throw new Error(`400: ${JSON.stringify(headers)}`);
      if (headers["content-encoding"] !== "aes128gcm" || body.byteLength > 4096) throw new Error("413");
      const clear = ece.decrypt(Buffer.from(body), {
        version: "aes128gcm",
        privateKey: own,
        authSecret: auth,
      });
      return JSON.parse(clear.toString());
    },
  };
}

/** RFC 8292, 2 and 3. */
function judgeVapid(authorization: string, audience: string): void {
  const [, token = "", key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(VAPID.publicKey, "base64url");
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString("base64url"),
  );
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const isTimely = exp > Date.now() / 1000 && exp <= Date.now() / 1000 + 86_400;
  if (key !== VAPID.publicKey || !isSigned || aud !== audience || !isTimely || !sub.startsWith("mailto:"))
    throw new Error(`403: ${authorization}`);
}
