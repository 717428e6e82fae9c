/** What Prometheus may be given, and who is paged then, by docs/prometheus-rules.yml: as `promtool test rules` plays it. */

const MODELS = 'gateway="acme", monitor="acme/models", kind="models"';
const BOLT = 'gateway="bolt", monitor="bolt/models", kind="models"';
const CHAT = 'gateway="acme", monitor="acme/chat", kind="chat", model="gpt-4o"';
const ACCOUNT = 'gateway="acme", monitor="acme/account", kind="console"';
const MAINTENANCE = 'gateway_maintenance{gateway="acme"}';
const health = (of: string, is: string) => `monitor_health{${of}, health="${is}"}`;
const skipped = (reason: string) => `canary_skipped{${CHAT}, reason="${reason}"}`;
const region = (of: string, name: string) => `region_health{${of}, region="${name}", health="down"}`;

/** Once a minute, all is well. */
const WELL = { up: "1x60", stale: "0x60" };

interface Case {
  /** By name and own labels, without `gatepulse_`: values as promtool writes them. Null: it is not there. */
  readonly series: Readonly<Record<string, string | null>>;
  /** By the minute, all alerts that fire: name without `Gatepulse`, page, severity and the monitor, if any. */
  readonly firing: Readonly<Record<number, readonly string[]>>;
  /** What the first alert of the last minute says, and its labels besides those. */
  readonly says?: { readonly labels: string; readonly summary: string; readonly description?: string };
}

const CASES: Readonly<Record<string, Case>> = {
  "a blocked monitor pages the owner of the key, and not the on-call for the gateway": {
    series: {
      [MAINTENANCE]: "0x30",
      [health(MODELS, "up")]: "1 1 0x28",
      [health(MODELS, "down")]: "0x30",
      [health(MODELS, "blocked")]: "0 0 1x28",
      [`monitor_diagnosis_info{${MODELS}, cause="insufficient_balance", owner="caller"}`]: "_ _ 1x28",
      // As the exporter leaves it: absent from then on.
      [`probe_success{${MODELS}}`]: "1 1 stale",
    },
    firing: {
      3: [],
      5: ["MonitorBlocked key-owner warning acme/models"],
      30: ["MonitorBlocked key-owner warning acme/models"],
    },
    says: {
      labels: `${MODELS}, health="blocked"`,
      summary: "The view of acme/models is blocked: nobody sees whether it works",
      description:
        "No outage of the gateway: the monitor's own key, balance, quota, permission, request or address is at fault. " +
        "Cause: insufficient_balance.",
    },
  },
  "a gateway that is down pages its on-call, with whose turn it is": {
    series: {
      [health(MODELS, "down")]: "1x30",
      [`monitor_diagnosis_info{${MODELS}, cause="upstream_unavailable", owner="upstream"}`]: "1x30",
    },
    firing: { 1: [], 5: ["GatewayDown gateway-on-call critical acme/models"] },
    says: {
      labels: `${MODELS}, health="down"`,
      summary: "acme/models is down",
      description: "Cause: upstream_unavailable. To act: upstream.",
    },
  },
  "a gateway that is down in maintenance pages nobody": {
    series: { [MAINTENANCE]: "0x10 1x19", [health(MODELS, "down")]: "1x30" },
    firing: { 5: ["GatewayDown gateway-on-call critical acme/models"], 15: [] },
  },
  "degraded warns the gateway's on-call after a while, also where causes are not published": {
    series: { [health(MODELS, "degraded")]: "1x30" },
    firing: { 10: [], 16: ["GatewayDegraded gateway-on-call warning acme/models"] },
    says: { labels: `${MODELS}, health="degraded"`, summary: "acme/models is degraded", description: "" },
  },
  "where the checks have stopped the monitoring pages, and nobody else": {
    series: {
      stale: "0x9 1x50",
      [health(MODELS, "down")]: "1x9 0x50",
      [health(MODELS, "unknown")]: "0x9 1x50",
      [`monitor_paused{${MODELS}}`]: "0x60",
    },
    firing: {
      9: ["GatewayDown gateway-on-call critical acme/models"],
      12: ["Stale monitoring-on-call critical"],
      50: ["Stale monitoring-on-call critical"],
    },
    says: { labels: "", summary: "The checks have stopped: what Gatepulse shows is old" },
  },
  "a monitor without fresh evidence alerts; a paused one does not": {
    series: {
      [health(MODELS, "unknown")]: "1x30",
      [`monitor_paused{${MODELS}}`]: "0x30",
      [health(CHAT, "unknown")]: "1x30",
      [`monitor_paused{${CHAT}}`]: "1x30",
    },
    firing: { 16: ["MonitorUnknown monitoring-on-call warning acme/models"] },
    says: { labels: `${MODELS}, health="unknown"`, summary: "There is no fresh evidence of acme/models" },
  },
  "a balance that runs low pages the owner of the key, and not the on-call for the gateway": {
    series: {
      [health(ACCOUNT, "degraded")]: "0x4 1x35",
      [`canary_balance{${ACCOUNT}}`]: "5x4 4.5x35",
      [`canary_balance_warn_limit{${ACCOUNT}}`]: "5x40",
    },
    firing: { 10: [], 30: ["BalanceLow key-owner warning acme/account"] },
    says: { labels: ACCOUNT, summary: "The balance that acme/account watches is down to 4.5" },
  },
  "a canary that is slow, with enough balance, pages the on-call for the gateway": {
    series: {
      [health(ACCOUNT, "degraded")]: "1x40",
      [`canary_balance{${ACCOUNT}}`]: "5x40",
      [`canary_balance_warn_limit{${ACCOUNT}}`]: "5x40",
    },
    firing: { 30: ["GatewayDegraded gateway-on-call warning acme/account"] },
  },
  "a canary that is skipped for the gateway's sake pages nobody itself": {
    series: {
      [health(CHAT, "unknown")]: "1x40",
      [skipped("cap")]: "0x40",
      [skipped("gateway")]: "1x40",
      [skipped("unlisted")]: "0x40",
    },
    firing: { 35: [] },
  },
  "a canary that is asked, and yet without evidence, pages the monitoring": {
    series: {
      [health(CHAT, "unknown")]: "1x40",
      [skipped("gateway")]: "0x40",
      [`canary_task_open{${CHAT}}`]: "0x40",
    },
    firing: { 30: ["MonitorUnknown monitoring-on-call warning acme/chat"] },
  },
  "a canary without requests left pages the owner of the key, and nobody else": {
    series: { [health(CHAT, "unknown")]: "1x40", [skipped("cap")]: "1x40" },
    firing: { 30: ["CanaryCapped key-owner warning acme/chat"] },
  },
  "a task that is open pages nobody": {
    series: { [health(CHAT, "unknown")]: "1x40", [`canary_task_open{${CHAT}}`]: "1x40" },
    firing: { 35: [] },
  },
  "a model that is not listed pages the on-call for the gateway; one that is listed, or in maintenance, nobody":
    {
      series: {
        [MAINTENANCE]: "0x30 1x9",
        [`canary_listed{${CHAT}}`]: "0x40",
        [`canary_listed{${ACCOUNT}}`]: "1x40",
      },
      firing: { 35: [], 20: ["ModelUnlisted gateway-on-call warning acme/chat"] },
    },
  "the alert for a model that is not listed says which": {
    series: { [`canary_listed{${CHAT}}`]: "0x40" },
    firing: { 20: ["ModelUnlisted gateway-on-call warning acme/chat"] },
    says: { labels: CHAT, summary: "acme does not list gpt-4o" },
  },
  "a scrape that fails alerts": {
    // A failed scrape takes the series with it.
    series: { up: "1x9 0x20", stale: "0x9 stale", [health(MODELS, "up")]: "1x9 stale" },
    firing: { 9: [], 16: ["ScrapeFailed monitoring-on-call critical"] },
    says: {
      labels: "",
      summary: "Prometheus gets no metrics from Gatepulse: nobody sees how the gateways are",
    },
  },
  "an address that answers something else alerts": {
    series: { stale: null },
    firing: { 10: ["ScrapeFailed monitoring-on-call critical"] },
  },
  "a job that nobody configured, or that vanished, alerts": {
    series: { up: null, stale: null, 'up{job="another"}': "1x30" },
    firing: { 10: ["ScrapeFailed monitoring-on-call critical"] },
  },
  "checks that are put off round after round alert": {
    series: { put_off_monitors: "3x30" },
    firing: { 20: ["FallingBehind monitoring-on-call warning"] },
  },
  "where all is well nothing alerts": {
    series: {
      put_off_monitors: "0x30",
      [MAINTENANCE]: "0x30",
      [health(MODELS, "up")]: "1x30",
      ...Object.fromEntries(["blocked", "down", "unknown"].map((is) => [health(MODELS, is), "0x30"])),
      [`monitor_paused{${MODELS}}`]: "0x30",
    },
    firing: { 25: [] },
  },
  "a region that alone sees a gateway as down warns after a while, and not where it is down for most": {
    series: {
      [health(MODELS, "down")]: "0x30",
      [region(MODELS, "apac")]: "1x30",
      [region(MODELS, "weur")]: "0x30",
      [health(BOLT, "down")]: "1x30",
      [region(BOLT, "apac")]: "1x30",
      [region(BOLT, "weur")]: "1x30",
    },
    firing: {
      14: ["GatewayDown gateway-on-call critical bolt/models"],
      16: [
        "RegionDown gateway-on-call warning acme/models",
        "GatewayDown gateway-on-call critical bolt/models",
      ],
    },
    says: {
      labels: `${MODELS}, region="apac", health="down"`,
      summary: "acme/models is down as seen from apac; from most regions it works",
    },
  },
  "a late shard, one that cannot be read, lost ticks and quarantined records page the people who run the monitoring":
    {
      series: {
        stale: "0x9 1x20",
        shards: "3x30",
        late_shards: "0x9 1x20",
        unreadable_shards: "0x9 2x20",
        lost_ticks: "5x9 6x20",
        quarantined_records: "0x9 3x20",
      },
      firing: {
        9: [],
        20: [
          "ShardLate monitoring-on-call critical",
          "ShardUnreadable monitoring-on-call critical",
          "TicksLost monitoring-on-call warning",
          "RecordsQuarantined monitoring-on-call warning",
        ],
      },
    },
  "one late shard alerts once, its gateways page nobody one by one, and a gateway that is down elsewhere still alerts":
    {
      series: {
        stale: "1x40",
        shards: "3x40",
        late_shards: "1x40",
        [health(MODELS, "unknown")]: "1x40",
        [health(MODELS, "down")]: "0x40",
        [health(BOLT, "down")]: "1x40",
        [health(BOLT, "unknown")]: "0x40",
      },
      firing: {
        20: ["ShardLate monitoring-on-call critical", "GatewayDown gateway-on-call critical bolt/models"],
      },
    },
  "where all shards are late, the checks have stopped, and only that alerts": {
    series: { stale: "1x40", shards: "3x40", late_shards: "3x40", [health(MODELS, "unknown")]: "1x40" },
    firing: { 20: ["Stale monitoring-on-call critical"] },
  },
  // A shard that is used no more, and whose gateways nobody has taken over, is not late: it has no ticks.
  "what only a former shard still shows is unknown, and its monitors alert": {
    series: { stale: "1x40", shards: "2x40", late_shards: "0x40", [health(MODELS, "unknown")]: "1x40" },
    firing: { 20: ["MonitorUnknown monitoring-on-call warning acme/models"] },
  },
};

const SCRAPED = 'job="gatepulse", instance="status.example"';

function seriesOf(of: string): string {
  const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})?$/u.exec(of) ?? [];
  const full = /^(?:up|probe_)/u.test(name) ? name : `gatepulse_${name}`;
  return `${full}{${labels.includes("job=") ? labels : [SCRAPED, labels].filter(Boolean).join(", ")}}`;
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/gu)].map(([, name, value]) => [name, value]));
}

/** The file for `promtool test rules`: YAML, as JSON is. */
export function rulesTest(rules: string): string {
  const tests = Object.entries(CASES).map(([name, { series, firing, says }]) => {
    const times = Object.entries(firing);
    const [minute, [first = ""] = []] = times.at(-1) ?? [];
    const [alert = "", page, severity] = first.split(" ");
    return {
      name,
      interval: "1m",
      input_series: Object.entries({ ...WELL, ...series }).flatMap(([of, values]) =>
        values === null ? [] : { series: seriesOf(of), values },
      ),
      promql_expr_test: times.map(([at, alerts]) => ({
        expr: 'count by (alertname, page, severity, monitor) (ALERTS{alertstate="firing"})',
        eval_time: `${at}m`,
        exp_samples: alerts.map((one) => {
          const [is, of, how, monitor] = one.split(" ");
          const labels = `alertname="Gatepulse${is}", page="${of}", severity="${how}"`;
          return { labels: `{${labels}${monitor === undefined ? "" : `, monitor="${monitor}"`}}`, value: 1 };
        }),
      })),
      alert_rule_test: says && [
        {
          eval_time: `${minute}m`,
          alertname: `Gatepulse${alert}`,
          exp_alerts: [
            {
              exp_labels: { page, severity, ...labelsOf(SCRAPED), ...labelsOf(says.labels) },
              exp_annotations: {
                summary: says.summary,
                ...(says.description !== undefined && { description: says.description }),
              },
            },
          ],
        },
      ],
    };
  });
  return JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests }, null, 1);
}
