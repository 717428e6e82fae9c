/**
 * Issues of GitHub's REST API (2022-11-28): an incident opens one, its events comment on it, and its end closes it. An issue is
 * found again by a mark in its body, so that a repeat after a lost answer opens no second one. Pure.
 */
import * as z from "zod/mini";
import type { ChannelOf } from "../../../config/config.ts";
import { DAY_MS, instant } from "../../../domain/calendar.ts";
import { once } from "../../../domain/schema.ts";
import type { AlertEvent } from "../../alert-event.ts";
import {
  bearerHeader,
  jsonLetter,
  subjectKey,
  type Answer,
  type ChannelKind,
  type Letter,
  type Nothing,
  type Occasion,
} from "../../channel.ts";
import { cut, forGitHub, unlinked } from "../../cut.ts";
import { MARKDOWN, MARKS, type Markup, messageOf, wholeText } from "../../story.ts";
import { isOver } from "../../wording.ts";

type Channel = ChannelOf<"github">;

export const github: ChannelKind<Channel> = {
  bundles: false,
  lookUp: ([event], channel, occasion) => {
    // Others may write the mark into an issue of a public repository, but not label it.
    const [labels = ""] = channel.labels;
    const query = new URLSearchParams({
      labels,
      state: "all",
      sort: "created",
      // Of the many since a long incident began, its own is among the first.
      direction: event?.incident ? "asc" : "desc",
      per_page: "100",
    });
    const { incident = null } = event ?? {};
    // Clocks differ.
    if (incident !== null)
      query.set("since", `${instant(Date.parse(incident.openedAt) - DAY_MS).slice(0, 19)}Z`);
    return { ...letterTo(`?${query.toString()}`, {}, channel, occasion), method: "GET" };
  },
  render,
  // Without access a repository is as if it were not there.
  answers: { refused: [400, 413, 422], gone: [401, 404], resets: true },
};

const LONGEST_TITLE = 256;
/** Of 65,536. */
const LONGEST_TEXT = 60_000;

const MARKUP: Markup = { ...MARKDOWN, escape: forGitHub, quote: (text) => forGitHub(unlinked(text)) };

const NOTHING = { type: "nothing" } as const;

const issuesSchema = once(() =>
  z.array(z.object({ number: z.int(), state: z.string(), body: z.nullable(z.string()) })),
);

function render(
  [event]: readonly AlertEvent[],
  channel: Channel,
  occasion: Occasion,
  found?: Answer,
): Letter | Nothing {
  if (event === undefined) throw new RangeError("no event to send");
  const message = messageOf([event], occasion);
  const headline = `${MARKS[message.severity]} ${message.title}`;
  const text = wholeText(message, MARKUP, { limit: LONGEST_TEXT });
  const [mark, own] = [subjectKey(event, occasion.title), event.id].map(
    (key) => `<!-- gatepulse:${encodeURIComponent(key)} -->`,
  ) as [string, string];
  const issues = found === undefined ? [] : issuesSchema().parse(JSON.parse(found.body));
  const issue = issues.find(({ body }) => body?.includes(mark));
  if (issue === undefined) {
    const body = {
      title: cut(headline, LONGEST_TITLE),
      body: `${text}\n\n${mark}\n${own}`,
      labels: channel.labels,
    };
    return isOver(event) ? NOTHING : letterTo("", body, channel, occasion);
  }
  // It opened with this very event.
  if (issue.body?.includes(own)) return NOTHING;
  const path = `/${issue.number}`;
  const body = { body: `${MARKUP.strong(forGitHub(headline))}\n\n${text}` };
  const comment = letterTo(`${path}/comments`, body, channel, occasion);
  const state = isOver(event) ? "closed" : "open";
  // Someone who closed it wants to hear what happens, not to close it again.
  if (issue.state === state || event.type === "incident.updated") return comment;
  // First, as a comment is not repeated if this fails.
  return { ...letterTo(path, { state }, channel, occasion), method: "PATCH", next: comment };
}

function letterTo(
  path: string,
  body: unknown,
  { endpoint, repo, token }: Channel,
  occasion: Occasion,
): Letter {
  return jsonLetter(`${endpoint}/repos/${repo}/issues${path}`, body, {
    ...bearerHeader(token, occasion),
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "gatepulse",
  });
}
