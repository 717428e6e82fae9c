/** Debian's Alertmanager receives our alerts, tells its own receiver of them, and clears them. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { reception } from "../../src/alert/channel.ts";
import { alertmanager } from "../../src/alert/channels/programs/alertmanager.ts";
import { CHANNELS } from "../alert/channel-configs.ts";
import * as telling from "../alert/telling.ts";
import { letterOf } from "../alert/telling.ts";
import { programPath } from "../programs.ts";
import { eventually, start } from "./program.ts";
import { freshReceiver } from "./support/alerting.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const BINARY = programPath("prometheus-alertmanager");
const hasAlertmanager = BINARY !== null && programPath("amtool") !== null;

const CHANNEL = { ...CHANNELS.alertmanager, token: undefined };
const MINUTE_MS = 60_000;

interface ToldAlert {
  readonly status: "firing" | "resolved";
  readonly labels: Readonly<Record<string, string>>;
}

const nameOf = ({ labels }: Pick<ToldAlert, "labels">) => labels["health"] ?? labels["alertname"] ?? "";

const receiver = await freshReceiver();
/** `firing` or `resolved` and the alert's health or name, in the order in which they arrived. */
const told = () =>
  receiver.at("own").flatMap(({ body }) => {
    const { alerts } = JSON.parse(body) as { alerts: ToldAlert[] };
    return alerts.map((alert) => `${alert.status} ${nameOf(alert)}`);
  });

const directory = await directoryOfFile();

describe.skipIf(!hasAlertmanager)("Debian's Alertmanager", () => {
  let address: string;
  beforeAll(async () => {
    // Each alert is a group of its own and told at once.
    const route = { receiver: "test", group_by: ["..."], group_wait: "0s", group_interval: "1s" };
    const webhook = { url: receiver.url("own"), send_resolved: true };
    const receivers = [{ name: "test", webhook_configs: [webhook] }];
    const file = join(directory, "alertmanager.yml");
    await writeFile(file, JSON.stringify({ route, receivers }));
    const program = start(BINARY ?? "", [
      `--config.file=${file}`,
      `--storage.path=${join(directory, "data")}`,
      "--web.listen-address=127.0.0.1:0",
      "--cluster.listen-address=",
    ]);
    const [, host] = await program.printed(/"Listening on" address=(127\.0\.0\.1:\d+)/);
    address = `http://${host}`;
    return async () => void (await program.stop());
  });

  /** As Alertmanager's own tool lists them. */
  async function active(): Promise<readonly string[]> {
    const query = ["alert", "query", `--alertmanager.url=${address}`, "--output=json"];
    const { stdout } = await promisify(execFile)("amtool", query);
    return (JSON.parse(stdout) as Pick<ToldAlert, "labels">[]).map(nameOf).sort();
  }

  const occasion = () => telling.occasion({ ALERTMANAGER_URL: address }, { nowMs: Date.now() });

  async function deliver(...events: readonly AlertEvent[]): Promise<void> {
    const { url, method, headers, body } = letterOf(await alertmanager.render(events, CHANNEL, occasion()));
    const response = await fetch(url, { method, headers, body });
    const answer = { status: response.status, headers: {}, body: await response.text() };
    expect(answer.body).toBe("");
    expect(reception(alertmanager, answer, Date.now())).toEqual({ type: "delivered" });
  }

  async function hasTold(...lines: readonly string[]): Promise<void> {
    await eventually(() => lines.every((line) => told().includes(line)));
    expect(told().sort()).toEqual([...lines].sort());
    receiver.clear();
  }

  test("an incident fires, becomes the turn of somebody else, and is cleared", async () => {
    const [first, second, third] = incidentUntil(Date.now());
    await deliver(first);
    await hasTold("firing down");
    expect(await active()).toEqual(["down"]);

    await deliver(second);
    await hasTold("resolved down", "firing blocked");
    expect(await active()).toEqual(["blocked"]);

    await deliver(first, second);
    expect(await active()).toEqual(["blocked"]);

    await deliver(third);
    await hasTold("resolved blocked");
    expect(await active()).toEqual([]);

    await deliver(third);
    expect(await active()).toEqual([]);
  });

  test("missing models and silence fire, and are cleared", async () => {
    const nowMs = Date.now();
    const atMs = nowMs - MINUTE_MS;
    await deliver({ ...telling.modelsChanged(["gpt-4o"]), atMs });
    await deliver({ ...telling.stalled(), atMs, lastTickAtMs: atMs - 3 * MINUTE_MS });
    await hasTold("firing GatepulseModelsMissing", "firing GatepulseMonitoringStalled");
    expect(await active()).toEqual(["GatepulseModelsMissing", "GatepulseMonitoringStalled"]);

    await deliver({ ...telling.modelsChanged([], ["gpt-4o"]), atMs: nowMs });
    await deliver({ ...telling.resumed(), atMs: nowMs, lastTickAtMs: atMs - 3 * MINUTE_MS });
    await hasTold("resolved GatepulseModelsMissing", "resolved GatepulseMonitoringStalled");
    expect(await active()).toEqual([]);
  });
});

/** Down 3 minutes ago, blocked 2 minutes ago, over a minute ago. */
function incidentUntil(nowMs: number): readonly [AlertEvent, AlertEvent, AlertEvent] {
  const at = (minutes: number): string => new Date(nowMs - minutes * MINUTE_MS).toISOString();
  const down = telling.failure("opened", at(3));
  const blocked = telling.failure("updated", at(2), "insufficient_balance", "caller", "blocked");
  const times = { openedAt: at(3), firstFailureAt: null };
  const first = telling.opened({
    atMs: Date.parse(at(3)),
    incident: telling.incident({ ...times, timeline: [down] }),
  });
  const ours = { cause: "insufficient_balance", owner: "caller", health: "blocked" } as const;
  const incident = telling.incident({ ...times, ...ours, timeline: [down, blocked] });
  const second = telling.updated({ atMs: Date.parse(at(2)), incident });
  const end = { atMs: Date.parse(at(1)), incident: { ...incident, resolvedAt: at(1) } };
  return [first, second, telling.resolved(second, end)];
}
