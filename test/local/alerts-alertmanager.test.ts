/**
 * Alertmanager through the whole of the monitor: an alert fires as long as it is told again, and is cleared. Real Worker,
 * real Ledger; Debian's Alertmanager where it is installed (`apt-get install prometheus-alertmanager`).
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { eventually, type Program, start } from "./program.ts";
import { alertingHouse, passMinutes, passTick } from "./support/alerting.ts";
import { MINUTE_MS, type World } from "./support/world.ts";

const BINARY = "prometheus-alertmanager";
const isInstalled = spawnSync(BINARY, ["--version"]).status === 0;
if (!isInstalled) console.warn(`skipped: ${BINARY} is not installed (apt-get install ${BINARY})`);

const house = alertingHouse();
const BAD = "envelope_5000";
const PLAYING = { acme: [BAD, BAD, BAD, BAD, BAD, "healthy"], other: ["healthy"] } as const;

function watching(address: string, startMs?: number): Promise<World> {
  return house.start(
    { playing: PLAYING, webhooks: {} },
    {
      secrets: { PROMETHEUS: address },
      config: { alerts: [{ kind: "alertmanager", url: "PROMETHEUS" }] },
      ...(startMs !== undefined && { startMs }),
    },
  );
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly endsAt: string;
}

test("it is told again every two minutes while it fires, for five minutes that it is over, and then no more", async () => {
  const world = await watching(house.receiver.url("prometheus"));
  const minutes: number[] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    const before = house.receiver.at("prometheus").length;
    await passTick(world, minute * MINUTE_MS);
    if (house.receiver.at("prometheus").length > before) minutes.push(minute);
  }
  // Opened at 1, over at 6.
  expect(minutes).toEqual([1, 3, 5, 6, 7, 9]);
  const ends = house.receiver.at("prometheus").map(({ body }) => {
    const [alert] = JSON.parse(body) as Alert[];
    return (Date.parse(alert?.endsAt ?? "") - world.startMs) / MINUTE_MS;
  });
  expect(ends).toEqual([11, 13, 15, 6, 6, 6]);
});

describe.skipIf(!isInstalled)("Debian's Alertmanager", () => {
  test("lists the incident while it lasts, and no more when it is over", async () => {
    const directory = await mkdtemp(join(tmpdir(), "gatepulse-alertmanager-"));
    const program = await startAlertmanager(directory);
    try {
      const [, host = ""] = await program.printed(/"Listening on" address=(127\.0\.0\.1:\d+)/);
      // Its clock is the real one: what is told lies in the last minutes.
      const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 7 * MINUTE_MS;
      const world = await watching(`http://${host}`, startMs);
      await passMinutes(world, 0, 4);
      const firing = await eventually(
        () => active(host),
        (alerts) => alerts.length > 0,
      );
      expect(firing).toMatchObject([
        { labels: { alertname: "GatepulseIncident", health: "down", owner: "operator", gateway: "acme" } },
      ]);
      await passMinutes(world, 4, 4);
      await eventually(
        () => active(host),
        (alerts) => alerts.length === 0,
      );
    } finally {
      await program.stop();
      await rm(directory, { recursive: true });
    }
  });
});

/** As its own tool lists them. */
async function active(host: string): Promise<readonly Alert[]> {
  const query = ["alert", "query", `--alertmanager.url=http://${host}`, "--output=json"];
  const { stdout } = await promisify(execFile)("amtool", query);
  return JSON.parse(stdout) as Alert[];
}

async function startAlertmanager(directory: string): Promise<Program> {
  const config = join(directory, "alertmanager.yml");
  await writeFile(config, JSON.stringify({ route: { receiver: "nobody" }, receivers: [{ name: "nobody" }] }));
  return start(BINARY, [
    `--config.file=${config}`,
    `--storage.path=${join(directory, "data")}`,
    "--web.listen-address=127.0.0.1:0",
    "--cluster.listen-address=",
  ]);
}
