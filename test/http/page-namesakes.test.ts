/** Several monitors of one kind in one gateway: what is told of one is told with its id. */
import { expect, test } from "vitest";
import { expectWords, textOf } from "./html.ts";
import {
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  reportDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const OWN_IDS = ["m1", "m2", "m3"];
const incidentOf = (own: string) => `acme-${own}-20261120t080000z`;

async function htmlOf(path: string, ownIds: readonly string[]): Promise<string> {
  const incidents = ownIds.map((own) => incidentDocument({ id: incidentOf(own), monitors: [`acme/${own}`] }));
  const monitors = incidents.map(({ id, monitors: [monitor = ""] }) =>
    monitorThatIs("blocked", { id: monitor, incident: id, report: `${id}-1` }),
  );
  const alone = monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o-mini" });
  const published = incidents.map((incident) => {
    return { incident, reports: [reportDocument({ id: `${incident.id}-1` })], fullReports: [] };
  });
  const gateways = [gatewayDocument({ status: "blocked", monitors: [...monitors, alone] })];
  return world.show({ gateways, incidents }, { path, tail: { incidents: published } });
}

const MATTER = "The balance is used up";

/** What is heard of the links, by where they lead. */
function linksTo(path: string, html: string): readonly string[] {
  return [...html.matchAll(/<a href="([^"]+)">(.*?)<\/a>/gsu)]
    .filter(([, href = ""]) => href.startsWith(path))
    .map(([, , words = ""]) => textOf(words));
}

test("links to incidents and reports of namesakes are called differently", async () => {
  const html = await htmlOf("/", OWN_IDS);
  expect(linksTo("/incidents/", html)).toEqual([
    ...OWN_IDS.map((own) => `Acme · models · ${own}: ${MATTER}`),
    ...OWN_IDS.map((own) => `The incident of Acme · models · ${own}`),
  ]);
  const reports = OWN_IDS.map((own) => `The problem report of Acme · models · ${own}`);
  expect(linksTo("/reports/", html)).toEqual(reports);
});

test.each(["/", "/gateways/acme"])("pictures and tables on %s are called differently", async (path) => {
  const html = await htmlOf(path, OWN_IDS);
  const names = [...html.matchAll(/<(title|caption)[^>]*>(.*?)<\/\1>/gsu)]
    .map(([, , words = ""]) => words)
    .filter((words) => words.includes("models"));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(name).toMatch(/models · m[123]/u);
});

test.each([
  [`/incidents/${incidentOf("m2")}`, `<title>Acme · models · m2: ${MATTER}`],
  [`/reports/${incidentOf("m2")}-1`, "<title>Problem report: Acme · models · m2"],
  ["/feed.atom", `Acme · models · m2: ${MATTER}`],
  ["/badge/acme/m2.json", '"label":"Acme · models · m2"'],
  ["/api/v2/summary.json", '"name":"models · m2"'],
])("%s names the id", async (path, words) => {
  expect(await htmlOf(path, OWN_IDS)).toContain(words);
});

const ALONE = ["/", `/incidents/${incidentOf("m1")}`, "/feed.atom"];

test.each(ALONE)("on %s one without a namesake needs no id", async (path) => {
  expectWords(await htmlOf(path, ["m1"]), ["Acme · models"], ["models · m1", "gpt-4o-mini · chat"]);
});
