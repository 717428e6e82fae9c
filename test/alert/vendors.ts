/** Receivers as strict as the services: what each takes and refuses, from their documents, and what it answers. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Letter } from "../../src/alert/channel.ts";
import { entryOf, SECRETS } from "./channel-configs.ts";
import type { Body } from "./kinds/entry.ts";
import vendors from "./vendors.json" with { type: "json" };

/** With what it means for the message. */
export type Reply = readonly [
  status: number,
  body: string,
  meaning: "delivered" | "refused" | "gone" | "later",
];

interface Vendor {
  readonly path: string;
  readonly method?: string;
  /** What stands in its headers or its body, such as a token. */
  readonly holds?: readonly string[];
  readonly members: string;
  readonly taken?: Reply;
  /** To a message that it cannot read. */
  readonly wrong: Reply;
  /** To someone whom it does not know. */
  readonly stranger: Reply;
}

type Judge = (letter: Letter, body: Body, nowMs: number) => Reply | null;
type Kinds = keyof typeof vendors;
/** By kind; `members` are all that it knows, with those inside in parentheses, `*` for any. */
export const VENDORS = vendors as unknown as { readonly [Of in Kinds]: Vendor };

const sha256 = (key: string, content: string) => createHmac("sha256", key).update(content).digest("base64");
const isOld = (sentMs: number, nowMs: number) => Math.abs(nowMs - sentMs) > 3_600_000;

/** Of those that sign or want a word: their answer to a message that lacks it; null: there is none. */
const JUDGES: { readonly [Of in Kinds]?: Judge } = {
  feishu: (_, { timestamp, sign, card }, nowMs) => {
    const isSigned = sign === sha256(`${timestamp}\nfeishu-signing-secret`, "");
    if (!isSigned || isOld(timestamp * 1000, nowMs))
      return [200, '{"code":19021,"msg":"sign match fail"}', "refused"];
    const hasWord = JSON.stringify(card).includes("Gateway");
    return hasWord ? null : [200, '{"code":19024,"msg":"Key Words Not Found"}', "refused"];
  },
  dingtalk: ({ url }, { markdown }, nowMs) => {
    const { timestamp = "", sign } = Object.fromEntries(new URL(url).searchParams);
    const secret = "SECdingtalk-signing-secret";
    const isSigned = sign === sha256(secret, `${timestamp}\n${secret}`);
    if (!isSigned || isOld(Number(timestamp), nowMs))
      return [200, '{"errcode":310000,"errmsg":"sign not match"}', "refused"];
    const hasWord = markdown.text.includes("Gateway");
    return hasWord ? null : [200, '{"errcode":310000,"errmsg":"keywords not in content"}', "refused"];
  },
  webhook: ({ headers, body }) => {
    try {
      new Webhook(SECRETS["HOOK_SECRET"] ?? "").verify(body, headers);
      return null;
    } catch {
      return [401, "", "later"];
    }
  },
};

/** As the service answers a request. */
export function vendorsReply(kind: Kinds, letter: Letter, nowMs: number): Reply {
  const {
    path,
    method = "POST",
    holds = [],
    members,
    taken = [200, "{}", "delivered"],
    ...vendor
  } = VENDORS[kind];
  const { pathname, search } = new URL(letter.url);
  const shown = `${JSON.stringify(letter.headers)} ${letter.body}`;
  if (!new RegExp(`^${path}$`).test(pathname + search) || holds.some((held) => !shown.includes(held)))
    return vendor.stranger;
  const isJson = letter.headers["content-type"]?.startsWith("application/json");
  if (letter.method !== method || !isJson) return vendor.wrong;
  const body: unknown = JSON.parse(letter.body);
  try {
    entryOf(kind).judge(letter);
  } catch {
    return vendor.wrong;
  }
  return isKnown(body, shapeOf(members)) ? (JUDGES[kind]?.(letter, body, nowMs) ?? taken) : vendor.wrong;
}

interface Shape {
  readonly [member: string]: Shape;
}

function shapeOf(members: string): Shape {
  const json = members.replaceAll(
    /([^\s()]+)(\()?/g,
    (_, name: string, open = "") => `"${name}":{${open ? "" : "}"}`,
  );
  return JSON.parse(`{${json.replaceAll(")", "}").replaceAll(" ", ",")}}`) as Shape;
}

function isKnown(value: unknown, shape: Shape): boolean {
  if (typeof value !== "object" || value === null || "*" in shape) return true;
  if (Array.isArray(value)) return value.every((one) => isKnown(one, shape));
  return Object.entries(value).every(
    ([name, inner]) => shape[name] !== undefined && isKnown(inner, shape[name]),
  );
}
