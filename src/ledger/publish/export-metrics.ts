/** Sends the metrics that a publication has to a collector (OTLP). What fails is not sent again: the next publication has newer ones. */
import type { Config } from "../../config/config.ts";
import { secretValue } from "../../config/secrets.ts";
import { metricsRequest, otlpHeaders } from "../../formats/otlp.ts";
import { type LedgerSettings, type Published, warnOfLedger } from "../rpc.ts";

type Ports = Pick<LedgerSettings, "now" | "secret" | "fetch" | "timeoutSignal" | "shard"> & {
  readonly version: string;
};

const LONGEST_MS = 10_000;

/** Never rejects. */
export async function exportMetrics(
  { endpoint, headers }: NonNullable<Config["otlp"]>,
  { status, facts: { quarantined = 0 } }: Published,
  { now, secret, fetch, timeoutSignal, version, shard }: Ports,
): Promise<void> {
  try {
    const answer = await fetch(`${endpoint}/v1/metrics`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(headers && otlpHeaders(secretValue(headers, secret))),
      },
      body: JSON.stringify(metricsRequest(status, { nowMs: now(), version, quarantined }, shard)),
      redirect: "manual",
      signal: timeoutSignal(LONGEST_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) warnOfLedger(`metrics were not taken: HTTP ${answer.status}`);
  } catch (error) {
    warnOfLedger("metrics were not taken", error);
  }
}
