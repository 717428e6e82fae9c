/** Every scenario, by family and by name. Pure data. */
import type { Scenario } from "./scenario.ts";
import { BAD_BODIES } from "./scenarios/bad-bodies.ts";
import { ADDRESSES, BROKEN_CONNECTIONS } from "./scenarios/broken-connections.ts";
import { EDGE_PAGES } from "./scenarios/edge-pages.ts";
import { CONSOLES, GENERATIONS } from "./scenarios/generations.ts";
import { GOOD_ANSWERS } from "./scenarios/good-answers.ts";
import { HOSTILE_ANSWERS } from "./scenarios/hostile-answers.ts";
import { MEDIA_TASKS } from "./scenarios/media-tasks.ts";
import { parametrised } from "./scenarios/parametrised.ts";
import { RETRIES } from "./scenarios/retries.ts";
import { STATUSES } from "./scenarios/statuses.ts";
import { STREAMS } from "./scenarios/streams.ts";

export interface Family {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

export const FAMILIES: readonly Family[] = [
  { title: "Good answers", scenarios: GOOD_ANSWERS },
  { title: "200 that is no success", scenarios: BAD_BODIES },
  { title: "HTTP statuses", scenarios: STATUSES },
  { title: "Limits and unavailable upstreams", scenarios: RETRIES },
  { title: "Edges, proxies and redirects", scenarios: EDGE_PAGES },
  { title: "Broken connections and floods", scenarios: BROKEN_CONNECTIONS },
  { title: "Below HTTP", scenarios: ADDRESSES },
  { title: "Hostile answers", scenarios: HOSTILE_ANSWERS },
  { title: "Streams, while the list is good", scenarios: STREAMS },
  { title: "Generation at once, and lists that do not agree with it", scenarios: GENERATIONS },
  { title: "Images and videos by tasks", scenarios: MEDIA_TASKS },
  { title: "The console", scenarios: CONSOLES },
];

export const SCENARIOS: readonly Scenario[] = FAMILIES.flatMap((family) => family.scenarios);

const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((known) => [known.name, known]));

/** Named or parametrised; null when there is none of that name. */
export function findScenario(name: string): Scenario | null {
  return BY_NAME.get(name) ?? parametrised(name);
}
