/** What it costs to explain the longest text that is taken, where each of its signs is meant to cost most: CPU of workerd. */
import { fineCpuOf } from "./cpu.ts";
import type { Published } from "./history.ts";
import { type RouteServers, startRouteServers } from "./route-servers.ts";
import type { Quantity, Row } from "./row.ts";
import { shortestOrNull } from "./turns.ts";

const ROUNDS = 5;
const LONGEST_BYTES = 262_144;
/** The longest that the page shows again. */
const LONGEST_SHOWN = 16_384;

/** To twice a half: 1 is linear, 2 is the square. */
const MOST_GROWTH = 1.5;

/** What is repeated until the text is as long as it may be. */
const HOSTILE = [
  "a",
  "[",
  '{"a":',
  "\\",
  '\\"',
  "\n",
  "\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
  "data: {\n\n",
  "event: error\n",
  "Error: 401 ",
  "{'error': ",
  "https://u:p@",
  "Authorization: Bearer ",
  "eyJhbGci.",
  "sk-",
  "密钥",
  "%25",
] as const;

export async function measureExplaining(monitors: number, published: Published): Promise<readonly Row[]> {
  const servers = await startRouteServers(monitors, published);
  try {
    const explained = async (bytes: number) =>
      worstOf(servers, "/api/v1/explain", (one) => filled(one, bytes));
    const half = await explained(LONGEST_BYTES / 2);
    const whole = await explained(LONGEST_BYTES);
    const page = await worstOf(
      servers,
      "/explain",
      (one) => new URLSearchParams({ text: filled(one, LONGEST_SHOWN) }),
    );
    return [
      {
        what: `POST /api/v1/explain, 262,144 bytes, the worst of ${HOSTILE.length} hostile texts, CPU; floor: twice that of half as much`,
        figure: whole,
        floor: half && { ...half, value: half.value * 2 },
        limit: { bound: "at most", of: "ratio", value: MOST_GROWTH },
      },
      {
        what: "POST /explain, 16,384 characters that are shown again, the worst of them, CPU",
        figure: page,
        floor: null,
        limit: null,
      },
    ];
  } finally {
    await servers.stop();
  }
}

function filled(one: string, bytes: number): string {
  return one.repeat(Math.floor((bytes - 1) / Buffer.byteLength(one))) + ".";
}

/** Null: CPU cannot be told here. */
async function worstOf(
  servers: RouteServers,
  path: string,
  bodyOf: (one: string) => string | URLSearchParams,
): Promise<Quantity | null> {
  let worst = 0;
  for (const one of HOSTILE) {
    const body = bodyOf(one);
    const costs: (number | null)[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.push(await fineCpuOf(servers.pid, () => posted(servers.product(path), body)));
    }
    const least = shortestOrNull(costs);
    if (least === null) return null;
    worst = Math.max(worst, least);
  }
  return { value: worst, unit: "ms" };
}

/** @throws where it is not explained. */
async function posted(url: URL, body: string | URLSearchParams): Promise<void> {
  const answer = await fetch(url, { method: "POST", body });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url.pathname}: ${answer.status}`);
}
