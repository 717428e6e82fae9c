import { expect, test } from "vitest";
import { acknowledgeIncident, type Incident, silentUntilMs, withAction } from "../../src/domain/incident.ts";
import { AlarmPlay, DIAGNOSES, MINUTE, NERVOUS, play, played, table, told } from "./alarm-play.ts";

const OPENED = "2 m opened D";
table("thresholds", { open: 2, close: 2 }, [
  ["one failure opens nothing", "UDU"],
  ["the second failure in a row opens", "DD", OPENED],
  ["blocked and degraded fail too", "AS", "2 m opened S"],
  ["a good probe between starts anew", "DUDD", "4 m opened D"],
  ["a probe without a verdict between does not", "D?D", "3 m opened D"],
  ["the second good one in a row closes", "DDUU", OPENED, "4 m resolved"],
  ["without a verdict between it does too", "DDU?U", OPENED, "5 m resolved"],
]);

table("thresholds of their own", { open: 3, close: 1 }, [
  ["the third failure opens, the first good one closes", "DDDU", "3 m opened D; 4 m resolved"],
]);

table("causes", { open: 2, close: 2 }, [
  ["another one is told", "DDA", OPENED, "3 m updated A"],
  ["a good probe between makes it no other", "DDUD", OPENED],
]);

test("another owner, or another health, of the same cause is told", () => {
  const alarm = new AlarmPlay([played("a/m")]);
  const turns = [
    { owner: "operator", health: "down" },
    { owner: "operator", health: "down" },
    { owner: "caller", health: "down" },
    { owner: "caller", health: "blocked" },
  ] as const;
  for (const [minute, turn] of turns.entries()) {
    alarm.probe("a/m", minute * MINUTE, { diagnosis: { ...DIAGNOSES["D"]!, ...turn } });
  }
  expect(alarm.happenings).toMatchObject([
    { type: "incident.opened", incident: { owner: "operator", health: "down" } },
    { type: "incident.updated", reason: "cause", incident: { owner: "caller", health: "down" } },
    { type: "incident.updated", reason: "cause", incident: { owner: "caller", health: "blocked" } },
  ]);
});

table("maintenance", { open: 2, close: 2 }, [
  ["nothing opens in a window", { window: "mmmm", m: "DDDD" }],
  ["what still fails after it opens by its threshold", { window: "mmm..", m: "DDDDD" }, "5 m opened D"],
  ["a failure before it and one behind it are no row", { window: ".m..", m: "DDDD" }, "4 m opened D"],
  ["a window in which nothing is seen leaves the counters", { window: ".m.", m: "D?D" }, "3 m opened D"],
  ["a failure in it ends the good ones in a row", { window: "...m.", m: "DDUDU" }, OPENED],
  ["good ones before and in it are a row", { window: "...m", m: "DDUU" }, OPENED, "4 m resolved"],
  [
    "what closed in it opens behind it",
    { window: "..mmmm..", m: "DDUUDDDD" },
    OPENED,
    "4 m resolved; 8 m opened D",
  ],
  ["no cause is told in it", { window: "..mm", m: "DDAA" }, OPENED],
  ["after it the cause is told", { window: "..mm.", m: "DDAAA" }, OPENED, "5 m updated A"],
]);

test("what fails in a window is no report of the incident, and of the next one no beginning", () => {
  const { final } = play({ window: "..m", m: "DDA" });
  expect(Object.values(final.members.incidents)[0]?.latestFailure?.startedAtMs).toBe(2 * MINUTE);
  const next = play({ window: "mm..", m: "DDDD" }).final;
  expect(Object.values(next.members.incidents)[0]?.firstFailedAtMs).toBe(3 * MINUTE);
});

test("an incident says when its first failure was, whatever came between", () => {
  const { final } = play({ m: "UD?AD" }, { open: 3 });
  expect(Object.values(final.members.incidents)[0]).toMatchObject({
    openedAtMs: 5 * MINUTE,
    firstFailedAtMs: 2 * MINUTE,
    firstFailure: { startedAtMs: 5 * MINUTE },
  });
});

test("the latest failure is kept, whether or not it changed anything", () => {
  const { final } = play({ m: "DD" });
  final.probe("a/m", 3 * MINUTE, { diagnosis: DIAGNOSES["D"]! });
  expect(final.isNews).toBe(false);
  expect(Object.values(final.members.incidents)[0]?.latestFailure?.startedAtMs).toBe(3 * MINUTE);
});

test("a monitor whose incident's record is gone opens another one", () => {
  const { final } = play({ m: "DD" });
  final.edit(() => null);
  expect(final.members.incidents).toEqual({});
  expect(final.probe("a/m", 3 * MINUTE, { diagnosis: DIAGNOSES["D"]! }).map(told)).toEqual(["3 m opened D"]);
});

table("gateways with a common provider", { siblings: ["a", "b", "c"] }, [
  [
    "share one incident while it fails",
    { "a/m": "PPP", "b/n": ".PP", "c/o": ".QQ" },
    "2 m opened P; 3 n updated P; 3 o updated P",
  ],
  ["have their own for what is theirs", { "a/m": "PP..", "b/n": "..DD" }, "2 m opened P; 4 n opened D"],
  [
    "leave it one by one, the lead too",
    { "a/m": "PPPUU.", "b/n": ".PPPUU" },
    "2 m opened P; 3 n updated P; 5 m updated P; 6 n resolved",
  ],
  [
    "leave it if they fail for another reason twice",
    { "a/m": "PPPAA", "b/n": ".PPPP" },
    "2 m opened P; 3 n updated P; 5 m opened A",
  ],
  [
    "stay if they fail for another reason once",
    { "a/m": "PPPAP", "b/n": ".PPPP" },
    "2 m opened P; 3 n updated P",
  ],
  [
    "stay with all their monitors, however differently these fail, after the others left",
    { "a/m": "PPPUU.", "b/n": ".QQQ..Q", "b/o": ".QQQQQQ" },
    "2 m opened P; 3 n updated P; 5 m updated P; 7 n updated Q",
  ],
  [
    "say what is theirs in the incident that they alone have left",
    { "a/m": "PPPUU", "b/n": ".PPPPAA" },
    "2 m opened P; 3 n updated P; 5 m updated P; 6 n updated A",
  ],
  [
    "say in their own incident that it is the provider now",
    { "a/m": "PPPP", "b/n": "DDPP" },
    "2 m opened P; 2 n opened D; 3 n updated P",
  ],
  [
    "join it from an incident that others of the gateway have",
    { "a/m": "PPPP", "b/n": "DDDD", "b/o": "DDPP" },
    "2 m opened P; 2 n opened D; 3 o updated P",
  ],
]);

test("a gateway that flaps does not bring a message about its provider each time", () => {
  const over = { siblings: ["a", "b"], open: 1, close: 1, flapping: 2 };
  expect(play({ "a/m": "PPPPPPPP", "b/n": ".PUPUPUP" }, over).events).toEqual([
    "1 m opened P",
    "2 n updated P",
    "3 n updated P",
    "4 n opened (flapping) P",
  ]);
});

test("an incident of others that is silenced does not hide that a gateway fails", () => {
  const { final } = play({ "a/m": "PP", "b/n": ".P" }, { siblings: ["a", "b"] });
  final.edit((incident) => withAction(incident, { type: "silenced", by: null, atMs: 0, untilMs: null }));
  const failed = { diagnosis: DIAGNOSES["P"]! };
  expect(final.probe("b/n", 3 * MINUTE, failed).map(told)).toEqual(["3 n opened P"]);
});

test("a gateway joins only those that all have its provider", () => {
  const siblings = { a: ["b"], b: ["a", "c"], c: ["b"] };
  const alarm = new AlarmPlay(
    Object.entries(siblings).map(([id, of]) => played(`${id}/m`, { siblings: of, open: 1 })),
  );
  for (const id of ["a/m", "b/m", "c/m"]) alarm.probe(id, MINUTE, { diagnosis: DIAGNOSES["P"]! });
  expect(alarm.happenings.map(told)).toEqual(["1 m opened P", "1 m updated P", "1 m opened P"]);
});

test("a gateway that a configuration gives another provider leaves the incident, and opens its own", () => {
  const { final } = play({ "a/m": "PPP", "b/n": ".PP" }, { siblings: ["a", "b"] });
  final.configure([played("a/m"), played("b/n")], 4 * MINUTE);
  expect(Object.values(final.members.incidents)).toMatchObject([{ gatewayId: "a", memberIds: ["a/m"] }]);
  const failed = { diagnosis: DIAGNOSES["P"]! };
  expect(final.probe("b/n", 4 * MINUTE, failed).map(told)).toEqual(["4 n opened P"]);
});

test("an incident of several gateways is that of its lead, and keeps no failure of one that left", () => {
  const { final } = play({ "a/m": "PPPUU", "b/n": ".PPPP" }, { siblings: ["a", "b"] });
  const [incident] = Object.values(final.members.incidents);
  expect(incident).toMatchObject({ gatewayId: "b", monitorIds: ["a/m", "b/n"], firstFailure: null });
  final.configure(final.configured, 6 * MINUTE);
  expect(Object.values(final.members.incidents)).toEqual([incident]);
});

test("a configuration leaves an incident of several gateways as it is", () => {
  const { final } = play({ "a/m": "PPP", "b/n": ".PP" }, { siblings: ["a", "b"] });
  expect(final.configure(final.configured, 4 * MINUTE)).toEqual([]);
  expect(Object.values(final.members.incidents)[0]?.memberIds).toEqual(["a/m", "b/n"]);
});

const UNREACHED = "2 m opened L";

table("a gateway that is not reached", { open: 2, close: 2 }, [
  ["opens one incident for all its monitors", "LL | LL | .LL", UNREACHED],
  ["ends when the last has left", "LLUU.. | LL..UU", UNREACHED, "6 n resolved"],
  ["changes its cause by the first member alone", "LLLN | LLNN", UNREACHED, "4 m updated N"],
  ["is led by the next when the first has left", "LLUU. | LL..N", UNREACHED, "5 n updated N"],
  ["does not take in a monitor that reaches it and fails", "LL | DD", UNREACHED, "2 n opened D"],
  [
    "lets go a member that reaches it and fails twice, whose own incident opens",
    "LL..UU | LLDD..",
    UNREACHED,
    "4 n opened D; 6 m resolved",
  ],
  [
    "is another when its only member reaches it: nobody joins it any more",
    "LLD.. | ...LL",
    UNREACHED,
    "3 m updated D; 5 n opened L",
  ],
  [
    "is not joined by a monitor that has an incident: that one stays, and nothing is told",
    "DDLLLUU | LL..... | ....LL.",
    "2 m opened D; 2 n opened L; 7 m resolved",
  ],
  [
    "makes the incident of its only failing monitor its own, and others join that",
    "DDL.... | ...LLUU",
    "2 m opened D; 3 m updated L",
  ],
  [
    "is left in a window only by a member that works again",
    { window: "..mm.", m: "LLUU.", n: "LLDDD" },
    UNREACHED,
    "5 n updated D",
  ],
]);

table("one failure", { open: 2, close: 2 }, [
  ["opens one incident for all monitors of the gateway", "DD | DD | .DD", OPENED],
  ["ends when the last has recovered", "DDUU.. | DD..UU", OPENED, "6 n resolved"],
  ["with another cause is another one", "DD | AA", OPENED, "2 n opened A"],
  ["that changes its cause for all is still one", "DDSS | DDSS", OPENED, "3 m updated S"],
  ["is one whoever sees the change first", ".DDSS | DDDSS", "2 n opened D; 4 n updated S"],
  ["with causes that take turns is one", "DDASDASDAS | DDASDASDAS", OPENED, "3 m updated A; 4 m updated S"],
  [
    "is left by a member that fails otherwise twice",
    "DDDDUU | DDAA.. | ....AA",
    OPENED,
    "4 n opened A; 6 m resolved",
  ],
  [
    "is left at once for another that is known",
    "DDDDUU | .DDA.. | AA..UU",
    OPENED,
    "2 o opened A; 6 m resolved",
  ],
]);

table("one failure", { open: 2, close: 2, flapping: 2 }, [
  [
    "that flaps is not joined by what fails steadily",
    "DDUUDDUUDD | ......DD..",
    OPENED,
    "4 m resolved; 6 m opened (flapping) D; 8 n opened D",
  ],
]);

test("joining and leaving are shown, and nobody is alerted", () => {
  const { final } = play({ m: "LL..", n: "LLUU", o: "LL.." });
  const [incident, ...others] = Object.values(final.members.incidents);
  expect(others).toEqual([]);
  expect(incident && incident.memberIds).toEqual(["a/m", "a/o"]);
  expect(incident?.monitorIds).toEqual(["a/m", "a/n", "a/o"]);
  expect(incident?.timeline.map(({ type, text }) => [type, text])).toEqual([
    ["opened", "Do something about it."],
    ["joined", "a/n cannot reach the gateway either."],
    ["joined", "a/o cannot reach the gateway either."],
    ["left", "a/n works again."],
  ]);
  expect(final.probe("a/o", 5 * MINUTE, {})).toEqual([]);
  expect(final.isNews).toBe(false);
  final.probe("a/o", 6 * MINUTE, {});
  expect(final.isNews).toBe(true);
});

table("flapping and reach", NERVOUS, [
  [
    "all monitors of a gateway flap in one incident",
    "LULULU | LULULU",
    "1 m opened L; 2 n resolved; 3 m opened (flapping) L",
  ],
  ["a member that flaps, and does not lead, is not told", "LL.... | .LULUL", "1 m opened L"],
  [
    "after a message that it flaps, one says that the next lead is steady",
    "LULU61.UU | LULL61.LL",
    "1 m opened L; 2 n resolved; 3 m opened (flapping) L; 66 n steady L",
  ],
  [
    "the next lead says with its next probe that it flaps",
    "LL....U... | LULULL.?UL",
    "1 m opened L; 9 n flapping L",
  ],
]);

test("a canary that fails in the same way as the list is in the same incident, and the timeline says so", () => {
  const rules = { open: 1 };
  const [list, other, canary] = [
    played("a/m", rules),
    played("a/n", rules),
    played("a/c", { ...rules, canary: {} }),
  ];
  const alarm = new AlarmPlay([list, canary, other]);
  for (const id of ["a/m", "a/c", "a/n"]) alarm.probe(id, 1000, { diagnosis: DIAGNOSES["D"]! });
  const [incident, ...others] = Object.values(alarm.members.incidents);
  expect(others).toEqual([]);
  expect(incident?.memberIds).toEqual(["a/m", "a/c", "a/n"]);
  expect(incident?.timeline.map(({ text }) => text).slice(1)).toEqual([
    "a/c fails in the same way.",
    "a/n fails in the same way.",
  ]);
});

const EVERY_3 = { open: 2, close: 2, remindEveryMs: 3 * MINUTE };

table("reminders", EVERY_3, [
  ["what is open is told again after each interval", "DDDDDDDD", OPENED, "5 m reminder D; 8 m reminder D"],
  ["another cause is told instead", "DD...A", OPENED, "6 m updated A"],
  ["an update in between counts", "DD.AAAA", OPENED, "4 m updated A; 7 m reminder A"],
  ["between checks nothing is told again", "DD.....D", OPENED, "8 m reminder D"],
  ["what is over is not told again", "DDUU....", OPENED, "4 m resolved"],
  [
    "a window holds it back until it is over",
    { window: "...mmm..", m: "DDDDDDDD" },
    OPENED,
    "7 m reminder D",
  ],
  ["after a good check it comes with the next that failed", "DD..U...D", OPENED, "9 m reminder D"],
  ["what fails every other time is told again", "DDUDUDUDUDU", OPENED, "6 m reminder D; 10 m reminder D"],
  ["of several monitors the lead's check counts", "LL..U. | LL..LL", "2 m opened L"],
]);

table("reminders", { ...EVERY_3, open: 1, close: 1, flapping: 2 }, [
  [
    "what flaps is told again when it fails",
    "DUDUDUDU",
    "1 m opened D; 2 m resolved; 3 m opened (flapping) D; 7 m reminder D",
  ],
]);

table("reminders", { open: 2, close: 2 }, [["off, nothing is told again", "DDDDDDDD", OPENED]]);

test("a reminder has the diagnosis of the probe that brought it, and is no news for the pages", () => {
  const { final } = play({ m: "DDDDD" }, EVERY_3);
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.updated",
    reason: "reminder",
    monitorId: "a/m",
    diagnosis: { cause: "http_error" },
    incident: { toldAtMs: 5 * MINUTE, latestFailure: { startedAtMs: 5 * MINUTE } },
  });
  expect(final.isNews).toBe(false);
});

test("what a person has acknowledged is not told again", () => {
  const { final } = play({ m: "DD" }, EVERY_3);
  final.edit((of) => acknowledgeIncident(of, null, 3 * MINUTE));
  expect(final.probe("a/m", 5 * MINUTE, { diagnosis: DIAGNOSES["D"]! })).toEqual([]);
});

test("a silence holds, however often someone checks the incident afterwards", () => {
  const by = null;
  const { final } = play({ m: "DD" }, EVERY_3);
  final.edit((of) => withAction(of, { type: "silenced", by, atMs: 3 * MINUTE, untilMs: null }));
  for (let checks = 0; checks < 60; checks += 1)
    final.edit((of) => withAction(of, { type: "checked", by, atMs: 4 * MINUTE, untilMs: null }));
  const left = Object.values(final.members.incidents).map((of) => [silentUntilMs(of), of.actions.length]);
  expect(left).toEqual([[Number.POSITIVE_INFINITY, 40]]);
});

/** Acknowledged in minute 3, after `before`. */
test.each<[title: string, operator: "us" | "them", before: string, after: string, ...events: string[]]>([
  ["another cause of the same turn is not told", "them", "DD", "LTD"],
  ["a worse health is told", "them", "SS", "D", "4 m updated D"],
  ["neither a better one is told, nor the return to what was told last", "them", "DD", "SSDD"],
  ["a change of turn is told", "them", "DD", "NA", "4 m updated N", "5 m updated A"],
  ["and compared with what was told last", "them", "DD", "SN", "5 m updated N"],
  ["another owner is not, if it is our turn as before", "us", "AA", "S"],
  ["and is, if it is the operator's turn now", "them", "AA", "S", "4 m updated S"],
  ["its end is told", "them", "DD", "LU", "5 m resolved"],
])("of an acknowledged incident, %s", (_, operator, before, after, ...events) => {
  const { final } = play({ m: before }, { operator, close: 1 });
  final.edit((of) => acknowledgeIncident(of, null, 3 * MINUTE));
  const said = Array.from(after, (letter, index) =>
    final.probe("a/m", (4 + index) * MINUTE, { diagnosis: DIAGNOSES[letter]! }).map(told),
  );
  expect(said.flat()).toEqual(events);
});

test("what is not sent is on the page all the same: after an acknowledgement, in a silence, and of causes that take turns", () => {
  const causeAfter = (letters: string, edit: (of: Incident) => Incident = (of) => of): string[] => {
    const { final } = play({ m: "DD" });
    final.edit(edit);
    for (const [index, letter] of Array.from(letters).entries())
      final.probe("a/m", (4 + index) * MINUTE, { diagnosis: DIAGNOSES[letter]! });
    const [incident] = Object.values(final.members.incidents);
    const entries = incident?.timeline.map(({ type, pageOnly }) =>
      pageOnly === true ? `${type} on the page only` : type,
    );
    return [incident?.cause ?? "none", ...(entries ?? [])];
  };
  const silence = { type: "silenced", by: null, atMs: 3 * MINUTE, untilMs: 9 * MINUTE } as const;
  expect(causeAfter("L", (of) => acknowledgeIncident(of, null, 3 * MINUTE))).toEqual([
    "timeout",
    "opened",
    "updated on the page only",
  ]);
  expect(causeAfter("L", (of) => withAction(of, silence))).toEqual([
    "timeout",
    "opened",
    "updated on the page only",
  ]);
  expect(causeAfter("LD")).toEqual(["http_error", "opened", "updated", "updated on the page only"]);
});

test("a clock that ran ahead and was set back does not silence reminders for as long", () => {
  const { final } = play({ m: "99.DD" }, EVERY_3);
  const probe = (atMs: number) => final.probe("a/m", atMs, { diagnosis: DIAGNOSES["D"]! });
  expect(probe(100 * MINUTE)).toEqual([]);
  expect(probe(40 * MINUTE)).toMatchObject([{ reason: "reminder", incident: { toldAtMs: 40 * MINUTE } }]);
  expect(probe(42 * MINUTE)).toEqual([]);
});
