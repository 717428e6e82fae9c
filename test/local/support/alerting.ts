/** Worlds with alert channels: webhooks on a receiver of this machine, and a clock that stands still unless time is let pass. */
import { afterAll, beforeEach } from "vitest";
import type { WebhookBody } from "../../../src/alert/channels/programs/webhook.ts";
import type { AlertInput } from "../../../src/config/define-config.ts";
import { SIMULATOR_KEYS } from "../../../src/simulator/api.ts";
import type { Simulator } from "../../../src/simulator/simulator.ts";
import { endingWithTest, freshSimulator, type Playing } from "./playing.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { MINUTE_MS, startWorld, type World, type WorldOptions } from "./world.ts";

/** By the name of the channel, what it wants. */
type Webhooks = Readonly<Record<string, AlertInput["only"]>>;

export const SIGNING_SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

export const ADMIN_TOKEN = "an-administrators-token-of-tests";

/** The secret of a channel's address. */
export function urlSecretOf(channel: string): string {
  return `URL_${channel.replaceAll("-", "_").toUpperCase()}`;
}

function webhook(id: string, only?: AlertInput["only"]): AlertInput {
  return { kind: "webhook", id, url: urlSecretOf(id), secret: "SIGNING", only };
}

/** One simulator and one receiver for the tests of a file, and worlds that end with their test. Call it at the top of the file. */
export async function alertingHouse() {
  const [simulator, receiver] = [await freshSimulator(), await freshReceiver()];
  /** Gateways play scenarios of the simulator, webhooks end at the receiver; `over` replaces or adds. */
  const start = async (playing: Playing, webhooks: Webhooks, over: Partial<WorldOptions> = {}) => {
    for (const [id, scenarios] of Object.entries(playing)) simulator.play(id, ...scenarios);
    return endingWithTest(await startWorld(worldOf(simulator, receiver, { playing, webhooks }, over)));
  };
  return { simulator, receiver, start };
}

/** Call it at the top of a file: one for its tests. Each test begins with nothing arrived. */
export async function freshReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  beforeEach(() => receiver.clear());
  afterAll(() => receiver.stop());
  return receiver;
}

function worldOf(
  simulator: Simulator,
  receiver: Receiver,
  { playing, webhooks }: { readonly playing: Playing; readonly webhooks: Webhooks },
  { config, secrets, gateways = [], ...rest }: Partial<WorldOptions>,
): WorldOptions {
  const channels = Object.keys(webhooks);
  const own = new Set(gateways.map(({ id }) => id));
  const named = Object.keys(playing).filter((id) => !own.has(id));
  return {
    stands: true,
    gateways: [...named.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" })), ...gateways],
    secrets: {
      KEY: SIMULATOR_KEYS.good,
      SIGNING: SIGNING_SECRET,
      ADMIN_TOKEN,
      ...Object.fromEntries(channels.map((id) => [urlSecretOf(id), receiver.url(id)])),
      ...secrets,
    },
    config: { alerts: channels.map((id) => webhook(id, webhooks[id])), ...config },
    ...rest,
  };
}

/** Ticks a minute apart, from one minute after the start on; after each, what it brought is delivered. */
export async function passMinutes(world: World, from: number, count: number): Promise<void> {
  for (let minute = from; minute < from + count; minute += 1) {
    const atMs = world.startMs + minute * MINUTE_MS;
    await world.passUntil(atMs);
    await world.fire(atMs);
    await world.settle();
  }
}

/** What arrived at a channel, in order; again where it came again. */
export function toldAt(receiver: Receiver, channel: string): readonly WebhookBody[] {
  return receiver.at(channel).map(({ body }) => JSON.parse(body) as WebhookBody);
}

/** `<type> <gateway or ->` with the reason where there is one. */
export function linesAt(receiver: Receiver, channel: string): readonly string[] {
  return toldAt(receiver, channel).map(({ type, data: { gateway, reason } }) =>
    [type, gateway ?? "-", ...(reason === null ? [] : [reason])].join(" "),
  );
}
