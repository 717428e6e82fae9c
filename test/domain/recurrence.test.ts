import { assert, constantFrom, integer, property, record, subarray } from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from "../../src/domain/calendar.ts";
import { localStarts, nextStart, recurringWindows } from "../../src/domain/recurrence.ts";
import { faultsOf } from "../config/parsed.ts";

const RULE = { rrule: "FREQ=DAILY", from: "2026-01-04T02:30", timeZone: "Europe/Berlin", duration: "2h" };

function recurring(over: Partial<typeof RULE>) {
  const parsed = parseConfig({ title: "t", gateways: [], maintenance: [{ ...RULE, ...over }] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config.recurring;
}

/** The windows around an instant, in short. */
function windows(atMs: number, over: Partial<typeof RULE>): readonly string[] {
  return recurringWindows(recurring(over), atMs).map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => instant(ms).slice(5, 16)).join("/"),
  );
}

const at = (text: string) => Date.parse(text);

test.each([
  // Offsets: +1, from 2026-03-29T01:00Z on +2, from 2026-10-25T01:00Z on +1.
  ["Europe/Berlin", "02:30", "2026-03-29T12:00Z", ["03-28T01:30", "03-29T01:30", "03-30T00:30"]],
  ["Europe/Berlin", "02:30", "2026-10-25T12:00Z", ["10-24T00:30", "10-25T00:30", "10-26T01:30"]],
  ["Europe/Berlin", "03:00", "2026-03-29T12:00Z", ["03-28T02:00", "03-29T01:00", "03-30T01:00"]],
  // -5, from 2026-03-08T07:00Z on -4, from 2026-11-01T06:00Z on -5.
  ["America/New_York", "02:30", "2026-03-08T12:00Z", ["03-07T07:30", "03-08T07:30", "03-09T06:30"]],
  ["America/New_York", "01:30", "2026-11-01T12:00Z", ["10-31T05:30", "11-01T05:30", "11-02T06:30"]],
  // +11, from 2026-04-04T15:00Z on +10:30, from 2026-10-03T15:30Z on +11.
  ["Australia/Lord_Howe", "01:45", "2026-04-04T18:00Z", ["04-03T14:45", "04-04T14:45", "04-05T15:15"]],
  ["Australia/Lord_Howe", "02:15", "2026-10-03T18:00Z", ["10-02T15:45", "10-03T15:45", "10-04T15:15"]],
  ["Asia/Shanghai", "02:30", "2026-03-28T20:00Z", ["03-27T18:30", "03-28T18:30", "03-29T18:30"]],
])("%s, %s every day: around %s it begins at %j", (timeZone, time, now, starts) => {
  const [before = "", during = "", after = ""] = starts;
  const own = windows(at(now), { timeZone, from: `2026-01-04T${time}`, duration: "1h" });
  expect(own.map((window) => window.slice(0, 11)).slice(1, 4)).toEqual([before, during, after]);
});

test("a window lasts as long as its duration, also when the clock changes within it", () => {
  const weekly = { rrule: "FREQ=WEEKLY;BYDAY=SU;BYHOUR=1;BYMINUTE=0", duration: "4h" };
  expect(windows(at("2026-03-28T12:00Z"), weekly)).toContain("03-29T00:00/03-29T04:00");
});

test("an hour that the clock skips is the same instant as the next one", () => {
  const hourly = windows(at("2026-03-29T00:30Z"), {
    rrule: "FREQ=HOURLY",
    from: "2026-01-01T00:00",
    duration: "30m",
  });
  expect(hourly).toEqual([
    "03-28T21:00/03-28T21:30",
    "03-28T22:00/03-28T22:30",
    "03-28T23:00/03-28T23:30",
    "03-29T00:00/03-29T00:30",
    "03-29T01:00/03-29T01:30",
  ]);
});

test("of each rule three windows are known that are over, and three that run or come within 14 days", () => {
  expect(windows(at("2026-07-01T12:00Z"), {})).toHaveLength(6);
  const weekly = windows(at("2026-07-01T12:00Z"), { rrule: "FREQ=WEEKLY" });
  expect(weekly).toEqual([
    "06-21T00:30/06-21T02:30",
    "06-28T00:30/06-28T02:30",
    "07-05T00:30/07-05T02:30",
    "07-12T00:30/07-12T02:30",
  ]);
});

test.each([
  ["UNTIL=20260705T003000Z", "07-05T00:30/07-05T02:30"],
  ["UNTIL=20260705T002959Z", "06-28T00:30/06-28T02:30"],
  ["UNTIL=20260705T023000", "07-05T00:30/07-05T02:30"],
  ["UNTIL=99991231T235959Z", "07-12T00:30/07-12T02:30"],
  ["COUNT=27", "07-05T00:30/07-05T02:30"],
  ["COUNT=26", "06-28T00:30/06-28T02:30"],
])("with %s the last window is %s", (end, last) => {
  expect(windows(at("2026-07-01T12:00Z"), { rrule: `FREQ=WEEKLY;${end}` }).at(-1)).toBe(last);
});

test("the next one is found years ahead, and a rule that is over has none", () => {
  const leap = recurring({ rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29" });
  expect(leap.map((rule) => nextStart(rule, at("2026-07-01T12:00Z")))).toEqual([at("2028-02-29T01:30Z")]);
  const over = recurring({ rrule: "FREQ=DAILY;COUNT=3" });
  expect(over.map((rule) => nextStart(rule, at("2026-07-01T12:00Z")))).toEqual([null]);
});

test("a monthly rule that began 56 years ago still comes", () => {
  const monthly = { rrule: "FREQ=MONTHLY;BYDAY=1SU", from: "1970-01-01T02:30" };
  expect(windows(at("2026-07-01T12:00Z"), monthly)).toEqual(["07-05T00:30/07-05T02:30"]);
});

test("a rule that seldom comes is not followed until the year 9999", () => {
  const leap = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29";
  const starts = localStarts({ rrule: leap, from: "2026-01-01T02:00", timeZone: "UTC" }, [0, Infinity], 400);
  expect(starts.map((ms) => new Date(ms).getUTCFullYear())).toEqual([2028, 2032, 2036]);
});

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Shanghai",
  "Africa/Cairo",
  "UTC",
];

/** As it is written on a clock there. */
function clock(timeZone: string, atMs: number): string {
  const parts = { hour: "2-digit", minute: "2-digit", weekday: "short", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-GB", { timeZone, ...parts }).format(atMs);
}

const utcTime = (ms: number) => new Date(ms).toISOString().slice(11, 16);

test("each window begins at the local time of its rule; if that is skipped, as much later as the clock jumps", () => {
  const days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
  const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const rules = record({
    timeZone: constantFrom(...ZONES),
    byday: subarray([...days], { minLength: 1 }),
    hour: integer({ min: 0, max: 23 }),
    minute: constantFrom(0, 15, 30, 45),
    nowMs: integer({ min: at("2026-01-20T00:00Z"), max: at("2030-01-01T00:00Z") }),
  });
  assert(
    property(rules, ({ timeZone, byday, hour, minute, nowMs }) => {
      const rrule = `FREQ=WEEKLY;BYDAY=${byday.join(",")};BYHOUR=${hour};BYMINUTE=${minute}`;
      const found = recurringWindows(recurring({ rrule, timeZone }), nowMs);
      expect(found.length).toBeGreaterThanOrEqual(3);
      const time = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
      for (const { fromMs } of found) {
        const shown = clock(timeZone, fromMs);
        const allowed = byday.map((day) => `${names[days.indexOf(day)]} ${time}`);
        // Where the clock skips this time, it shows a time as much later as the gap is long, and before the gap one as much earlier.
        const isSkipped = [30, 60].some((gap) => {
          const around = [fromMs, fromMs - gap * MINUTE_MS].map((ms) => clock(timeZone, ms).slice(-5));
          const wanted = at(`2026-01-01T${time}Z`);
          return String(around) === String([1, -1].map((sign) => utcTime(wanted + sign * gap * MINUTE_MS)));
        });
        if (!isSkipped) expect(allowed).toContain(shown);
        // Of a time that comes twice it is the first.
        const earlier = [HOUR_MS, HOUR_MS / 2].map((ms) => clock(timeZone, fromMs - ms));
        expect(earlier).not.toContain(shown);
      }
    }),
    // There the clock skips midnight.
    {
      examples: [
        [{ timeZone: "Africa/Cairo", byday: ["FR"], hour: 0, minute: 0, nowMs: at("2028-04-14T12:00Z") }],
      ],
    },
  );
});

test("an old rule is followed from near the present, with the same result", () => {
  const rules = record({
    freq: constantFrom("HOURLY", "DAILY", "WEEKLY"),
    interval: integer({ min: 1, max: 9 }),
    daysLater: integer({ min: 0, max: 60 }),
  });
  assert(
    property(rules, ({ freq, interval, daysLater }) => {
      const rule = { rrule: `FREQ=${freq};INTERVAL=${interval}`, from: "2026-01-04T02:30", timeZone: "UTC" };
      const fromMs = at("2026-01-20T07:00Z") + daysLater * DAY_MS;
      const counted = localStarts({ ...rule, rrule: `${rule.rrule};COUNT=999` }, [0, fromMs + 20 * DAY_MS]);
      const expected = counted.filter((ms) => ms >= fromMs);
      expect(localStarts(rule, [fromMs, fromMs + 20 * DAY_MS]).slice(0, expected.length)).toEqual(expected);
    }),
  );
});

const PARTS = "FREQ, INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY, BYSETPOS, BYHOUR, BYMINUTE, WKST";
const READ = `write a rule of RFC 5545 like FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0, each part once: ${PARTS}`;
const HOURLY = "use FREQ=HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY, and windows an hour apart";
const TOGETHER =
  "use BYHOUR with FREQ=DAILY, numbers in BYDAY with MONTHLY or YEARLY, and only one of COUNT and UNTIL";

test.each([
  ["", "rrule", `has a part that cannot be read (""); ${READ}`],
  ["FREQ=WEEKLY;BYDAY=SUN", "rrule", `has a part that cannot be read ("BYDAY=SUN"); ${READ}`],
  ["BYDAY=SU", "rrule", `has a part that cannot be read ("BYDAY=SU"); ${READ}`],
  ["FREQ=MINUTELY", "rrule", `comes more than once an hour; ${HOURLY}`],
  ["FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30", "rrule", `comes more than once an hour; ${HOURLY}`],
  ["FREQ=HOURLY;INTERVAL=2;BYHOUR=1", "rrule", `has parts that do not go together; ${TOGETHER}`],
  ["FREQ=WEEKLY;BYDAY=1SU", "rrule", `has parts that do not go together; ${TOGETHER}`],
  ["FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z", "rrule", `has parts that do not go together; ${TOGETHER}`],
  ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "rrule", `never comes; ${READ}`],
  ["FREQ=HOURLY", "duration", 'is longer than from one window to the next; write at most "1h"'],
])("the rule %j: %s %s", (rrule, key, fault) => {
  const input = { title: "t", gateways: [], maintenance: [{ ...RULE, rrule }] };
  expect(faultsOf(input)).toEqual([`maintenance[0].${key}: ${fault}`]);
});

test.each([
  [{ duration: "8d" }, "duration", 'is out of range; write whole minutes from "1m" to "7d", like "2h"'],
  [{ from: "2026-02-30T02:00" }, "from", "is not a local time"],
  [{ from: "2026-12-06T02:00:00Z" }, "from", "is not a local time"],
  [{ gateways: ["nobody"] }, "gateways[0]", "is not a gateway of this configuration"],
  [{ to: "2026-12-06T02:00:00Z" }, "to", "is not a known setting"],
])("%j in a rule is a fault of its %s", (over, key, fault) => {
  const input = { title: "t", gateways: [], maintenance: [{ ...RULE, ...over }] };
  expect(faultsOf(input)).toEqual([expect.stringContaining(`maintenance[0].${key}: ${fault}`)]);
});

test("a rule that is forgotten is missing", () => {
  const { rrule: _, ...rest } = RULE;
  const faults = faultsOf({ title: "t", gateways: [], maintenance: [rest] });
  expect(faults).toEqual([`maintenance[0].rrule: is missing; ${READ}`]);
});

test("without a time zone of its own, a rule has that of the page", () => {
  const { timeZone: _, ...rule } = RULE;
  const parsed = parseConfig({ title: "t", gateways: [], timeZone: "Asia/Shanghai", maintenance: [rule] });
  expect(parsed).toMatchObject({ ok: true, config: { recurring: [{ timeZone: "Asia/Shanghai" }] } });
});
