/** The configuration as a schema: what may be written, what it means, and what holds where nothing is written. Pure. */
import { t } from "./spoken.ts";
import * as z from "zod/mini";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import { localStarts, MISFIT, RULE_PARTS, unreadPart } from "../domain/recurrence.ts";
import { OPERATORS, USERS } from "../protocol/diagnosis.ts";
import { judgeBaseUrl, judgeCollector, judgePublicUrl, judgeStatusPage } from "./base-url.ts";
import { CANARY_SCHEMAS } from "./canary-schema.ts";
import { channel, push } from "./channel-schema.ts";
import { LANGUAGES, REGIONS } from "./config.ts";
import {
  address,
  byKind,
  count,
  duration,
  flag,
  flapping,
  formatDuration,
  id,
  instant,
  judged,
  modelId,
  monitorFields,
  must,
  onCallFields,
  oneOf,
  orNull,
  remindEvery,
  type Report,
  secretName,
  setOf,
  settings,
  text,
} from "./fields.ts";
import { MOST_SHARDS, MOST_CHANNELS, MOST_LANES, PLAN_LIMITS } from "./plan-limits.ts";
import { parts, theme } from "./site-schema.ts";

const MONITOR_FIX = t`write an object like { kind: "models", every: "1m" }`;

const models = settings(
  {
    /** The reference diagnostic, `GET /v1/models`. */
    kind: z.literal("models"),
    ...monitorFields(MINUTE_MS),
    /** Model ids that the list must hold; without one of them the gateway is degraded. */
    expect: z._default(
      z
        .array(modelId(), t`write a list of model ids, like ["gpt-4o"]`)
        .check(z.maxLength(100, t`use at most ${100}`)),
      [],
    ),
  },
  MONITOR_FIX,
);

const monitor = byKind([models, ...CANARY_SCHEMAS], t`a kind of monitor`, MONITOR_FIX);

const UPSTREAM_FIX = t`write an object like { name: "OpenAI", status: "https://status.openai.com" }`;

const upstream = settings(
  {
    /** What pages and alerts call the provider. 1 to 80 characters. Example: `"OpenAI"`. */
    name: text(80),
    /** Its official status page, any with the API v2 of Statuspage. Example: `"https://status.openai.com"`. */
    status: address(judgeStatusPage, t`write the page's address like https://status.example.com`),
  },
  UPSTREAM_FIX,
);

const gateway = settings(
  {
    /** 1 to 40 of `a-z`, `0-9` and `-`; it is in addresses and in history, so keep it. */
    id: id(),
    /** What the page calls it. Default: the id. */
    name: z.optional(text(80)),
    /** The page shows gateways of one group together, under this name. Default: none. Example: `"Production"`. */
    group: orNull(text(80)),
    /**
     * The base address without `/v1`. A path is allowed; user info, a query or a fragment is not. Plain `http:` only to
     * this machine or a private network. Example: `"https://api.acme.example"`.
     */
    baseUrl: address(
      (written) => judgeBaseUrl(written, { insecureHttp: true }),
      t`write the base address like https://api.example.com`,
    ),
    /** The name of the secret that holds the API key, never the key. Example: `"ACME_API_KEY"`. */
    apiKey: secretName("ACME_API_KEY"),
    /** Who runs the gateway. `"us"`: what its operator must do is your turn. Default `"them"`. */
    operator: z._default(oneOf(OPERATORS, t`an operator`), "them"),
    /** `"production"`: your users' calls use the key too, and fail if it is refused. Default `"monitor"`. */
    usedBy: z._default(oneOf(USERS, t`a value of usedBy`), "monitor"),
    /**
     * The providers behind the gateway, at most 4: an incident says what their status pages report, which are read every five
     * minutes. Example: `[{ name: "OpenAI", status: "https://status.openai.com" }]`.
     */
    upstream: z._default(
      z
        .array(upstream, t`write a list like [{ name: "OpenAI", status: "https://status.openai.com" }]`)
        .check(z.maxLength(4, t`use at most ${4}`)),
      [],
    ),
    /** Publish the host name? Default false: reports say `$GATEWAY_BASE_URL`. */
    showEndpoint: z._default(flag(), false),
    ...onCallFields(),
    /** Show runbook and contact on public pages too? Default false. */
    showRunbook: z._default(flag(), false),
    /** `"health"`: the public sees no cause, message or report. Default `"causes"`. */
    publish: z._default(oneOf(["causes", "health"], t`a value of publish`), "causes"),
    /** Allow plain `http:` to a public host. The key then travels unencrypted. Default false. */
    insecureHttp: z._default(flag(), false),
    /** This gateway's model ids do carry a vendor prefix (`openai/gpt-4o`). Default false. */
    vendorPrefix: z._default(flag(), false),
    /**
     * Where its list of models is asked for: Cloudflare's location hints. Three or more are best: it fails where
     * more than half say so. Default: wherever the Worker runs. Example: `["weur", "apac", "enam"]`.
     */
    regions: z._default(
      setOf(oneOf(REGIONS, t`a region`), t`write a list like ["weur", "apac"], or leave regions out`),
      [],
    ),
    /** At least one. Default: the model listing, every minute; if you list others, name it too. */
    monitors: z._default(
      z
        .array(monitor, t`write a list like [{ kind: "models" }]`)
        .check(z.minLength(1, t`add a monitor like { kind: "models" }, or leave monitors out`)),
      [
        {
          kind: "models",
          every: MINUTE_MS,
          expect: [],
          formerly: [],
          runbook: null,
          runbooks: {},
          contact: null,
        },
      ],
    ),
  },
  t`write an object with id, baseUrl and apiKey`,
);

const RULE_FIX = t`write a rule of RFC 5545 like FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0, each part once: ${RULE_PARTS.join(", ")}`;
const LOCAL_FIX = t`write a local date and time without an offset, like 2026-12-06T02:00`;
const TIME_ZONE_FIX = t`write an IANA time zone like Asia/Shanghai, or UTC`;

const timeZone = () => z.string(TIME_ZONE_FIX).check(must(isTimeZone, t`is not a time zone`, TIME_ZONE_FIX));

const planned = {
  /** Ids of the gateways that are worked on. Default: all. */
  gateways: z._default(
    z.array(z.string(t`write a gateway's id`), t`write a list of gateway ids, like ["acme"]`),
    [],
  ),
  /** 1 to 120 characters. Default `"Planned maintenance"`. */
  title: z._default(text(120), "Planned maintenance"),
};

const maintenanceOnce = settings(
  {
    ...planned,
    /** RFC 3339 with an offset. Example: `"2026-12-01T02:00:00Z"`. */
    from: instant(),
    /** After `from`. */
    to: instant(),
  },
  t`write an object with from, to and title`,
);

const DURATION_FIX = t`write whole minutes from "1m" to "7d", like "2h"`;

const maintenanceAgain = judged(
  settings(
    {
      ...planned,
      /** A rule of RFC 5545, at most hourly. Example: `"FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0"`. */
      rrule: z.string(RULE_FIX),
      /** How long each window is: whole minutes, at most `"7d"`, and no longer than from one to the next. Example: `"2h"`. */
      duration: duration(MINUTE_MS, MINUTE_MS, DURATION_FIX, 7 * DAY_MS),
      /** The local time at which the rule begins, without an offset. Example: `"2026-12-06T02:00"`. */
      from: z.string(LOCAL_FIX).check(must(isLocalTime, t`is not a local time`, LOCAL_FIX)),
      /** An IANA time zone: its clock counts, with daylight saving time. Default: that of the page. */
      timeZone: z.optional(timeZone()),
    },
    t`write an object with rrule, duration, from and timeZone`,
  ),
  judgeRule,
);

const MISFIT_FIX = t`use BYHOUR with FREQ=DAILY, numbers in BYDAY with MONTHLY or YEARLY, and only one of COUNT and UNTIL`;

/** How many windows are looked at. */
const JUDGED = 400;

function judgeRule(
  { rrule, duration: durationMs, from }: { rrule: string; duration: number; from: string },
  report: Report,
): void {
  const unread = unreadPart(rrule);
  if (unread !== null)
    return report(t`has a part that cannot be read (${JSON.stringify(unread)})`, RULE_FIX, "rrule");
  const hourly = t`use FREQ=HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY, and windows an hour apart`;
  if (MISFIT.test(rrule)) return report(t`has parts that do not go together`, MISFIT_FIX, "rrule");
  const isFiner = /FREQ=[MS]\w+LY\b/.test(rrule.replace("MONTHLY", ""));
  if (isFiner) return report(t`comes more than once an hour`, hourly, "rrule");
  // Its distances are those of local time.
  const starts = localStarts({ rrule, from, timeZone: "UTC" }, [0, Number.POSITIVE_INFINITY], JUDGED);
  if (starts.length === 0) return report(t`never comes`, RULE_FIX, "rrule");
  const distances = starts.slice(1).map((ms, index) => ms - (starts[index] ?? ms));
  const leastMs = Math.min(...distances);
  if (leastMs < HOUR_MS) report(t`comes more than once an hour`, hourly, "rrule");
  else if (durationMs > leastMs)
    report(
      t`is longer than from one window to the next`,
      t`write at most "${formatDuration(leastMs)}"`,
      "duration",
    );
}

/** By whether it has something of a rule. A union would not say what is wrong in it. */
const maintenance = z.pipe(
  z.custom<z.input<typeof maintenanceOnce> | z.input<typeof maintenanceAgain>>(() => true),
  z.transform((input, { issues }) => {
    const isRule = ["rrule", "duration", "timeZone"].some((key) => Reflect.has(Object(input), key));
    const schema = isRule ? maintenanceAgain : maintenanceOnce;
    const parsed = z.safeParse<typeof maintenanceOnce | typeof maintenanceAgain>(schema, input, {
      reportInput: true,
    });
    if (parsed.success) return parsed.data;
    issues.push(...(parsed.error.issues as unknown as typeof issues));
    return z.NEVER;
  }),
);

const otlp = settings(
  {
    /** Example: `"https://otlp.example.com"`. */
    endpoint: address(judgeCollector, t`write the collector's address like https://otlp.example.com`),
    /** The name of a secret that holds headers like `api-key=…,tenant=…`. Example: `"OTLP_HEADERS"`. */
    headers: z.optional(secretName("OTLP_HEADERS")),
  },
  t`write an object like { endpoint: "https://otlp.example.com" }`,
);

export const configSchema = settings(
  {
    /** The heading of the status page. 1 to 120 characters. */
    title: text(120),
    /** A sentence for the top of the page that readers must know first. 1 to 300 characters. Default: none. */
    notice: orNull(text(300)),
    /** How the pages look: name, logo, accent color and links. Default: plain. */
    theme: z._default(theme, { name: null, logo: null, accent: null, links: [] }),
    /** The public address of the status page, for links in alerts and feeds. Example: `"https://status.acme.example"`. */
    url: orNull(address(judgePublicUrl, t`write the page's address like https://status.example.com`)),
    /** The language of alerts and of the feed, and of pages where the reader's browser asks for none of ours. Default `"en"`. */
    language: z._default(oneOf(LANGUAGES, t`a language of the pages`), "en"),
    /** An IANA time zone: days on the page begin in it, and reports have its offset. Default `"UTC"`. */
    timeZone: z._default(timeZone(), "UTC"),
    /** What the site has; what it lacks is not deployed. Default: all of it. Example: `{ explain: false, badges: false }`. */
    parts: z.prefault(parts, {}),
    /** The Cloudflare plan of the account; it decides the default of `maxProbesPerTick`. Default `"free"`. */
    plan: z._default(oneOf(["free", "paid"], t`a plan`), "free"),
    /** At most this many monitors are probed in one tick, in each of its lanes. Default 20 on `free`, 200 on `paid`. */
    maxProbesPerTick: z.optional(count(1, PLAN_LIMITS.paid.maxProbesPerTick)),
    /** Failed probes in a row that open an incident, 1 to 100. Default 2. */
    open: z._default(count(1, 100), 2),
    /** Good probes in a row that close an incident, 1 to 100. Default 2. */
    close: z._default(count(1, 100), 2),
    /** How often a reminder of an open incident is sent, `"5m"` to `"24h"`; false: never. Default false. */
    remindEvery: z._default(remindEvery(), false),
    /** More changes of state an hour than this become one flapping incident, 1 to 60; false: never. Default 4. */
    flapping: z._default(flapping(), 4),
    /**
     * The name of a secret that holds the address of a dead-man service, called after each good tick.
     * Default: none. Example: `"HEARTBEAT_URL"`.
     */
    heartbeat: orNull(secretName("HEARTBEAT_URL", true)),
    /**
     * Where metrics, and a span for each incident, are sent as OTLP over HTTP: a collector's address, without `/v1/metrics`, and
     * the name of a secret with headers like `api-key=…`. Default: none.
     * Example: `{ endpoint: "https://otlp.example.com", headers: "OTLP_HEADERS" }`.
     */
    otlp: orNull(otlp),
    /**
     * Notifications in browsers that subscribe on the page: a pair of VAPID keys, the private one as a secret. Default: none.
     * Example: `{ publicKey: "B…", privateKey: "PUSH_KEY", subject: "mailto:oncall@acme.example" }`.
     */
    push: orNull(push),
    /**
     * Invocations that share a tick where one is not enough: 1 to 16, on the free plan 1 to 3. More than 1 need a queue, see
     * https://github.com/gatepulse/gatepulse/blob/main/docs/scale.md. Default 1.
     */
    lanes: z._default(count(1, MOST_LANES), 1),
    /**
     * Parts that share the gateways, each with an invocation, a Ledger and a snapshot of its own: 1 to 100, on the free plan 1
     * or 2. More than 1 need a queue, see
     * https://github.com/gatepulse/gatepulse/blob/main/docs/scale.md. Default 1.
     */
    shards: z._default(count(1, MOST_SHARDS), 1),
    /** What is watched. Empty: nothing yet (`npm start` then shows the simulated gateway). */
    gateways: z.array(gateway, t`write a list of gateways; [] for none yet`),
    /** Where alerts are sent: at most 40 channels. Default: none. Addresses and keys are named here and set like API keys. */
    alerts: z._default(
      z
        .array(channel, t`write a list like [{ kind: "slack", url: "SLACK_URL" }]`)
        .check(z.maxLength(MOST_CHANNELS, t`use at most ${MOST_CHANNELS}: one can serve several gateways`)),
      [],
    ),
    /** Planned work: samples inside a window do not count towards uptime. */
    maintenance: z._default(
      z.array(
        maintenance,
        t`write a list like [{ from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" }]`,
      ),
      [],
    ),
  },
  t`export an object: export default defineConfig({ title, gateways })`,
);

function isLocalTime(value: string): boolean {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? Date.parse(`${value}Z`) : Number.NaN;
  // Date takes a day that the month does not have for another one.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** Intl takes offsets like +08:00 too; those are no names of zones. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
