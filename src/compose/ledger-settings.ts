/** What a shard's Ledger is built from. */
import type { Mail } from "../alert/channel.ts";
import type { Config } from "../config/config.ts";
import { NoMailBinding } from "../ledger/courier-send.ts";
import type { LedgerSettings } from "../ledger/host.ts";
import type { Clock } from "../probe/clock.ts";
import { USER_AGENT, VERSION } from "../probe/version.ts";
import { type Env, ledgerOf, secretOf, tickIntervalOf } from "./env.ts";

export function ledgerSettings(
  env: Env,
  shard: number,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): LedgerSettings {
  return {
    config,
    shard,
    peer: (other) => ledgerOf(env, other),
    kv: env.KV,
    client: `gatepulse/${VERSION}`,
    tickIntervalMs: tickIntervalOf(env),
    run: env.RUN_ID === undefined ? null : `${env.RUN_ID}/${isolateName()}`,
    secret: (name) => secretOf(env, name),
    now: () => clock.now(),
    timeoutSignal: (ms) => clock.timeoutSignal(ms),
    fetch: (url, init) => {
      const headers = { "user-agent": USER_AGENT, ...init.headers };
      return fetch(url, { ...init, headers, cache: "no-store" });
    },
    sendMail: (mail, binding) => sendMail(env, mail, binding),
  };
}

let isolate: string | null = null;

/** A local runtime that crashes is started again under the same `RUN_ID`, and what it was doing is over all the same. */
function isolateName(): string {
  return (isolate ??= crypto.randomUUID());
}

/** By the platform's mail (Cloudflare Email Service), one message for all addressees. */
async function sendMail(env: Env, { from, to, subject, text }: Mail, binding: string): Promise<void> {
  const mail: Partial<SendEmail> = Object(Reflect.get(env, binding));
  if (typeof mail.send !== "function") throw new NoMailBinding();
  await mail.send({ from, to: [...to], subject, text });
}
