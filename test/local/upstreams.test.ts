/** What a provider's status page reports, beside incidents of its gateways. Real Worker and servers; the clock is the test's. */
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import type { GatewayInput } from "../../src/config/define-config.ts";
import { serveInTurn, status } from "../probe/small-server.ts";
import { textOf } from "../http/html.ts";
import { alertingHouse, linesAt, passMinutes, toldAt } from "./support/alerting.ts";
import { statusOf } from "./support/readings.ts";
import { MINUTE_MS } from "./support/world.ts";

const { simulator, receiver, start } = await alertingHouse();

const STARTS = Date.parse("2026-11-20T14:00:00Z");
const at = (minute: number): string => new Date(STARTS + minute * MINUTE_MS).toISOString();

const summary = (indicator: string, ...names: readonly string[]) =>
  JSON.stringify({
    status: { indicator, description: "Partial outage" },
    incidents: names.map((name) => ({ name, status: "identified", impact: "major", started_at: at(-58) })),
  });
const GOOD = status(200, summary("none"));
const TROUBLE = status(200, summary("major", "Elevated <b>errors</b> on chat"));

const gateway = (id: string, page: string, over: Partial<GatewayInput> = {}): GatewayInput => ({
  id,
  baseUrl: simulator.named(id),
  apiKey: "KEY",
  upstream: [{ name: "OpenAI", status: page }],
  ...over,
});

/** Acme's first checks are good, then it is out. */
async function withPage(answers: readonly RequestListener[], over: Partial<GatewayInput> = {}) {
  const page = await serveInTurn(...answers);
  const world = await start(
    { acme: ["healthy", "503_always"], other: ["healthy"] },
    { ops: undefined },
    {
      startMs: STARTS,
      gateways: [gateway("acme", page.url, over), gateway("other", page.url)],
    },
  );
  const incident = async () => (await statusOf(world)).incidents[0];
  const shown = async (language = "en") => {
    const { id = "" } = (await incident()) ?? {};
    return textOf((await world.get(`/incidents/${id}?lang=${language}`)).text);
  };
  return { page, world, incident, shown };
}

test("a page is read once in five minutes for all that name it; alert, API, report, feed and pages say what it reports", async () => {
  const { page, world, incident, shown } = await withPage([TROUBLE]);
  await passMinutes(world, 0, 10);
  await world.publish();
  expect(page.seen.map(({ url }) => url)).toEqual(Array(2).fill("/api/v2/summary.json"));
  const name = "Elevated <b>errors</b> on chat";
  const seen = {
    name: "OpenAI",
    url: null,
    state: "incident",
    problem: null,
    readAt: expect.stringMatching(/^2026-11-20T14:05:/u),
    indicator: "major",
    description: "Partial outage",
    incidents: [{ name, impact: "major", since: at(-58) }],
  };
  const { upstreams } = await statusOf(world);
  expect(upstreams).toEqual([{ ...seen, gateways: ["acme", "other"] }]);
  expect((await incident())?.upstreams).toEqual([seen]);
  const { id = "", report = "" } = (await incident()) ?? {};
  expect((await world.get(`/api/v1/incidents/${id}`)).json).toMatchObject({ upstreams: [seen] });
  expect((await world.get(`/api/v1/reports/${report}`)).json).toMatchObject({ upstreams: [seen] });
  expect(toldAt(receiver, "ops")[0]?.data.incident?.upstreams).toMatchObject([{ incidents: [{ name }] }]);
  const said = `OpenAI reports: ${name} (since 13:02).`;
  expect(await shown()).toContain(said);
  expect(textOf((await world.get("/")).text)).toContain(said);
  expect(await shown("zh")).toContain(`OpenAI 通报： ${name} （自 13:02 起）。`);
  expect((await world.get("/feed.atom")).text).toContain("Elevated &#38;lt;b&#38;gt;errors");
  expect((await world.get(`/reports/${report}`)).text).toContain("OpenAI reports: Elevated");
});

test("a page without an incident says so for 15 minutes; then it could not be read, and it is asked ever less often", async () => {
  const { page, world, incident, shown } = await withPage([GOOD, status(503)]);
  await passMinutes(world, 0, 4);
  await world.publish();
  expect(await shown()).toContain("OpenAI reports no incident.");
  expect(await shown("zh")).toContain("OpenAI 未通报任何事故。");
  await passMinutes(world, 7, 9);
  await world.publish();
  const unread = {
    state: "unread",
    problem: "it answered HTTP 503",
    readAt: expect.any(String),
    incidents: [],
  };
  expect((await incident())?.upstreams).toMatchObject([unread]);
  expect(await shown()).toContain("The status page of OpenAI could not be read.");
  expect(await shown("zh")).toContain("无法读取 OpenAI 的状态页。");
  const before = page.seen.length;
  await passMinutes(world, 20, 20);
  expect(page.seen.length - before).toBe(1);
});

test("of a gateway that publishes its health alone, only the channel learns what its provider reports", async () => {
  const { world, incident, shown } = await withPage([TROUBLE], { publish: "health" });
  await passMinutes(world, 0, 4);
  await world.publish();
  expect((await incident())?.upstreams).toBeUndefined();
  expect((await statusOf(world)).upstreams).toMatchObject([{ gateways: ["other"] }]);
  expect(await shown()).not.toContain("OpenAI");
  expect(toldAt(receiver, "ops")[0]?.data.incident?.upstreams).toMatchObject([{ name: "OpenAI" }]);
});

test("an incident that is over says nothing of the provider", async () => {
  const page = await serveInTurn(TROUBLE);
  const playing = { acme: ["healthy", ...Array(8).fill("503_always"), "healthy"] };
  const world = await start(playing, {}, { startMs: STARTS, gateways: [gateway("acme", page.url)] });
  await passMinutes(world, 0, 8);
  await world.publish();
  const [incident] = (await world.get("/api/v1/incidents")).json.incidents;
  expect(incident).toMatchObject({ gateway: "acme", resolvedAt: expect.any(String) });
  expect(incident).not.toHaveProperty("upstreams");
});

test("gateways whose provider fails share one incident: messages and pages name them all", async () => {
  const page = await serveInTurn(TROUBLE);
  const world = await start(
    { acme: ["healthy", "503_always"], other: ["healthy", "healthy", "503_always"], third: ["healthy"] },
    { ops: undefined, team: { gateway: ["other"] } },
    { startMs: STARTS, gateways: ["acme", "other", "third"].map((id) => gateway(id, page.url)) },
  );
  await passMinutes(world, 0, 7);
  await world.publish();
  const { incidents, gateways } = await statusOf(world);
  const provider = { name: "OpenAI", gateways: ["acme", "other"].map((id) => ({ id, name: id })) };
  expect(incidents).toMatchObject([{ gateway: "acme", monitors: ["acme/models", "other/models"], provider }]);
  expect(gateways.flatMap(({ monitors }) => monitors.map(({ incident }) => incident))).toEqual([
    incidents[0]?.id,
    incidents[0]?.id,
    null,
  ]);
  const named = "OpenAI, behind acme and other";
  const pages = ["/", "/gateways/acme", "/gateways/other", `/incidents/${incidents[0]?.id}`];
  for (const path of pages) expect(textOf((await world.get(path)).text), path).toContain(named);
  const shared = textOf((await world.get(pages[3]!)).text);
  expect(shared).toContain("Gateways acme, other Monitors");
  expect(shared).toContain(`${named}: The provider behind the gateway is unavailable`);
  expect((await world.get("/feed.atom")).text).toContain(named);
  expect((await world.get("/api/v2/incidents/unresolved.json")).json.incidents[0].name).toContain(named);
  const open = /^gatepulse_incidents_open\{gateway="(?<gateway>\w+)".*\} (?<count>\d)$/gmu;
  const counts = [...(await world.get("/metrics")).text.matchAll(open)].map(({ groups }) =>
    Object.values(groups!),
  );
  expect(counts).toEqual([
    ["acme", "1"],
    ["other", "1"],
    ["third", "0"],
  ]);
  simulator.play("acme", "healthy");
  await passMinutes(world, 7, 3);
  simulator.play("other", "healthy");
  await passMinutes(world, 10, 3);
  const all = [
    "incident.opened acme",
    "incident.updated acme",
    "incident.updated other",
    "incident.resolved other",
  ];
  expect(linesAt(receiver, "ops")).toEqual(all);
  expect(linesAt(receiver, "team")).toEqual(all.slice(1));
  await world.publish();
  expect(textOf((await world.get(`/incidents/${incidents[0]?.id}`)).text)).toContain(named);
  expect(textOf((await world.get("/gateways/third")).text)).not.toContain(named);
});

test("the overview says what to do about a shared incident, also if its cause changed before another gateway joined", async () => {
  const page = await serveInTurn(TROUBLE);
  const playing = {
    acme: ["healthy", "html_500", "html_500", "503_always"],
    other: [...Array(5).fill("healthy"), "503_always"],
  };
  const gateways = ["acme", "other"].map((id) => gateway(id, page.url));
  const world = await start(playing, {}, { startMs: STARTS, gateways });
  await passMinutes(world, 0, 10);
  await world.publish();
  const [incident] = (await statusOf(world)).incidents;
  expect(incident?.timeline.map(({ type }) => type)).toEqual(["opened", "updated", "joined"]);
  expect(textOf((await world.get("/")).text)).toContain("Wait, or switch to another gateway.");
});
