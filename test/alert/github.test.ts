/** The channel `github` and a server that keeps issues and refuses what GitHub refuses. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { github } from "../../src/alert/channels/programs/github.ts";
import type { ChannelConfig } from "../../src/config/config.ts";
import { send } from "../../src/ledger/deliver/channel-client.ts";
import { playOutbox } from "../ledger/outbox-sqlite.ts";
import { drafts } from "../fixtures/outbox.ts";
import { serveHttp } from "../probe/small-server.ts";
import { CHANNELS, SECRETS } from "./channel-configs.ts";
import { opened, resolved, SPEAKER, stalled, updated } from "./telling.ts";

interface Issue {
  readonly number: number;
  title: string;
  body: string | null;
  state: string;
  labels: { name: string }[];
  readonly comments: string[];
  readonly created_at: string;
  updated_at: string;
}

const MEMBERS = {
  issues: ["title", "body", "labels"],
  comments: ["body"],
  issue: ["state", "title", "body"],
};

/** @param loses the answers that never come, by their number. */
async function playGitHub(loses: readonly number[] = []) {
  const issues: Issue[] = [];
  const asked: string[] = [];
  const nowMs = Date.parse("2026-11-20T12:01:00Z");

  function answer(
    method: string,
    url: URL,
    headers: Readonly<Record<string, unknown>>,
    text: string,
  ): [number, unknown] {
    if (!headers["user-agent"]) return [403, "Request forbidden by administrative rules"];
    if (headers["authorization"] !== "Bearer github_pat_of-the-bot")
      return [401, { message: "Bad credentials" }];
    if (headers["accept"] !== "application/vnd.github+json") return [415, {}];
    if (headers["x-github-api-version"] !== "2022-11-28") return [400, {}];
    const [, number, part] = /^\/repos\/acme\/status\/issues(?:\/(\d+)(\/comments)?)?$/.exec(
      url.pathname,
    ) ?? [null];
    const issue = issues.find((of) => String(of.number) === number);
    if (!url.pathname.startsWith("/repos/acme/status/issues") || (number !== undefined && !issue))
      return [404, { message: "Not Found" }];
    if (method === "GET") return [200, listed(url.searchParams)];
    const body = JSON.parse(text) as { title?: string; body?: string; state?: string; labels?: string[] };
    const known = MEMBERS[part ? "comments" : issue ? "issue" : "issues"];
    const isRefused =
      Object.keys(body).some((name) => !known.includes(name)) ||
      (body.title ?? "").length > 256 ||
      (body.body ?? "").length > 65_536 ||
      !["open", "closed", undefined].includes(body.state);
    if (isRefused) return [422, { message: "Validation Failed" }];
    const updated_at = new Date(nowMs).toISOString();
    if (issue) {
      if (part) issue.comments.push(body.body ?? "");
      Object.assign(issue, { updated_at, ...(!part && body) });
      return [part ? 201 : 200, issue];
    }
    const labels = (body.labels ?? []).map((name) => ({ name }));
    const made = {
      number: issues.length + 1,
      title: body.title ?? "",
      body: body.body ?? null,
      state: "open",
      labels,
    };
    issues.push({ ...made, comments: [], created_at: updated_at, updated_at });
    return [201, made];
  }

  function listed(query: URLSearchParams): readonly Issue[] {
    const [state, since = "", labels = ""] = ["state", "since", "labels"].map(
      (name) => query.get(name) ?? undefined,
    );
    return issues
      .filter((issue) => (state === "all" || issue.state === "open") && issue.updated_at >= since)
      .filter((issue) => labels.split(",").every((label) => issue.labels.some(({ name }) => name === label)))
      .toReversed()
      .slice(0, Number(query.get("per_page") ?? 30));
  }

  const base = await serveHttp((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const { method = "", url = "" } = request;
      asked.push(`${method} ${new URL(url, base).pathname.replace("/repos/acme/status", "")}`);
      const [status, body] = answer(method, new URL(url, base), request.headers, text);
      if (loses.includes(asked.length)) return void request.socket.resetAndDestroy();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  const channel: ChannelConfig = { ...CHANNELS.github, endpoint: base };
  return {
    issues,
    asked,
    channel,
    told: async (event: AlertEvent, secrets: Readonly<Record<string, string>> = SECRETS) => {
      const { verdict } = await send([event], channel, github, {
        ...PORTS,
        secretOf: (name) => secrets[name] ?? null,
      });
      return verdict.type;
    },
  };
}

const PORTS = {
  ...SPEAKER,
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  timeoutSignal: (ms: number) => AbortSignal.timeout(ms),
  sendMail: () => Promise.reject(new Error("no mail")),
  now: () => Date.now(),
  warn: () => undefined,
};

test("an incident is one issue: opened, commented, closed", async () => {
  const { issues, asked, told } = await playGitHub();
  for (const event of [opened(), updated(), resolved()]) expect(await told(event)).toBe("delivered");
  expect(issues).toMatchObject([
    { title: expect.stringMatching(/^🔴 Down: Acme/u), state: "closed", labels: [{ name: "gatepulse" }] },
  ]);
  expect(issues[0]?.comments).toEqual([
    expect.stringMatching(/^\*\*🟠 Blocked: Acme/u),
    expect.stringMatching(/^\*\*🟢 Recovered: Acme/u),
  ]);
  expect(asked).toEqual([
    "GET /issues",
    "POST /issues",
    "GET /issues",
    "POST /issues/1/comments",
    "GET /issues",
    "PATCH /issues/1",
    "POST /issues/1/comments",
  ]);
});

describe("a lost answer", () => {
  test("to the creation opens no second issue, and is no comment", async () => {
    const { issues, told } = await playGitHub([2]);
    expect([await told(opened()), await told(opened())]).toEqual(["later", "delivered"]);
    expect(issues).toMatchObject([{ comments: [] }]);
  });

  test("to the closing closes and comments once", async () => {
    const { issues, told } = await playGitHub([4]);
    expect([await told(opened()), await told(resolved()), await told(resolved())]).toEqual([
      "delivered",
      "later",
      "delivered",
    ]);
    expect(issues).toMatchObject([{ state: "closed", comments: [expect.any(String)] }]);
  });
});

test("an issue that a person closed stays closed when the cause changes; what begins again opens it", async () => {
  const { issues, told } = await playGitHub();
  const before = { ...updated(), id: "another" };
  for (const event of [opened(), stalled()]) await told(event);
  for (const issue of issues) issue.state = "closed";
  for (const event of [before, { ...stalled(), id: "again" }]) await told(event);
  expect(issues).toMatchObject([
    { state: "closed", comments: [expect.any(String)] },
    { state: "open", comments: [expect.any(String)] },
  ]);
});

test("a stranger's issue with the mark, but without the label, is not taken for it", async () => {
  const { issues, told } = await playGitHub();
  await told(opened());
  issues[0]!.labels = [];
  await told(updated());
  expect(issues).toMatchObject([{ comments: [] }, { comments: [] }]);
});

test("the end of an incident that has no issue says nothing", async () => {
  const { issues, told } = await playGitHub();
  expect([await told(resolved()), issues]).toEqual(["delivered", []]);
});

test("what GitHub refuses is no delivery, and a list that cannot be read opens nothing", async () => {
  const { channel, told } = await playGitHub();
  expect(await told(opened(), { GITHUB_TOKEN: "of-another" })).toBe("gone");
  const ports = { ...PORTS, secretOf: () => "token" };
  const elsewhere = { ...channel, repo: "acme/gone" } as ChannelConfig;
  expect(
    await send([opened()], elsewhere, github, { ...ports, secretOf: (name) => SECRETS[name] ?? null }),
  ).toMatchObject({ verdict: { type: "gone", problem: 'HTTP 404: {"message":"Not Found"}' } });
  const html = async () => new Response("<html>");
  expect(await send([opened()], channel, github, { ...ports, fetch: html })).toMatchObject({
    verdict: { type: "later" },
  });
});

test("each message counts as three requests of an invocation", async () => {
  let requests = 0;
  const fetch = async () => new Response((requests += 1) % 2 === 1 ? "[]" : "{}", { status: 200 });
  const { of } = playOutbox([CHANNELS.github], { fetch, kindOf: () => github, secrets: SECRETS });
  of.append(...drafts(60, { type: "monitoring.stalled" }));
  await of.deliver();
  await expect.poll(() => of.rearmed).toBe(1);
  expect(requests).toBe(30);
});
