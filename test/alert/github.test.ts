/** The channel `github` and a server that keeps issues and refuses what GitHub refuses. */
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { github } from "../../src/alert/channels/programs/github.ts";
import { send } from "../../src/ledger/deliver/channel-client.ts";
import { playOutbox } from "../ledger/outbox-sqlite.ts";
import { drafts } from "../fixtures/outbox.ts";
import { serveInTurn } from "../probe/small-server.ts";
import { CHANNELS, PORTS, SECRETS } from "./channel-configs.ts";
import { opened, resolved, stalled, updated } from "./telling.ts";

interface Issue {
  readonly number: number;
  title: string;
  body: string | null;
  state: string;
  labels: { name: string }[];
  comments: string[];
  updated_at: string;
}

const PATH = /^\/repos\/acme\/status\/issues(?:\/(\d+)(\/comments)?)?$/;
const AT = "2026-11-20T12:01:00Z";

function listed(issues: readonly Issue[], query: URLSearchParams): readonly Issue[] {
  const labels = (query.get("labels") ?? "").split(",");
  return issues
    .filter(({ state, updated_at: at }) =>
      query.get("state") === "all" ? at >= (query.get("since") ?? "") : state === "open",
    )
    .filter((issue) => labels.every((label) => issue.labels.some(({ name }) => name === label)))
    .toReversed();
}

function answered(issues: Issue[], request: IncomingMessage, text: string): [status: number, body: unknown] {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const { authorization, accept, "user-agent": agent, "x-github-api-version": version } = request.headers;
  if (!agent || accept !== "application/vnd.github+json" || version !== "2022-11-28") return [403, {}];
  if (authorization !== "Bearer github_pat_of-the-bot") return [401, { message: "Bad credentials" }];
  const [path, number, part] = PATH.exec(pathname) ?? [];
  const issue = issues.find((of) => String(of.number) === number);
  if (path === undefined || (number !== undefined && !issue)) return [404, { message: "Not Found" }];
  if (!/^(?:\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}Z)?$/.test(searchParams.get("since") ?? "")) return [422, {}];
  if (request.method === "GET") return [200, listed(issues, searchParams)];
  const { title = "", body = "", state = "open", labels = [], ...others } = JSON.parse(text);
  const isRefused = title.length > 256 || body.length > 65_536 || !/^(?:open|closed)$/.test(state);
  if (isRefused || Object.keys(others).length > 0) return [422, { message: "Validation Failed" }];
  if (part) issue?.comments.push(body);
  else if (issue) issue.state = state;
  else {
    const named = labels.map((name: string) => ({ name }));
    issues.push({
      number: issues.length + 1,
      title,
      body,
      state,
      labels: named,
      comments: [],
      updated_at: AT,
    });
  }
  return [201, {}];
}

/** @param lost the request whose answer never comes. */
async function playGitHub(lost = 0) {
  const issues: Issue[] = [];
  const asked: string[] = [];
  const receiver = await serveInTurn((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/^.*issues|\?.*/g, "")}`);
    const [status, body] = answered(issues, request, receiver.seen.at(-1)?.body ?? "");
    if (asked.length === lost) request.socket.resetAndDestroy();
    else response.writeHead(status).end(JSON.stringify(body));
  });
  const told = async (event: AlertEvent, secrets = SECRETS, over: object = {}) => {
    const channel = { ...CHANNELS.github, endpoint: receiver.url, ...over };
    const ports = { ...PORTS, secretOf: (name: string) => secrets[name] ?? null, ...over };
    return (await send([event], channel, github, ports)).verdict.type;
  };
  return { issues, asked, told };
}

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
  const requests = "GET |POST |GET |POST /1/comments|GET |PATCH /1|POST /1/comments";
  expect(asked).toEqual(requests.split("|"));
});

describe("a lost answer", () => {
  test("to the creation opens no second issue, and is no comment", async () => {
    const { issues, told } = await playGitHub(2);
    expect([await told(opened()), await told(opened())]).toEqual(["later", "delivered"]);
    expect(issues).toMatchObject([{ comments: [] }]);
  });

  test("to the closing closes and comments once", async () => {
    const { issues, told } = await playGitHub(4);
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
  const { issues, told } = await playGitHub();
  expect(await told(opened(), { GITHUB_TOKEN: "of-another" })).toBe("gone");
  expect(await told(opened(), SECRETS, { repo: "acme/gone" })).toBe("gone");
  expect(await told(opened(), SECRETS, { fetch: async () => new Response("<html>") })).toBe("later");
  expect(issues).toEqual([]);
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
