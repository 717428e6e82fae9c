/** The least that fetches and parses what gateways answer: a loop of six lanes. */

const LANES = 6;

type Ask = (url: string, key: string) => Promise<Response>;

const askBarely: Ask = (url, key) => fetch(url, { headers: { authorization: `Bearer ${key}` } });

/** Resolves when the model list of each gateway was read. */
export async function fetchLists(
  baseUrls: readonly string[],
  key: string,
  ask: Ask = askBarely,
): Promise<void> {
  const waiting = baseUrls.map((baseUrl) => `${baseUrl}/v1/models`);
  const lane = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      JSON.parse(await (await ask(url, key)).text());
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
