/** What a paste costs that is as long as may be taken, where each of its signs is meant to cost most: CPU of workerd. */
import type { Published } from "./history.ts";
import { cpuOf } from "./measure.ts";
import { type Row, row, timesAtMost } from "./row.ts";
import { type Servers, withServers } from "./servers.ts";

const ROUNDS = 5;
const LONGEST_BYTES = 262_144;

/** To twice a half: 1 is linear, 2 is the square. */
const MOST_GROWTH = 1.5;

/** What is repeated until the text is as long as it may be. */
const SIGNS = [
  "a",
  "[",
  '{"a":',
  "\\",
  '\\"',
  "\n",
  "\r\n\r\n",
  "密钥",
  "%25",
  "sk-",
  "eyJhbGci.",
  "Error: 401 ",
];
const LINES = ["HTTP/1.1 200 OK\r\n\r\n", "data: {\n\n", "event: error\n", "Authorization: Bearer "];
const HOSTILE = [...SIGNS, ...LINES, "{'error': ", "https://u:p@"];

export async function measureExplaining(monitors: number, published: Published): Promise<readonly Row[]> {
  return withServers(monitors, published, async (servers) => {
    const half = await worstOf(servers, LONGEST_BYTES / 2);
    const whole = await worstOf(servers, LONGEST_BYTES);
    const what = `POST /api/v1/explain, 262,144 bytes, the worst of ${HOSTILE.length} hostile texts, CPU; floor: twice that of half as much`;
    return [row("ms", what, whole, { floor: half * 2, limit: timesAtMost(MOST_GROWTH) })];
  });
}

/** Milliseconds. */
async function worstOf({ pid, product }: Servers, bytes: number): Promise<number> {
  let worst = 0;
  for (const one of HOSTILE) {
    const body = one.repeat(Math.floor((bytes - 1) / Buffer.byteLength(one))) + ".";
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.push(await cpuOf(pid, () => explained(product("/api/v1/explain"), body)));
    }
    worst = Math.max(worst, Math.min(...costs));
  }
  return worst;
}

/** @throws where it is not explained. */
async function explained(url: URL, body: string): Promise<void> {
  const answer = await fetch(url, { method: "POST", body });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url.pathname}: ${answer.status}`);
}
