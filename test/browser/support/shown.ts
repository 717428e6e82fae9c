/**
 * The site whose pictures the README shows: ninety days of a small company's gateways, with one of each kind of trouble now.
 */
import { HOUR_MS } from "../../local/support/world.ts";
import { type GatewayState, incidentOf, order, type State } from "./states.ts";

const DAY_MS = 24 * HOUR_MS;

/** So many real milliseconds: days have a rhythm. */
const delayed = (base: number) => (agoMs: number) => {
  const wave = Math.sin((agoMs / DAY_MS) * 2 * Math.PI) + Math.sin(agoMs / (3.1 * HOUR_MS)) / 3;
  return `delay_${Math.round(base * (1 + wave / 4))}`;
};

type Played = NonNullable<GatewayState["played"]>;

type Trouble = readonly [fromDaysAgo: number, toDaysAgo: number, scenario: string];

const played = (base: number, ...troubles: readonly Trouble[]): Played => {
  return (agoMs) => {
    const days = agoMs / DAY_MS;
    const trouble = troubles.find(([from, to]) => days <= from && days > to);
    return trouble?.[2] ?? delayed(base)(agoMs);
  };
};

const SLOW = "delay_1250";
const NOW = -1;
const hours = (count: number): number => count / 24;

/** As often as the last day is played: else every check would be one after a gap. */
const MODELS = { kind: "models", every: "10m" } as const;

export const SHOWN: State = {
  config: { title: "Model gateways" },
  gateways: [
    {
      id: "orchard",
      name: "Orchard",
      monitors: ["eu", "us"].map((id) => Object.assign({ id, slowerThan: "4s" }, MODELS)),
      played: played(110, [61, 60, "503_always"], [17.2, 15, SLOW]),
    },
    {
      id: "harbor",
      name: "Harbor",
      monitors: [MODELS],
      played: played(
        170,
        [44, 43, "html_502"],
        [hours(9.4), hours(8.3), "503_always"],
        [hours(0.75), NOW, "529"],
      ),
    },
    {
      id: "quay",
      name: "Quay",
      monitors: [MODELS],
      played: played(135, [29, 27, "balance_402"], [hours(3.2), NOW, "balance_402"]),
    },
    {
      id: "summit",
      name: "Summit",
      monitors: [{ ...MODELS, slowerThan: "4s" }],
      played: played(
        200,
        [75, 73.4, "video_config_500"],
        [hours(14), hours(12.5), SLOW],
        [hours(1.4), NOW, SLOW],
      ),
    },
    { id: "willow", name: "Willow", monitors: [MODELS], played: played(90) },
  ],
  days: 89,
  minutes: 10,
  speed: 4,
  after: async (world) => {
    const incident = await incidentOf(world, "harbor");
    await order(world, `incidents/${incident}/acknowledge`);
    const text = "They move us to another provider; chat goes through Orchard until then.";
    await order(world, `incidents/${incident}/notes`, { text });
    await world.publish();
  },
};
