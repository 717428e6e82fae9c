/** Feishu's and Lark's custom bots: a card. Pure, but for the signature. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { hmacOf, jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, unlinked, utf8Bytes } from "../../cut.ts";
import { linesOf, type Markup, type Message, messageOf, type Story, textOfMessage } from "../../story.ts";
import type { Severity } from "../../wording.ts";

export const feishu: ChannelKind<ChannelOf<"feishu">> = {
  bundles: true,
  render,
  answers: { inside: { at: "/code", gone: [19001], busy: [11232] } },
};

const LONGEST_HEAD = 300;
/** A request has 20 kB, and JSON escapes. */
const MOST_BYTES = 12_000;

const COLORS: Readonly<Record<Severity, string>> = {
  critical: "red",
  error: "orange",
  warning: "yellow",
  info: "blue",
  good: "green",
};

/** What is markup in `lark_md` is written as a numeric entity. */
function escape(text: string): string {
  return text.replace(/[&<>"'`*~_#|!()[\]\\]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const MARKUP: Markup = {
  escape,
  quote: (text) => escape(unlinked(text)),
  strong: (escaped) => `**${escaped}**`,
  link: ({ label, url }) => `[${label}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`,
};

async function render(
  events: readonly AlertEvent[],
  { url, secret, keyword }: ChannelOf<"feishu">,
  occasion: Occasion,
): Promise<Letter> {
  const card = cardOf(messageOf(events, occasion), keyword);
  const signature = secret === undefined ? {} : await signed(occasion.secretOf(secret), occasion.nowMs);
  return jsonLetter(occasion.secretOf(url), { ...signature, msg_type: "interactive", card });
}

/** The key is the time with the secret, and what it signs is empty. */
async function signed(secret: string, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = new TextEncoder().encode(`${timestamp}\n${secret}`);
  return { timestamp, sign: await hmacOf(key, "") };
}

function cardOf(message: Message, keyword: string | undefined) {
  const lines = ({ facts, more }: Story) => linesOf([...facts, ...more], MARKUP);
  const text = textOfMessage(message, MARKUP, lines, { limit: MOST_BYTES, measure: utf8Bytes });
  const actions = (message.only?.links ?? []).map(({ label, url }) => {
    return { tag: "button", text: plain(label), type: "default", url };
  });
  return {
    header: { title: plain(cut(message.title, LONGEST_HEAD)), template: COLORS[message.severity] },
    elements: [
      ...(text === "" ? [] : [{ tag: "div", text: { tag: "lark_md", content: text } }]),
      ...(actions.length === 0 ? [] : [{ tag: "action", actions }]),
      ...(keyword === undefined ? [] : [{ tag: "note", elements: [plain(keyword)] }]),
    ],
  };
}

function plain(content: string) {
  return { tag: "plain_text", content };
}
