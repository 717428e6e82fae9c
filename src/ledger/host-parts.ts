/** What a Ledger's host is made of. */
import { channelKind } from "../alert/channels.ts";
import type { CourierWorld } from "./courier.ts";
import type { Config } from "../config/config.ts";
import type { LedgerSettings } from "./host.ts";
import { inTime } from "./in-time.ts";
import { LedgerService } from "./service.ts";
import { warnOfLedger } from "./warn.ts";

export function serviceOf(
  storage: DurableObjectStorage,
  settings: LedgerSettings,
  own: () => Config,
): LedgerService {
  const { config, shard, kv, client, tickIntervalMs, run } = settings;
  return new LedgerService({
    sql: storage.sql,
    transaction: (write) => storage.transactionSync(write),
    kv,
    now: () => settings.now(),
    inTime: (work) => inTime(work, LONGEST_WRITE_MS),
    config,
    own,
    client,
    shard,
    tickIntervalMs,
    run,
    warn: warnOfLedger,
  });
}

export function courierWorld(
  service: LedgerService,
  settings: LedgerSettings,
  { rearm }: Pick<CourierWorld, "rearm">,
): CourierWorld {
  const { config, fetch } = settings;
  return {
    title: config.title,
    channels: config.alerts,
    kindOf: channelKind,
    salt: () => service.salt(() => crypto.randomUUID()),
    secretOf: (name) => settings.secret(name),
    outbox: () => service.outbox,
    transact: (write) => service.transactOutbox(write),
    isTickOpen: (gatewayId, tickMs) => service.isTickOpen(gatewayId, tickMs),
    standing: () => service.standing(),
    standingSinceMs: () => service.standingSinceMs(),
    fetch,
    timeoutSignal: (ms) => settings.timeoutSignal(ms),
    sendMail: (mail, binding) => settings.sendMail(mail, binding),
    now: () => settings.now(),
    random: () => Math.random(),
    rearm,
    mend: () => service.mend(),
    warn: warnOfLedger,
  };
}

const LONGEST_WRITE_MS = 10_000;
