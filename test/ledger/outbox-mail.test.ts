import { describe, expect, test } from "vitest";
import type { Mail } from "../../src/alert/channel.ts";
import type { EmailChannel } from "../../src/config/channels.ts";
import type { CourierWorld } from "../../src/ledger/courier.ts";
import { NoMailBinding } from "../../src/ledger/courier-send.ts";
import { draft, EVERYTHING, NOON, OutboxPlay, postsJson } from "../fixtures/outbox.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

function rejecting(error: Error): CourierWorld["sendMail"] {
  return async () => {
    throw error;
  };
}

describe("mail", () => {
  const mail: EmailChannel = {
    kind: "email",
    id: "mail",
    from: "alerts@acme.example",
    to: ["ops@acme.example"],
    binding: "POST_OFFICE",
    only: EVERYTHING,
  };

  function playMail(sendMail: CourierWorld["sendMail"], world: Partial<CourierWorld> = {}) {
    const message: Mail = {
      type: "mail",
      from: mail.from,
      to: mail.to,
      subject: "One event",
      text: "It happened.",
    };
    return new OutboxPlay({
      storage: sqliteStorage(),
      channels: [mail],
      fetch: () => Promise.reject(new Error("nothing is fetched here")),
      kindOf: () => ({ ...postsJson, render: async () => message }),
      world: { sendMail, ...world },
    });
  }

  test("goes through the binding that the configuration names", async () => {
    const sent: unknown[] = [];
    const of = playMail(async (message, binding) => {
      sent.push([message.subject, binding]);
    });
    of.append(draft(1));
    await of.alarm();
    expect(sent).toEqual([["One event", "POST_OFFICE"]]);
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem: null, waiting: null }]);
    expect(
      await of.courier.sendTest("mail", { ...draft(1, { type: "test" }), id: "t" }, of.courier.renew()),
    ).toEqual({
      type: "mailed",
    });
  });

  test.each([
    [Object.assign(new Error("Sender domain not verified"), { code: "E_SENDER_NOT_VERIFIED" })],
    [new Error("destination address is not a verified address")],
  ])("an address that is not verified is refused: %s", async (error) => {
    const of = playMail(rejecting(error));
    of.append(draft(1));
    await of.alarm();
    expect(of.outbox.undelivered("mail")).toMatchObject([
      { reason: "an address is not verified, or not allowed" },
    ]);
  });

  test.each([
    [
      Object.assign(new Error("slow down"), { code: "E_RATE_LIMIT_EXCEEDED" }),
      "the platform did not take the mail: E_RATE_LIMIT_EXCEEDED",
    ],
    [new Error("ops@acme.example is over its quota"), "the platform did not take the mail"],
  ])("any other rejection is tried again: %s", async (error, problem) => {
    const of = playMail(rejecting(error));
    of.append(draft(1));
    await of.alarm();
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem, waiting: { tries: 1 } }]);
  });

  test("where there is no binding it says what sends mail, and what is owed waits", async () => {
    const of = playMail(rejecting(new NoMailBinding()));
    of.append(draft(1));
    await of.alarm();
    const problem =
      "there is no send_email binding POST_OFFICE: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml";
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem, waiting: { tries: 1 } }]);
  });

  test("a binding that never settles is left after the limit", async () => {
    const controller = new AbortController();
    const of = playMail(() => new Promise(() => undefined), { timeoutSignal: () => controller.signal });
    of.append(draft(1));
    await of.deliver();
    controller.abort();
    await of.idle();
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem: "no answer within 15 seconds" }]);
  });
});
